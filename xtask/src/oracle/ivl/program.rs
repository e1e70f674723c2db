//! The programs that are tried, as declarations with expressions as text; how they are written as Boogie,
//! and how a history of them is made smaller.

use std::fmt::Write as _;

/// What the datatype `D` may be. All have `L` with `v`, and `R` with `w`.
pub(super) const DATATYPES: [&str; 4] = [
    "datatype D { L(v: int), R(w: int) }",
    "datatype D { R(w: int), L(v: int) }",
    "datatype D { L(v: int), R(w: int), N() }",
    "datatype D { L(v: int), R(w: int, rest: D) }",
];

/// A program and what became of it, edit by edit.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(super) versions: Vec<Program>,
    /// Under which settings the history is verified: one run after the other, each with what the earlier
    /// ones left on disk.
    pub(super) runs: Vec<Run>,
}

/// The settings of a run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Run {
    /// How many errors end the search in an implementation.
    pub(super) error_limit: usize,
    /// In Z3's unit.
    pub(super) resource: u64,
    /// Further options, which are part of what identifies a result.
    pub(super) options: Vec<&'static str>,
    /// What is reused of earlier versions.
    pub(super) caching: &'static str,
    /// Whether every hit is asked again.
    pub(super) audit: bool,
}

/// A Boogie program. Names are single words that occur as nothing else.
#[derive(Debug, Clone)]
pub(super) struct Program {
    /// In the order in which they are written.
    pub(super) declarations: Vec<Declaration>,
}

#[derive(Debug, Clone)]
pub(super) enum Declaration {
    /// The declaration of `E`, the type of constants.
    Type(String),
    /// `const unique NAME: E`, and without `unique`.
    Constant {
        name: String,
        unique: bool,
    },
    /// `function NAME(x: int): int`, with a body where it has one, and an axiom of its own that can be hidden.
    Function {
        name: String,
        body: Option<String>,
        hideable: Option<String>,
    },
    /// One of the shapes of the datatype `D`.
    Datatype(usize),
    /// `function NAME<T>(x: T): int`.
    Generic(String),
    /// A heap as front ends have it: `var NAME: <V>[F V]V`, the type `F` of its fields, and two of them.
    Heap(String),
    /// `const NAME: int`, which tells where axioms hold.
    Height(String),
    Axiom(String),
    /// `var NAME: TYPE where CONDITION`.
    Global {
        name: String,
        kind: &'static str,
        condition: Option<String>,
    },
    Procedure(Procedure),
}

/// A procedure with its implementation. Parameters and results are integers.
#[derive(Debug, Clone)]
pub(super) struct Procedure {
    pub(super) name: String,
    /// Whether calls are replaced by its body.
    pub(super) inline: bool,
    /// Whether what runs out of its limits is divided further.
    pub(super) divided: bool,
    pub(super) parameters: Vec<String>,
    pub(super) result: Option<String>,
    pub(super) modifies: Vec<String>,
    pub(super) clauses: Vec<Clause>,
    /// Each with its `where` condition.
    pub(super) locals: Vec<(String, Option<String>)>,
    pub(super) body: Option<Vec<Statement>>,
}

/// `requires`, `ensures`, and the free forms.
#[derive(Debug, Clone)]
pub(super) struct Clause {
    pub(super) before: bool,
    pub(super) free: bool,
    pub(super) text: String,
}

#[derive(Debug, Clone)]
pub(super) enum Statement {
    /// Without its semicolon.
    Simple(String),
    /// A comment or an empty line, which moves what follows.
    Space(String),
    If(String, Vec<Statement>, Vec<Statement>),
    While {
        guard: String,
        invariants: Vec<String>,
        body: Vec<Statement>,
    },
}

impl Program {
    pub(super) fn procedures(&self) -> impl Iterator<Item = &Procedure> {
        self.declarations.iter().filter_map(|declaration| match declaration {
            Declaration::Procedure(procedure) => Some(procedure),
            _ => None,
        })
    }

