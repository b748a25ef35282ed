// SPDX-License-Identifier: GPL-3.0-or-later
//! Networks in memory, each of them once.
//!
//! A network is read and checked when the first engine asks for it. All engines of the process share
//! it, and it is dropped with the last of them. This is the only state that is shared by the whole
//! process: a cache of values that never change.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};
use std::time::SystemTime;

use net::policy::Policy;
use net::{Net, NetFileError};

/// What a network is known by.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    /// A network in the binary.
    Embedded(&'static str),
    /// A file as it was at some time; one that has changed since is another network.
    File(PathBuf, u64, Option<SystemTime>),
}

impl Key {
    fn of_file(path: &Path) -> Self {
        let data = fs::metadata(path).ok();
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let len = data.as_ref().map_or(0, fs::Metadata::len);
        Self::File(path, len, data.and_then(|data| data.modified().ok()))
    }

    /// The size of the file.
    fn len(&self) -> usize {
        match self {
            Self::Embedded(_) => 0,
            Self::File(_, len, _) => *len as usize,
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Embedded(name) => (*name).to_owned(),
            Self::File(path, ..) => path.display().to_string(),
        }
    }
}

/// Values of one type that are in use somewhere, by what they are known by, with the size of each.
struct Cache<T>(Mutex<Values<T>>);

type Values<T> = HashMap<Key, (Weak<T>, usize)>;

impl<T> Cache<T> {
    fn new() -> Self {
        Self(Mutex::default())
    }

    /// The value, which is made if nobody has it. Who asks meanwhile waits.
    fn get<E>(
        &self,
        key: Key,
        bytes: usize,
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let mut values = self.values();
        if let Some(value) = values.get(&key).and_then(|(value, _)| value.upgrade()) {
            return Ok(value);
        }
        let value = Arc::new(make()?);
        values.retain(|_, (value, _)| value.strong_count() > 0);
        values.insert(key, (Arc::downgrade(&value), bytes));
        Ok(value)
    }

    fn values(&self) -> MutexGuard<'_, Values<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn in_use(&self) -> Vec<Resource> {
        let values = self.values();
        let all = values.iter().map(|(key, (value, bytes))| {
            let (name, users) = (key.name(), value.strong_count());
            Resource { name, bytes: *bytes, users }
        });
        all.filter(|resource| resource.users > 0).collect()
    }
}

static NETWORKS: LazyLock<Cache<Net>> = LazyLock::new(Cache::new);
static POLICIES: LazyLock<Cache<Policy>> = LazyLock::new(Cache::new);

/// A network that is in memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resource {
    /// Its name in the binary, or its file.
    pub name: String,
    /// The size of its file.
    pub bytes: usize,
    /// How many hold it: an engine, its searcher and each of its threads.
    pub users: usize,
}

/// The networks and policies that are in memory, by name.
pub fn resources() -> Vec<Resource> {
    let mut all = NETWORKS.in_use();
    all.extend(POLICIES.in_use());
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

/// A network in the binary.
pub(crate) fn embedded_net(name: &'static str, bytes: &[u8]) -> Result<Arc<Net>, NetFileError> {
    NETWORKS.get(Key::Embedded(name), bytes.len(), || Net::from_bytes(bytes))
}

/// A network in a file.
pub(crate) fn net_in_file(path: &Path) -> Result<Arc<Net>, NetFileError> {
    let key = Key::of_file(path);
    NETWORKS.get(key.clone(), key.len(), || Net::read(path))
}

/// A policy in the binary.
pub(crate) fn embedded_policy(
    name: &'static str,
    bytes: &[u8],
) -> Result<Arc<Policy>, NetFileError> {
    POLICIES.get(Key::Embedded(name), bytes.len(), || Policy::from_bytes(bytes))
}

/// A policy in a file.
pub(crate) fn policy_in_file(path: &Path) -> Result<Arc<Policy>, NetFileError> {
    let key = Key::of_file(path);
    POLICIES.get(key.clone(), key.len(), || Policy::read(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once_and_dropped_when_nobody_has_it() {
        let cache = Cache::new();
        let mut made = 0;
        let mut get = |cache: &Cache<u32>| {
            let make = || {
                made += 1;
                Ok::<_, ()>(7)
            };
            cache.get(Key::Embedded("seven"), 4, make).unwrap()
        };
        let (first, second) = (get(&cache), get(&cache));
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!(cache.in_use()[0].users, 2);
        drop((first, second));
        assert_eq!(cache.in_use(), []);
        drop(get(&cache));
        assert_eq!(made, 2);
    }

    #[test]
    fn a_file_that_has_changed_is_another() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let before = Key::of_file(file.path());
        assert_eq!(before, Key::of_file(file.path()));
        fs::write(file.path(), "more").unwrap();
        assert_ne!(before, Key::of_file(file.path()));
    }
}
