//! `ivl lsp`, as an editor meets it: messages over its standard input and output.

use std::io::{BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use lsp_server::{Message, Notification, Request, RequestId, Response};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::replay::sums;

/// Far more than anything here should take.
const PATIENCE: Duration = Duration::from_secs(120);

/// The document of most tests.
const URI: &str = "file:///p.bpl";

/// A client with a running server.
struct Client {
    child: Child,
    input: Option<BufWriter<ChildStdin>>,
    said: Receiver<Message>,
    requests: i32,
    /// What was told beside answers, in order.
    told: Vec<Notification>,
    /// What the server said of itself.
    greeting: Value,
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Client {
    fn start(folder: &Path, settings: &Value, abilities: &Value) -> Self {
        Self::told(folder, &[], settings, abilities)
    }

    /// A client of a server with more arguments.
    fn told(folder: &Path, arguments: &[&str], settings: &Value, abilities: &Value) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ivl"))
            .args(["lsp", "--stdio", "--time-limit", "0", "--rlimit", "20000000"])
            .args(arguments)
            .current_dir(folder)
            .env_remove("REPRISE_CACHE")
            .env("REPRISE_CACHE_DIR", folder.join("cache"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().map(BufWriter::new);
        let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, said) = channel();
        std::thread::spawn(move || {
            while let Ok(Some(message)) = Message::read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut client = Self { child, input, said, requests: 0, told: Vec::new(), greeting: Value::Null };
        let parameters =
            json!({ "processId": null, "capabilities": abilities, "initializationOptions": settings });
        client.greeting = client.ask("initialize", parameters);
        client.tell("initialized", json!({}));
        client
    }

    /// A client with default settings that opens a document.
    fn with(folder: &Path, text: &str) -> Self {
        let mut client = Self::start(folder, &Value::Null, &json!({}));
        client.open(URI, text);
        client
    }

    fn send(&mut self, message: &Message) {
        let input = self.input.as_mut().expect("the input is open");
        message.write(input).expect("the server reads");
        input.flush().expect("the server reads");
    }

    fn tell(&mut self, method: &str, parameters: Value) {
        self.send(&Message::Notification(Notification::new(method.to_owned(), parameters)));
    }

    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "boogie", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Changes a document; a change without a range replaces everything.
    fn change(&mut self, version: i32, changes: &Value) {
        let document = json!({ "uri": URI, "version": version });
        self.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The next message; requests of the server are answered.
    fn next(&mut self) -> Message {
        let message = self.said.recv_timeout(PATIENCE).expect("the server says something");
        if let Message::Request(request) = &message {
            let answer = Response::new_ok(request.id.clone(), Value::Null);
            self.send(&Message::Response(answer));
        }
        message
    }

    fn answer(&mut self, method: &str, parameters: Value) -> Result<Value, String> {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        self.send(&Message::Request(Request::new(id.clone(), method.to_owned(), parameters)));
        loop {
            match self.next() {
                Message::Response(response) if response.id == id => {
                    return response.response_result.map_err(|error| error.message);
                }
                Message::Notification(told) => self.told.push(told),
                Message::Response(_) | Message::Request(_) => {}
            }
        }
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.answer(method, parameters).expect("it is answered")
    }

    fn at(&mut self, method: &str, (line, character): (u32, u32)) -> Value {
        let position = json!({ "line": line, "character": character });
        let context = json!({ "includeDeclaration": true });
        self.ask(method, json!({ "textDocument": { "uri": URI }, "position": position, "context": context }))
    }

    /// The first notification of a kind, from now on or told already, that fits.
    fn until(&mut self, method: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let told = std::mem::take(&mut self.told);
        if let Some(found) = told.into_iter().find(|it| it.method == method && fits(&it.params)) {
            return found.params;
        }
        loop {
            if let Message::Notification(told) = self.next()
                && told.method == method
                && fits(&told.params)
            {
                return told.params;
            }
        }
    }

    /// The diagnostics of a version, each as `LINE:COLUMN CODE MESSAGE`, as soon as these are as expected.
    fn shows(&mut self, version: i32, expected: &[&str]) {
        self.until("textDocument/publishDiagnostics", |params| {
            params["version"] == version && lines(params) == expected
        });
    }

    /// How the implementations of a version stand, as soon as each was answered.
    fn standing(&mut self, version: i32, count: usize) -> Vec<(String, String, String)> {
        let params = self.until("ivl/implementations", |params| {
            let all = params["implementations"].as_array().expect("it is a list");
            params["version"] == version && all.len() == count && all.iter().all(|it| it["old"] == false)
        });
        let all = params["implementations"].as_array().expect("it is a list");
        all.iter().map(|it| (text(&it["name"]), text(&it["state"]), text(&it["reason"]))).collect()
    }

    /// Leaves as clients should, and gives the exit code.
    fn leave(mut self) -> Option<i32> {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.child.wait().expect("it ends").code()
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn lines(params: &Value) -> Vec<String> {
    let all = params["diagnostics"].as_array().expect("it is a list");
    let line = |it: &Value| {
        let start = &it["range"]["start"];
        format!("{}:{} {} {}", start["line"], start["character"], text(&it["code"]), text(&it["message"]))
    };
    all.iter().map(line).collect()
}

/// The places of an answer, as `LINE:COLUMN-COLUMN`.
fn places(answer: &Value) -> Vec<String> {
    let place = |it: &Value| {
        let (start, end) = (&it["range"]["start"], &it["range"]["end"]);
        format!("{}:{}-{}", start["line"], start["character"], end["character"])
    };
    answer.as_array().map(|all| all.iter().map(place).collect()).unwrap_or_default()
}

const PROGRAM: &str = "\
datatype Pair { Pair(left: int, right: int) }
const limit: int;
axiom limit > 0;
function twice(x: int): int { x + x }
procedure first(a: int) returns (r: int)
  ensures r > a;
{
  r := twice(a);
}
procedure second(p: Pair) returns (r: int)
  ensures r == 2 * p->left;
{
  r := twice(p->left);
}
";

#[test]
fn an_editor_sees_what_fails_and_an_edit_asks_only_what_it_touches() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut client = Client::with(folder.path(), PROGRAM);
    let standing = client.standing(1, 2);
    assert_eq!((standing[0].0.as_str(), standing[0].1.as_str()), ("first", "failed"));
    assert_eq!((standing[1].0.as_str(), standing[1].1.as_str()), ("second", "verified"));
    // A precondition mends the first; the second, two lines below, is known.
    let place = json!({ "line": 5, "character": 0 });
    let insert = json!([{ "range": { "start": place, "end": place }, "text": "  requires a > 0;\n" }]);
    client.change(2, &insert);
    client.shows(2, &[]);
    let standing = client.standing(2, 2);
    assert_eq!((standing[0].1.as_str(), standing[1].1.as_str()), ("verified", "verified"));
    assert!(standing[1].2.contains("reused from memory"), "{standing:?}");
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn proofs_are_replayed_in_an_editor() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = ["--caching", "replay", "--replay-from", "0"];
    let abilities = json!({ "window": { "workDoneProgress": true } });
    let mut client = Client::told(folder.path(), &arguments, &Value::Null, &abilities);
    client.open(URI, &sums(1, 3));
    let whole = |least: u32| json!([{ "text": sums(least, 3) }]);
    // Instances are looked for when all is told, and a change ends that.
    let over = |client: &mut Client, version: i32| {
        client.until("$/progress", |params| params["value"]["kind"] == "end");
        client.standing(version, 1)
    };
    let mut last = over(&mut client, 1);
    for version in 2..4 {
        client.change(version, &whole(version.unsigned_abs()));
        last = over(&mut client, version);
    }
    assert_eq!(last[0].1, "verified", "{last:?}");
    assert!(last[0].2.contains("replayed"), "{last:?}");
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn what_is_wrong_with_a_text_is_told_and_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut client = Client::with(folder.path(), "procedure P() { assert y; }\n");
    client.shows(1, &["0:23 program undeclared identifier: y"]);
    client.change(2, &json!([{ "text": "procedure P() { assert true; }\n" }]));
    client.shows(2, &[]);
    client.change(3, &json!([{ "text": "procedure P() { assert false; }\n" }]));
    client.shows(3, &["0:16 check this assertion could not be proved"]);
    // Closing takes everything away.
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    client.until("textDocument/publishDiagnostics", |params| params["version"].is_null());
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn what_is_old_moves_with_the_text_and_says_so_until_it_is_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut client = Client::start(folder.path(), &json!({ "onSave": true }), &json!({}));
    client.open(URI, "procedure P()\n{\n  assert 1 == 2;\n}\n");
    client.shows(1, &["2:2 check this assertion could not be proved"]);
    let place = json!({ "line": 0, "character": 0 });
    client.change(
        2,
        &json!([
            { "range": { "start": place, "end": place }, "text": "// one\n// two\n" },
            { "range": { "start": { "line": 4, "character": 9 }, "end": { "line": 4, "character": 10 } }, "text": "2" },
        ]),
    );
    let old = "this assertion could not be proved (before the last edit; not answered again yet)";
    client.shows(2, &[&format!("4:2 check {old}")]);
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": URI } }));
    client.shows(2, &[]);
    assert_eq!(client.leave(), Some(0));
}

/// Text in front of what failed is not part of it, also while it makes the program none.
#[test]
fn what_is_put_in_front_of_an_error_pushes_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut client = Client::with(folder.path(), "procedure P() { assert 1 == 2; }\n");
    client.shows(1, &["0:16 check this assertion could not be proved"]);
    let place = json!({ "line": 0, "character": 16 });
    client.change(2, &json!([{ "range": { "start": place, "end": place }, "text": "assume 3 > " }]));
    let old = "this assertion could not be proved (before the last edit; not answered again yet)";
    client.shows(2, &["0:27 program invalid UnaryExpression", &format!("0:27 check {old}")]);
    assert_eq!(client.leave(), Some(0));
}

/// What a run tells of a text that was closed is not told of another one under the same name and number.
#[test]
fn a_document_that_is_opened_again_is_another_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let many: String = (0..40).map(|n| format!("procedure P{n}() {{ assert {n} == {n} + 1; }}\n")).collect();
    let mut client = Client::with(folder.path(), &many);
    client.until("textDocument/publishDiagnostics", |params| !lines(params).is_empty());
    for _ in 0..5 {
        client.tell("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
        client.open(URI, "procedure Q() { assert true; }\n");
        let standing = client.until("ivl/implementations", |params| {
            params["implementations"].as_array().is_some_and(|all| all.iter().any(|it| it["name"] == "Q"))
        });
        assert_eq!(standing["implementations"].as_array().map(Vec::len), Some(1), "{standing}");
        client.tell("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
        client.open(URI, &many);
    }
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn columns_are_counted_as_the_client_wants() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "procedure P() { /* \u{1d518}\u{e9} */ assert false; }\n";
    let mut client = Client::with(folder.path(), program);
    assert_eq!(client.greeting["capabilities"]["positionEncoding"], "utf-16");
    client.shows(1, &["0:26 check this assertion could not be proved"]);
    let abilities = json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } });
    let mut client = Client::start(folder.path(), &Value::Null, &abilities);
    assert_eq!(client.greeting["capabilities"]["positionEncoding"], "utf-8");
    client.open(URI, program);
    client.shows(1, &["0:29 check this assertion could not be proved"]);
    // An edit behind the letters meets the right place: `false` becomes `true`.
    let (start, end) = (json!({ "line": 0, "character": 36 }), json!({ "line": 0, "character": 41 }));
    client.change(2, &json!([{ "range": { "start": start, "end": end }, "text": "true" }]));
    client.shows(2, &[]);
}

#[test]
fn names_lead_to_their_definitions_and_uses() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut client = Client::with(folder.path(), PROGRAM);
    client.standing(1, 2);
    // A call of a function, from within and from behind its name.
    assert_eq!(places(&client.at("textDocument/definition", (7, 8))), ["3:9-14"]);
    assert_eq!(places(&client.at("textDocument/definition", (7, 12))), ["3:9-14"]);
    assert_eq!(places(&client.at("textDocument/references", (3, 10))), ["3:9-14", "7:7-12", "12:7-12"]);
    // A field, a result that another procedure has too, a type.
    assert_eq!(places(&client.at("textDocument/definition", (12, 16))), ["0:21-25"]);
    assert_eq!(places(&client.at("textDocument/documentHighlight", (7, 2))), ["4:33-34", "5:10-11", "7:2-3"]);
    assert_eq!(places(&client.at("textDocument/definition", (9, 20))), ["0:9-13"]);
    assert_eq!(client.at("textDocument/hover", (2, 0)), Value::Null);
    let hover = client.at("textDocument/hover", (7, 8));
    assert!(text(&hover["contents"]["value"]).contains("function twice(x: int) : int"), "{hover}");
    let hover = client.at("textDocument/hover", (9, 12));
    let said = text(&hover["contents"]["value"]);
    assert!(said.contains("procedure second") && said.contains("second: verified"), "{said}");
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": URI } }));
    let titles: Vec<String> =
        lenses.as_array().expect("a list").iter().map(|it| text(&it["command"]["title"])).collect();
    assert!(titles.iter().any(|it| it.starts_with("verified (")), "{titles:?}");
    assert!(titles.iter().any(|it| it.starts_with("not verified (")), "{titles:?}");
    let symbols = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }));
    let names: Vec<String> = symbols.as_array().expect("a list").iter().map(|it| text(&it["name"])).collect();
    assert_eq!(names, ["Pair", "limit", "twice", "first", "second"]);
    let parts: Vec<String> =
        symbols[0]["children"].as_array().expect("a list").iter().map(|it| text(&it["name"])).collect();
    assert_eq!(parts, ["Pair", "left", "right"]);
}

