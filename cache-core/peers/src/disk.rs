//! Puts, gets, opening and room on disk.
//!
//! All stores are told that a crash of the machine may lose the latest entries, which is right for caches: nothing is
//! forced to the medium. Each entry is put by itself, as an engine finds it: a transaction each, where there are
//! transactions.

use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;

use cache_core::cache::{Cache, CacheConfig, Lookup};
use cache_core::key::{Checksum, Key};
use cache_core::limits::Limits;
use cache_core::store::{DiskOptions, DiskStore, Found, Store};
use redb::{Durability, ReadableDatabase, TableDefinition};
use tempfile::TempDir;

use crate::subject::{Scattered, Verdict, asked, key};
use crate::{Least, each};

const ENTRIES: u64 = 50_000;
const GETS: u64 = 50_000;

/// The bytes of a verdict alone, as the others get them.
const PAYLOAD: [u8; 56] = [7; 56];

type Outcome = Result<(), Box<dyn Error>>;

/// One system: fills a folder, and gets from it; each says how long one operation takes.
struct System {
    name: &'static str,
    put: fn(&Path, &[Key], &mut Least) -> Outcome,
    get: fn(&Path, &[Key], &mut Least) -> Outcome,
}

const SYSTEMS: [System; 4] = [
    System { name: "DiskStore", put: put_store, get: get_store },
    System { name: "Cache", put: put_cache, get: get_cache },
    System { name: "redb", put: put_redb, get: get_redb },
    System { name: "SQLite", put: put_sqlite, get: get_sqlite },
];

const PUT: &str = "put";
const GET: &str = "get";
const OPEN: &str = "open and get one";

pub(crate) fn measure(rounds: usize) -> Outcome {
    let keys: Vec<Key> = (0..ENTRIES).map(key).collect();
    let mut least = Least::default();
    for _ in 0..rounds {
        for system in &SYSTEMS {
            let folder = TempDir::new()?;
            (system.put)(folder.path(), &keys, &mut least)?;
            let bytes = size(folder.path())? as f64 / ENTRIES as f64;
            least.add("room of an entry", system.name, bytes, "bytes");
            (system.get)(folder.path(), &keys, &mut least)?;
        }
    }
    least.tell("disk")
}

fn size(folder: &Path) -> Result<u64, Box<dyn Error>> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() { size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(bytes)
}

fn id(key: &Key) -> Checksum {
    Checksum { digest: key.digest(), confirm: key.confirm() }
}

/// What a store without confirmation has as its key: the long digest.
fn long(key: &Key) -> [u8; 32] {
    key.confirm().to_bytes()
}

/// What it takes to do something once, and to let go of what it gave.
fn once<T>(act: impl FnOnce() -> Result<T, Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    each(1, || act().map(drop))
}

/// Gets entries in no order; each must be there.
fn gets(
    keys: &[Key],
    mut get: impl FnMut(&Key) -> Result<bool, Box<dyn Error>>,
) -> Result<f64, Box<dyn Error>> {
    let mut numbers = Scattered(1);
    each(GETS, || {
        for _ in 0..GETS {
            if !get(&keys[numbers.below(ENTRIES)])? {
                return Err("an entry is missing".into());
            }
        }
        Ok(())
    })
}

fn options() -> DiskOptions {
    DiskOptions::default().bound(None)
}

fn put_store(folder: &Path, keys: &[Key], least: &mut Least) -> Outcome {
    let store = DiskStore::open(folder.join("cache"), options())?;
    let ns = each(ENTRIES, || Ok(keys.iter().try_for_each(|key| store.put(&id(key), &PAYLOAD))?))?;
    least.add(PUT, "DiskStore", ns, "ns");
    Ok(store.maintain()?)
}

fn get_store(folder: &Path, keys: &[Key], least: &mut Least) -> Outcome {
    let open = || DiskStore::open(folder.join("cache"), options());
    let ns = once(|| Ok(black_box(open()?.get(&id(&keys[77]))?)))?;
    least.add(OPEN, "DiskStore", ns, "ns");
    let store = open()?;
    let ns = gets(keys, |key| Ok(matches!(black_box(store.get(&id(key))?), Found::Hit(_))))?;
    least.add(GET, "DiskStore", ns, "ns");
    Ok(())
}