    /// Whether every procedure that is called is there.
    pub(super) fn has_what_it_calls(&self) -> bool {
        let names: Vec<&str> = self.procedures().map(|procedure| procedure.name.as_str()).collect();
        let mut open: Vec<&Statement> = self.procedures().flat_map(|it| it.body.iter().flatten()).collect();
        while let Some(statement) = open.pop() {
            match statement {
                Statement::Simple(text) => {
                    let Some(call) = text.strip_prefix("call ") else { continue };
                    let noted = call.strip_prefix("{:").and_then(|noted| noted.split_once("} "));
                    let call = noted.map_or(call, |(_, call)| call);
                    let callee = call.split('(').next().and_then(|before| before.split(' ').next_back());
                    if callee.is_none_or(|callee| !names.contains(&callee)) {
                        return false;
                    }
                }
                Statement::Space(_) => {}
                Statement::If(_, one, other) => open.extend(one.iter().chain(other)),
                Statement::While { body, .. } => open.extend(body),
            }
        }
        true
    }

    /// The program as a file.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let condition = |condition: &Option<String>| {
            condition.as_ref().map(|condition| format!(" where {condition}")).unwrap_or_default()
        };
        for declaration in &self.declarations {
            // Writing to a string cannot fail.
            match declaration {
                Declaration::Constant { name, unique } => {
                    writeln!(text, "const {}{name}: E;", if *unique { "unique " } else { "" })
                }
                Declaration::Function { name, body, hideable } => {
                    let uses = |axiom: &String| format!(" uses {{ hideable axiom {axiom}; }}");
                    let own = hideable.as_ref().map(uses).unwrap_or_default();
                    match body {
                        None if hideable.is_none() => writeln!(text, "function {name}(x: int): int;"),
                        None => writeln!(text, "function {name}(x: int): int{own}"),
                        Some(body) => writeln!(text, "function {name}(x: int): int {{ {body} }}{own}"),
                    }
                }
                Declaration::Datatype(shape) => {
                    writeln!(text, "{}", DATATYPES.get(*shape).copied().unwrap_or_default())
                }
                Declaration::Height(name) => writeln!(text, "const {name}: int;"),
                Declaration::Generic(name) => writeln!(text, "function {name}<T>(x: T): int;"),
                Declaration::Heap(name) => {
                    writeln!(text, "type F _;\nconst unique slot0: F int;\nconst unique slot1: F int;").ok();
                    writeln!(text, "var {name}: <V>[F V]V;")
                }
                Declaration::Type(declaration) => writeln!(text, "{declaration}"),
                Declaration::Axiom(axiom) => writeln!(text, "axiom {axiom};"),
                Declaration::Global { name, kind, condition: given } => {
                    writeln!(text, "var {name}: {kind}{};", condition(given))
                }
                Declaration::Procedure(procedure) => {
                    procedure.write(&mut text);
                    Ok(())
                }
            }
            .ok();
        }
        text
    }

    /// Every text that holds names, to be changed in place.
    pub(super) fn texts(&mut self) -> Vec<&mut String> {
        let mut texts = Vec::new();
        for declaration in &mut self.declarations {
            match declaration {
                Declaration::Constant { name, .. }
                | Declaration::Height(name)
                | Declaration::Generic(name)
                | Declaration::Heap(name) => {
                    texts.push(name);
                }
                Declaration::Function { name, body, hideable } => {
                    texts.extend(std::iter::once(name).chain(body).chain(hideable));
                }
                Declaration::Type(_) | Declaration::Datatype(_) => {}
                Declaration::Axiom(axiom) => texts.push(axiom),
                Declaration::Global { name, condition, .. } => {
                    texts.extend(std::iter::once(name).chain(condition));
                }
                Declaration::Procedure(procedure) => {
                    let Procedure {
                        name,
                        inline: _,
                        divided: _,
                        parameters,
                        result,
                        modifies,
                        clauses,
                        locals,
                        body,
                    } = procedure;
                    texts.push(name);
                    texts.extend(parameters.iter_mut().chain(result).chain(modifies));
                    texts.extend(clauses.iter_mut().map(|clause| &mut clause.text));
                    for (name, condition) in locals {
                        texts.extend(std::iter::once(name).chain(condition));
                    }
                    let mut open: Vec<&mut Statement> = body.iter_mut().flatten().collect();
                    while let Some(statement) = open.pop() {
                        match statement {
                            Statement::Simple(text) => texts.push(text),
                            Statement::Space(_) => {}
                            Statement::If(guard, one, other) => {
                                texts.push(guard);
                                open.extend(one.iter_mut().chain(other));
                            }
                            Statement::While { guard, invariants, body } => {
                                texts.push(guard);
                                texts.extend(invariants);
                                open.extend(body);
                            }
                        }
                    }
                }
            }
        }
        texts
    }
}

