// Starts `ivl lsp` for Boogie's files and hands its settings over; the server does the rest.

import { commands, ExtensionContext, StatusBarAlignment, window, workspace } from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, State } from "vscode-languageclient/node";

/** How an implementation stands, as the server tells. */
interface Standing {
  name: string;
  state: "verified" | "failed" | "undecided" | "unanswered";
  old: boolean;
}

interface Implementations {
  uri: string;
  implementations: Standing[];
}

let client: LanguageClient | undefined;

/** The settings that `ivl lsp` understands when it starts. */
function settings(): object {
  const set = workspace.getConfiguration("ivl");
  return {
    prelude: set.get<string[]>("prelude", []),
    counterexample: set.get<boolean>("counterexample", false),
    onSave: set.get<boolean>("onSave", false),
  };
}

/** A line for the status bar: how many implementations stand how. */
function summary(all: Standing[]): string {
  const count = (fits: (it: Standing) => boolean) => all.filter(fits).length;
  const verified = count((it) => !it.old && it.state === "verified");
  const asked = count((it) => it.old);
  const rest = all.length - verified - asked;
  const parts = [`$(check) ${verified}`];
  if (rest > 0) parts.push(`$(error) ${rest}`);
  if (asked > 0) parts.push(`$(sync~spin) ${asked}`);
  return parts.join(" ");
}

function make(): LanguageClient {
  const set = workspace.getConfiguration("ivl");
  const server: ServerOptions = {
    command: set.get<string>("path", "ivl"),
    args: ["lsp", ...set.get<string[]>("arguments", [])],
  };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "boogie" }],
    initializationOptions: settings(),
  };
  return new LanguageClient("ivl", "ivl", server, options);
}

export async function activate(context: ExtensionContext): Promise<void> {
  const status = window.createStatusBarItem(StatusBarAlignment.Left);
  const known = new Map<string, Standing[]>();
  const show = () => {
    const uri = window.activeTextEditor?.document.uri.toString();
    const all = uri === undefined ? undefined : known.get(uri);
    if (all === undefined) {
      status.hide();
      return;
    }
    status.text = summary(all);
    status.tooltip = "Implementations: verified, not verified, being verified again";
    status.show();
  };
  const listen = (to: LanguageClient) => {
    to.onNotification("ivl/implementations", (news: Implementations) => {
      known.set(to.protocol2CodeConverter.asUri(news.uri).toString(), news.implementations);
      show();
    });
    to.onDidChangeState((change) => {
      if (change.newState === State.Stopped) {
        known.clear();
        show();
      }
    });
  };
  const renew = async () => {
    const before = client;
    client = undefined;
    await before?.stop();
    const next = make();
    // Before it starts: the first news come at once where nothing must be proved.
    listen(next);
    await next.start();
    client = next;
  };
  // One after the other: settings may change while a server starts, and one that could not be started must not keep
  // the next one from it.
  let last: Promise<void> = Promise.resolve();
  const restart = () => (last = last.then(renew, renew));
  context.subscriptions.push(
    status,
    window.onDidChangeActiveTextEditor(show),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("ivl")) await restart();
    }),
    commands.registerCommand("ivl.restart", restart),
  );
  // What a command or a setting can mend is told, and does not keep the extension from being there.
  await restart().catch((error) => window.showErrorMessage(`ivl could not be started: ${error}`));
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