#[test]
fn binders_labels_and_broken_texts_have_names_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "\
type T a;
function f<a>(x: a): bool;
axiom (forall<a> x: a :: {f(x)} f(x) && (exists x: int :: f(x)));
procedure P<b>(x: T b) {
  var y: <c>[c]b;
  goto there;
  there: y := y[x := (var z := y[x]; z)]; assert ;
}
";
    let mut client = Client::with(folder.path(), program);
    assert_eq!(places(&client.at("textDocument/definition", (2, 28))), ["2:17-18"]);
    assert_eq!(places(&client.at("textDocument/definition", (2, 60))), ["2:48-49"]);
    assert_eq!(places(&client.at("textDocument/definition", (2, 20))), ["2:14-15"]);
    assert_eq!(places(&client.at("textDocument/definition", (5, 8))), ["6:2-7"]);
    assert_eq!(places(&client.at("textDocument/definition", (4, 15))), ["3:12-13"]);
    assert_eq!(places(&client.at("textDocument/definition", (4, 13))), ["4:10-11"]);
    assert_eq!(places(&client.at("textDocument/definition", (6, 37))), ["6:26-27"]);
}

#[test]
fn files_in_front_and_values_are_there_where_they_are_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(
        folder.path().join("prelude.bpl"),
        "function f(x: int): bool;\naxiom (forall x: int :: f(x) ==> x > 2);\n",
    )
    .expect("the folder is ours");
    let settings = json!({ "prelude": ["prelude.bpl"], "counterexample": true });
    let mut client = Client::start(folder.path(), &settings, &json!({}));
    client.open(URI, "procedure P(a: int) requires f(a); { assert a > 1; assert a != 7; }\n");
    let params = client.until("textDocument/publishDiagnostics", |params| !lines(params).is_empty());
    assert_eq!(lines(&params), ["0:51 check this assertion could not be proved"]);
    let related = params["diagnostics"][0]["relatedInformation"].as_array().expect("it has values");
    assert!(related.iter().any(|it| text(&it["message"]).contains("a = 7")), "{related:?}");
}