impl Procedure {
    fn write(&self, text: &mut String) {
        let typed =
            |names: &[String]| names.iter().map(|name| format!("{name}: int")).collect::<Vec<_>>().join(", ");
        let inline = if self.inline { "{:inline 1} " } else { "" };
        let divided = if self.divided { "{:vcs_max_keep_going_splits 2} " } else { "" };
        write!(text, "\nprocedure {inline}{divided}{}({})", self.name, typed(&self.parameters)).ok();
        if let Some(result) = &self.result {
            write!(text, " returns ({result}: int)").ok();
        }
        text.push_str(if self.body.is_some() { "\n" } else { ";\n" });
        for Clause { before, free, text: condition } in &self.clauses {
            let (free, kind) =
                (if *free { "free " } else { "" }, if *before { "requires" } else { "ensures" });
            writeln!(text, "  {free}{kind} {condition};").ok();
        }
        if !self.modifies.is_empty() {
            writeln!(text, "  modifies {};", self.modifies.join(", ")).ok();
        }
        let Some(body) = &self.body else { return };
        text.push_str("{\n");
        for (name, condition) in &self.locals {
            let condition =
                condition.as_ref().map(|condition| format!(" where {condition}")).unwrap_or_default();
            writeln!(text, "  var {name}: int{condition};").ok();
        }
        write_statements(text, body, 1);
        text.push_str("}\n");
    }
}

fn write_statements(text: &mut String, statements: &[Statement], depth: usize) {
    let indent = "  ".repeat(depth);
    for statement in statements {
        match statement {
            Statement::Simple(simple) => writeln!(text, "{indent}{simple};").ok(),
            Statement::Space(space) => writeln!(text, "{space}").ok(),
            Statement::If(guard, one, other) => {
                // Half of the branches tell paths apart.
                let allowed = if guard.len() % 2 == 0 { "{:allow_split} " } else { "" };
                writeln!(text, "{indent}if {allowed}({guard}) {{").ok();
                write_statements(text, one, depth + 1);
                if !other.is_empty() {
                    writeln!(text, "{indent}}} else {{").ok();
                    write_statements(text, other, depth + 1);
                }
                writeln!(text, "{indent}}}").ok()
            }
            Statement::While { guard, invariants, body } => {
                writeln!(text, "{indent}while ({guard})").ok();
                for invariant in invariants {
                    writeln!(text, "{indent}  invariant {invariant};").ok();
                }
                writeln!(text, "{indent}{{").ok();
                write_statements(text, body, depth + 1);
                writeln!(text, "{indent}}}").ok()
            }
        };
    }
}

/// Whether a character can be part of a name.
pub(super) fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || "_$#".contains(c)
}