/// A cache that keeps nothing in memory, so that every answer comes from the disk.
fn cache(folder: &Path) -> Result<Cache<Verdict>, Box<dyn Error>> {
    let store: Arc<dyn Store> = Arc::new(DiskStore::open(folder.join("cache"), options())?);
    Ok(Cache::new(CacheConfig::default().store(store).memory_entries(0)))
}

fn put_cache(folder: &Path, keys: &[Key], least: &mut Least) -> Outcome {
    let mut cache = cache(folder)?;
    let limits = Limits::unlimited();
    let ns = each(ENTRIES, || {
        keys.iter().zip(0..).for_each(|(key, number)| cache.fill(key, &limits, &asked(number)));
        Ok(())
    })?;
    least.add(PUT, "Cache", ns, "ns");
    cache.finish();
    Ok(())
}

fn get_cache(folder: &Path, keys: &[Key], least: &mut Least) -> Outcome {
    let limits = Limits::unlimited();
    let ns = once(|| Ok(black_box(cache(folder)?.lookup(&keys[77], &limits))))?;
    least.add(OPEN, "Cache", ns, "ns");
    let mut cache = cache(folder)?;
    let ns = gets(keys, |key| Ok(matches!(black_box(cache.lookup(key, &limits)), Lookup::Hit { .. })))?;
    least.add(GET, "Cache", ns, "ns");
    Ok(())
}

const TABLE: TableDefinition<'_, [u8; 32], &[u8]> = TableDefinition::new("entries");

fn put_redb(folder: &Path, keys: &[Key], least: &mut Least) -> Outcome {
    let database = redb::Database::create(folder.join("redb"))?;
    let ns = each(ENTRIES, || {
        for key in keys {
            let mut put = database.begin_write()?;
            put.set_durability(Durability::None)?;
            put.open_table(TABLE)?.insert(long(key), PAYLOAD.as_slice())?;
            put.commit()?;
        }
        // What is not durable is kept in memory until then.
        Ok(database.begin_write()?.commit()?)
    })?;
    least.add(PUT, "redb", ns, "ns");
    Ok(())
}

fn get_redb(folder: &Path, keys: &[Key], least: &mut Least) -> Outcome {
    let open = || redb::Database::open(folder.join("redb"));
    let ns = once(|| {
        let database = open()?;
        let table = database.begin_read()?.open_table(TABLE)?;
        Ok(black_box(table.get(long(&keys[77]))?.map(|found| found.value().to_vec())))
    })?;
    least.add(OPEN, "redb", ns, "ns");
    let database = open()?;
    let table = database.begin_read()?.open_table(TABLE)?;
    let ns =
        gets(keys, |key| Ok(black_box(table.get(long(key))?.map(|found| found.value().to_vec())).is_some()))?;
    least.add(GET, "redb", ns, "ns");
    Ok(())
}

fn sqlite(folder: &Path) -> Result<rusqlite::Connection, Box<dyn Error>> {
    let connection = rusqlite::Connection::open(folder.join("sqlite"))?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
         CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID;",
    )?;
    Ok(connection)
}

fn put_sqlite(folder: &Path, keys: &[Key], least: &mut Least) -> Outcome {
    let connection = sqlite(folder)?;
    let mut insert = connection.prepare("INSERT OR REPLACE INTO entries VALUES (?1, ?2)")?;
    let ns = each(ENTRIES, || {
        for key in keys {
            insert.execute(rusqlite::params![long(key), PAYLOAD.as_slice()])?;
        }
        Ok(())
    })?;
    least.add(PUT, "SQLite", ns, "ns");
    Ok(())
}

fn get_sqlite(folder: &Path, keys: &[Key], least: &mut Least) -> Outcome {
    const SELECT: &str = "SELECT value FROM entries WHERE key = ?1";
    let value = |select: &mut rusqlite::Statement<'_>, key: &Key| -> rusqlite::Result<Vec<u8>> {
        select.query_row([long(key)], |row| row.get(0))
    };
    let ns = once(|| {
        let connection = sqlite(folder)?;
        let mut select = connection.prepare(SELECT)?;
        Ok(black_box(value(&mut select, &keys[77])?))
    })?;
    least.add(OPEN, "SQLite", ns, "ns");
    let connection = sqlite(folder)?;
    let mut select = connection.prepare(SELECT)?;
    let ns = gets(keys, |key| Ok(!black_box(value(&mut select, key)?).is_empty()))?;
    least.add(GET, "SQLite", ns, "ns");
    Ok(())
}
