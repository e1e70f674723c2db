//! `exec_tree.db`: the tree of states as KLEE writes it (`--write-exec-tree`), an SQLite database.
//!
//! One table, `nodes`. A state's fork makes an inner node of what was its leaf: on the left the new state, on the
//! right the old one; a choice of more sides is such forks one behind the other. Leaves say how their paths ended.
//! Numbers of kinds are KLEE's; what KLEE has no kind for has that of the errors it is told among.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, params};

use crate::exec::{Ending, ErrorKind, ForkKind, Forked};

const TABLE: &str =
    "CREATE TABLE nodes (ID INT PRIMARY KEY, stateID INT, leftID INT, rightID INT, asmLine INT, kind INT)";

/// The database while the run writes it.
pub(super) struct ExecTree {
    connection: Connection,
    /// The leaves of states, by the states' numbers.
    leaves: BTreeMap<u64, u64>,
    /// How many nodes there are.
    nodes: u64,
}

/// A node as it is written.
struct Node {
    id: u64,
    state: u64,
    children: (u64, u64),
    line: u32,
    kind: u8,
}

impl ExecTree {
    /// Makes the database, with one leaf for the first state; a file that was there must not be.
    pub(super) fn create(path: &Path) -> rusqlite::Result<Self> {
        let connection = Connection::open(path)?;
        // A run that is killed loses its tree; nothing waits for the disk.
        connection.pragma_update(None, "synchronous", "OFF")?;
        connection.execute(TABLE, ())?;
        connection.execute_batch("BEGIN")?;
        Ok(Self { connection, leaves: BTreeMap::new(), nodes: 0 })
    }

    fn leaf(&mut self) -> u64 {
        self.nodes += 1;
        self.nodes
    }

    fn write(&self, node: &Node) -> rusqlite::Result<()> {
        let Node { id, state, children: (left, right), line, kind } = *node;
        let mut insert = self.connection.prepare("INSERT INTO nodes VALUES (?, ?, ?, ?, ?, ?)")?;
        insert.execute(params![signed(id), signed(state), signed(left), signed(right), line, kind])?;
        Ok(())
    }

    /// A state has become several.
    pub(super) fn forked(&mut self, forked: &Forked<'_>) -> rusqlite::Result<()> {
        let Forked { state, others, kind, line } = *forked;
        for other in others {
            let id = self.leaves.remove(&state).unwrap_or_else(|| self.leaf());
            let children = (self.leaf(), self.leaf());
            self.leaves.insert(*other, children.0);
            self.leaves.insert(state, children.1);
            self.write(&Node { id, state, children, line, kind: number_of_fork(kind) })?;
        }
        Ok(())
    }

    /// A path has ended.
    pub(super) fn ended(&mut self, state: u64, line: u32, ending: &Ending) -> rusqlite::Result<()> {
        let id = self.leaves.remove(&state).unwrap_or_else(|| self.leaf());
        self.write(&Node { id, state, children: (0, 0), line, kind: number_of_ending(ending) })
    }

    /// Writes what is left: states that nobody followed to an end.
    pub(super) fn finish(mut self) -> rusqlite::Result<()> {
        for (state, id) in std::mem::take(&mut self.leaves) {
            self.write(&Node { id, state, children: (0, 0), line: 0, kind: 0 })?;
        }
        self.connection.execute_batch("COMMIT")
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn number_of_fork(kind: ForkKind) -> u8 {
    let place = ForkKind::ALL.iter().position(|known| *known == kind);
    place.map_or(0, |place| u8::try_from(place + 1).unwrap_or(0))
}

fn number_of_ending(ending: &Ending) -> u8 {
    match ending {
        Ending::Exit => 1,
        Ending::Early(reason) if reason.starts_with("max-depth") => 3,
        Ending::Early(reason) if reason.contains("memory") => 4,
        Ending::Early(_) => 2,
        Ending::Silent => 39,
        Ending::Error(error) => match error.kind {
            ErrorKind::Solver => 8,
            ErrorKind::Abort | ErrorKind::Panic => 10,
            ErrorKind::Assert => 11,
            ErrorKind::Free => 13,
            ErrorKind::Model => 14,
            ErrorKind::Ptr => 16,
            ErrorKind::ReadOnly => 17,
            ErrorKind::Div | ErrorKind::Overshift | ErrorKind::Report => 18,
            ErrorKind::User => 33,
            ErrorKind::Exec | ErrorKind::UncaughtException | ErrorKind::UnexpectedException => 35,
            ErrorKind::External => 36,
        },
    }
}