/// A text with words replaced, each by what stands for it.
pub(super) fn replace_words(text: &str, replacements: &[(&str, &str)]) -> String {
    let mut replaced = String::new();
    let mut word = String::new();
    for c in text.chars().chain(std::iter::once(' ')) {
        if is_of_word(c) {
            word.push(c);
            continue;
        }
        let by = replacements.iter().find(|(name, _)| *name == word).map_or(word.as_str(), |(_, by)| by);
        replaced.push_str(by);
        word.clear();
        replaced.push(c);
    }
    replaced.pop();
    replaced
}

impl Case {
    /// One run or version less; one declaration, clause or statement less in all versions that have it, or in
    /// one of them. What is no program any more differs in nothing and is thus rejected.
    pub(super) fn smaller(&self) -> Vec<Case> {
        let mut smaller = Vec::new();
        if self.runs.len() > 1 {
            for at in 0..self.runs.len() {
                let mut less = self.clone();
                less.runs.remove(at);
                smaller.push(less);
            }
        }
        if self.versions.len() > 1 {
            for at in 0..self.versions.len() {
                let mut less = self.clone();
                less.versions.remove(at);
                smaller.push(less);
            }
        }
        let mut pieces: Vec<String> = Vec::new();
        for version in &self.versions {
            for (piece, _) in pieces_of(version) {
                if !pieces.contains(&piece) {
                    pieces.push(piece);
                }
            }
        }
        for piece in &pieces {
            let mut everywhere = self.clone();
            for version in &mut everywhere.versions {
                without(version, piece);
            }
            smaller.push(everywhere);
        }
        for piece in &pieces {
            for at in 0..self.versions.len() {
                let mut once = self.clone();
                if let Some(version) = once.versions.get_mut(at)
                    && without(version, piece)
                    && self.versions.len() > 1
                {
                    smaller.push(once);
                }
            }
        }
        smaller
    }
}

/// Where a piece of a program is: a declaration, or something inside a procedure's declaration.
#[derive(Debug, Clone, Copy)]
enum Place {
    Declaration(usize),
    Clause(usize, usize),
    Statement(usize, usize),
}

/// The pieces of a program, each under a text that is the same in versions that share it; greatest first.
fn pieces_of(program: &Program) -> Vec<(String, Place)> {
    let mut pieces = Vec::new();
    for (at, declaration) in program.declarations.iter().enumerate() {
        let name = match declaration {
            Declaration::Procedure(procedure) => format!("procedure {}", procedure.name),
            other => format!("{other:?}"),
        };
        pieces.push((name, Place::Declaration(at)));
    }
    for (at, declaration) in program.declarations.iter().enumerate() {
        let Declaration::Procedure(procedure) = declaration else { continue };
        for (index, statement) in procedure.body.iter().flatten().enumerate() {
            pieces.push((format!("{} {statement:?}", procedure.name), Place::Statement(at, index)));
        }
        for (index, clause) in procedure.clauses.iter().enumerate() {
            pieces.push((format!("{} {clause:?}", procedure.name), Place::Clause(at, index)));
        }
    }
    pieces
}

/// Takes a piece away; whether it was there.
fn without(program: &mut Program, piece: &str) -> bool {
    let Some((_, place)) = pieces_of(program).into_iter().find(|(name, _)| name == piece) else {
        return false;
    };
    match place {
        Place::Declaration(at) => drop(program.declarations.remove(at)),
        Place::Clause(at, index) | Place::Statement(at, index) => {
            if let Some(Declaration::Procedure(procedure)) = program.declarations.get_mut(at) {
                match (place, &mut procedure.body) {
                    (Place::Statement(..), Some(body)) => drop(body.remove(index)),
                    _ => drop(procedure.clauses.remove(index)),
                }
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::replace_words;

    #[test]
    fn whole_words_are_replaced() {
        let replaced = replace_words("p1 + p10 >= p1x - p1", &[("p1", "(a - b)"), ("p10", "c")]);
        assert_eq!(replaced, "(a - b) + c >= p1x - (a - b)");
        assert_eq!(replace_words("in$p1 + p1#2 > p1", &[("p1", "q")]), "in$p1 + p1#2 > q");
    }
}