#[test]
fn a_run_shows_progress_and_refreshes_lenses() {
    let folder = tempfile::tempdir().expect("a folder");
    let abilities = json!({
        "window": { "workDoneProgress": true },
        "workspace": { "codeLens": { "refreshSupport": true } },
    });
    let mut client = Client::start(folder.path(), &Value::Null, &abilities);
    client.open(URI, PROGRAM);
    client.until("$/progress", |params| params["value"]["kind"] == "begin");
    client.until("$/progress", |params| params["value"]["kind"] == "end");
    client.standing(1, 2);
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn what_cannot_be_understood_is_refused_and_nothing_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut client = Client::start(folder.path(), &json!({ "prelude": 3 }), &json!({}));
    client.until("window/logMessage", |params| text(&params["message"]).contains("settings"));
    let refused = client.answer("textDocument/rename", json!({}));
    assert!(refused.is_err_and(|message| message.contains("not answered")));
    assert!(client.answer("textDocument/hover", json!({ "position": "here" })).is_err());
    client.tell("textDocument/didOpen", json!([1]));
    client.until("window/logMessage", |params| text(&params["message"]).contains("didOpen"));
    assert_eq!(client.at("textDocument/hover", (0, 0)), Value::Null);
    client.open(URI, PROGRAM);
    // Positions beyond the text, and ranges that end before they start.
    assert_eq!(client.at("textDocument/definition", (900, 900)), json!([]));
    let (start, end) = (json!({ "line": 9, "character": 99 }), json!({ "line": 2, "character": 0 }));
    client.change(2, &json!([{ "range": { "start": start, "end": end }, "text": "" }]));
    client.standing(2, 2);
    // A client that vanishes ends the server.
    client.input = None;
    assert_eq!(client.child.wait().expect("it ends").code(), Some(1));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// However a text came about, it is answered like the same text opened anew.
    #[test]
    fn edits_lead_where_the_text_leads(
        edits in prop::collection::vec((0_u32..16, 0_u32..30, 0_u32..3, 0_u32..9, "[a-z(){}; \u{e9}\u{1d518}\n]{0,6}"), 1..12),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut client = Client::start(folder.path(), &json!({ "onSave": true }), &json!({}));
        client.open(URI, PROGRAM);
        let mut content = PROGRAM.to_owned();
        for (version, (line, character, lines, characters, new)) in edits.into_iter().enumerate() {
            let start = (line, character);
            let end = if lines == 0 { (line, character + characters) } else { (line + lines, characters) };
            let at = |(line, character): (u32, u32)| json!({ "line": line, "character": character });
            let change = json!([{ "range": { "start": at(start), "end": at(end) }, "text": new }]);
            client.change(i32::try_from(version).expect("it is small") + 2, &change);
            let bytes = byte(&content, start)..byte(&content, end);
            content.replace_range(bytes, &new);
        }
        let of = |uri: &str| json!({ "textDocument": { "uri": uri } });
        let edited = client.ask("textDocument/documentSymbol", of(URI));
        client.open("file:///anew.bpl", &content);
        let anew = client.ask("textDocument/documentSymbol", of("file:///anew.bpl"));
        prop_assert_eq!(edited, anew);
    }
}

/// The byte at a position in units of UTF-16, found letter by letter.
fn byte(content: &str, (line, character): (u32, u32)) -> usize {
    let (mut lines, mut units) = (0, 0);
    for (at, letter) in content.char_indices() {
        let ends = lines == line
            && (letter == '\n' || units + u32::try_from(letter.len_utf16()).expect("1 or 2") > character);
        if lines > line || ends {
            return at;
        }
        if letter == '\n' {
            lines += 1;
            units = 0;
        } else if lines == line {
            units += u32::try_from(letter.len_utf16()).expect("1 or 2");
        }
    }
    content.len()
}
