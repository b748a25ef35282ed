// SPDX-License-Identifier: GPL-3.0-or-later
//! The files of the page, as `make board` has built them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;
use std::{fs, io};

use axum::body::Bytes;

/// Every file by its path; empty in a build without the page. See `build.rs`.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Whether this binary holds the page.
pub fn is_built() -> bool {
    FILES.iter().any(|(name, _)| *name == INDEX)
}

/// The file that is shown first.
const INDEX: &str = "index.html";

/// The files of the page by their paths.
#[derive(Debug)]
pub(crate) struct Page(HashMap<String, Cow<'static, [u8]>>);

impl Page {
    /// The page in the binary.
    pub(crate) fn embedded() -> Self {
        let entry =
            |(name, bytes): &(&str, &'static [u8])| ((*name).to_owned(), Cow::Borrowed(*bytes));
        Self(FILES.iter().map(entry).collect())
    }

    /// The page in a folder, as it is now.
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        let mut files = HashMap::new();
        collect(folder, "", &mut files)?;
        if files.contains_key(INDEX) {
            return Ok(Self(files));
        }
        let message = format!("`{}` holds no {INDEX}", folder.display());
        Err(io::Error::new(io::ErrorKind::NotFound, message))
    }

    /// A file by the path of a request.
    pub(crate) fn file(&self, path: &str) -> Option<(&str, Bytes)> {
        let path = match path.trim_start_matches('/') {
            "" => INDEX,
            path => path,
        };
        let (name, bytes) = self.0.get_key_value(path)?;
        let bytes = match bytes {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::copy_from_slice(bytes),
        };
        Some((name, bytes))
    }
}

fn collect(
    folder: &Path,
    prefix: &str,
    files: &mut HashMap<String, Cow<'static, [u8]>>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files)?;
        } else {
            files.insert(name, Cow::Owned(fs::read(&path)?));
        }
    }
    Ok(())
}

/// The media type that belongs to a file's name.
pub(crate) fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
