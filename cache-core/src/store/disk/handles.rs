//! The files of packs and indexes, opened when they are read and closed when many others are.
//!
//! How many packs a folder holds is up to those who write there, and a process may open only so many files; so a
//! store keeps the ones that it read last. A file that is gone when it is to be opened was merged or removed by
//! another process: whoever meets that lists the folder again.

use std::cell::RefCell;
use std::sync::Arc;

use super::folder::Folder;
use crate::store::StoreError;
use crate::store::storage::StoredFile;

/// How many files are kept open.
const MOST: usize = 128;

/// Which of the two files of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Pack,
    Index,
}

/// Open files, the one that was read last at the end.
#[derive(Default)]
pub(crate) struct Handles {
    open: RefCell<Vec<Open>>,
}

struct Open {
    token: u64,
    part: Part,
    file: Arc<dyn StoredFile>,
}

impl Handles {
    /// The file, or nothing where it is gone.
    pub(crate) fn get(
        &self,
        folder: &Folder,
        token: u64,
        part: Part,
    ) -> Result<Option<Arc<dyn StoredFile>>, StoreError> {
        let mut open = self.open.borrow_mut();
        let known = open.iter().rposition(|open| (open.token, open.part) == (token, part));
        if let Some(known) = known {
            let last = open.len() - 1;
            if known < last {
                open[known..].rotate_left(1);
            }
            return Ok(Some(Arc::clone(&open[last].file)));
        }
        let file = || match part {
            Part::Pack => folder.open_to_strike(&folder.pack(token)),
            Part::Index => folder.open(&folder.index(token)),
        };
        let file = match file() {
            // The whole process may have run out of them, not this store alone.
            Err(StoreError::TooManyFiles { .. }) if !open.is_empty() => {
                open.clear();
                file()
            }
            file => file,
        };
        let Some(file) = file?.map(Arc::from) else { return Ok(None) };
        if open.len() >= MOST {
            open.remove(0);
        }
        open.push(Open { token, part, file: Arc::clone(&file) });
        Ok(Some(file))
    }

    /// Closes the files of a pack.
    pub(crate) fn close(&self, token: u64) {
        self.open.borrow_mut().retain(|open| open.token != token);
    }

    /// Closes all files.
    pub(crate) fn close_all(&self) {
        self.open.borrow_mut().clear();
    }
}
