#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes what a release page holds: `make dist` runs it.

Usage: scripts/dist.py [--out dist] [--levels x86-64,x86-64-v3,x86-64-v4] [--changed]

In the folder afterwards:
- quincunx-VERSION-x86_64-linux.tar.xz: static builds for three kinds of processor, of which `quincunx` starts
  the fastest that runs; manual pages, completions, licences, the list of all parts (SBOM);
- quincunx_VERSION_amd64.deb: the same as a Debian package;
- quincunx-VERSION.cdx.json, THIRD-PARTY-LICENSES.txt: as in the archive;
- SHA256SUMS.

The same commit gives the same bytes: times are those of the commit, names of folders do not get into the
binaries, entries are sorted. Needs musl-gcc (Debian: musl-tools), the Rust target x86_64-unknown-linux-musl
and, for the package, dpkg-deb. A tree with changes is refused unless --changed says so.
"""

import argparse
import gzip
import hashlib
import io
import json
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = "x86_64-unknown-linux-musl"
LEVELS = ["x86-64", "x86-64-v3", "x86-64-v4"]
SHELLS = {
    "bash": "share/bash-completion/completions/quincunx",
    "fish": "share/fish/vendor_completions.d/quincunx.fish",
    "zsh": "share/zsh/vendor-completions/_quincunx",
}
LICENCE_FILES = ("LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE")


def output(*command, **more):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True, **more).stdout


class Source:
    """The commit that is released."""

    def __init__(self, may_be_changed):
        self.commit = output("git", "rev-parse", "--short=10", "HEAD").strip()
        self.epoch = int(output("git", "log", "-1", "--format=%ct"))
        changes = output("git", "status", "--porcelain", "--untracked-files=no")
        if changes and not may_be_changed:
            sys.exit("dist: there are changes that are not committed; commit them, or say --changed")
        self.commit += "+" if changes else ""
        self.metadata = json.loads(
            output("cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", TARGET)
        )
        self.packages = {package["id"]: package for package in self.metadata["packages"]}
        self.version = next(p["version"] for p in self.packages.values() if p["name"] == "quincunx")

    def parts(self):
        """All packages that get into the program, sorted: not those of tests or of building."""
        nodes = {node["id"]: node for node in self.metadata["resolve"]["nodes"]}
        todo = [i for i, package in self.packages.items() if package["name"] == "quincunx"]
        seen = set(todo)
        while todo:
            for dep in nodes[todo.pop()]["deps"]:
                is_normal = any(kind["kind"] is None for kind in dep["dep_kinds"])
                if is_normal and dep["pkg"] not in seen:
                    seen.add(dep["pkg"])
                    todo.append(dep["pkg"])
        return sorted((self.packages[i] for i in seen), key=lambda p: (p["name"], p["version"]))


def build(source, level):
    """The program for a level of processors."""
    home = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    rust = output("rustc", "--print", "sysroot").strip()
    prefixes = {str(ROOT): "/quincunx", home: "/cargo", rust: "/rust"}
    flags = [f"--remap-path-prefix={path}={name}" for path, name in prefixes.items()]
    c_flags = [f"-ffile-prefix-map={path}={name}" for path, name in prefixes.items()]
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "dist" / level
    environment = os.environ | {
        "RUSTFLAGS": " ".join([*flags, f"-Ctarget-cpu={level}", "-Cstrip=symbols"]),
        "CC_x86_64_unknown_linux_musl": "musl-gcc",
        "CFLAGS_x86_64_unknown_linux_musl": " ".join(c_flags),
        "SOURCE_DATE_EPOCH": str(source.epoch),
        "QUINCUNX_COMMIT": source.commit,
    }
    command = ["cargo", "build", "--release", "--locked", "--package", "quincunx", "--target", TARGET,
               "--target-dir", str(folder)]
    print(f"dist: {level}", file=sys.stderr)
    subprocess.run(command, cwd=ROOT, check=True, env=environment)
    return folder / TARGET / "release" / "quincunx"


def component(package):
    """What CycloneDX calls a part."""
    name, version = package["name"], package["version"]
    part = {
        "type": "library",
        "bom-ref": f"pkg:cargo/{name}@{version}",
        "name": name,
        "version": version,
        "purl": f"pkg:cargo/{name}@{version}",
        "scope": "required",
    }
    if package["license"]:
        part["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if package["repository"] and package["source"]:
        part["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
    return part


def checksums():
    """The hashes of the packages as the lock file has them."""
    import tomllib

    locked = tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]
    return {(p["name"], p["version"]): p["checksum"] for p in locked if "checksum" in p}


def bill_of_materials(source):
    """The parts of the program in CycloneDX 1.5."""
    known = checksums()
    parts, main = [], None
    for package in source.parts():
        part = component(package)
        checksum = known.get((package["name"], package["version"]))
        if checksum:
            part["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        if package["name"] == "quincunx":
            main = part | {"type": "application"}
            main.pop("scope")
        else:
            parts.append(part)
    nodes = {node["id"]: node for node in source.metadata["resolve"]["nodes"]}
    refs = {p["id"]: f"pkg:cargo/{p['name']}@{p['version']}" for p in source.parts()}
    dependencies = [
        {"ref": ref, "dependsOn": sorted(refs[dep] for dep in nodes[i]["dependencies"] if dep in refs)}
        for i, ref in sorted(refs.items(), key=lambda pair: pair[1])
    ]
    name = f"{main['purl']}#{source.commit}"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}",
        "version": 1,
        "metadata": {"component": main},
        "components": parts,
        "dependencies": dependencies,
    }


def licences(source):
    """The licence texts of all foreign parts, each once, with the names of those that it holds for."""
    holders, without = {}, []
    for package in source.parts():
        if not package["source"]:
            continue
        folder = Path(package["manifest_path"]).parent
        files = sorted(p for p in folder.iterdir() if p.name.upper().startswith(LICENCE_FILES) and p.is_file())
        title = f"{package['name']} {package['version']} ({package['license']})"
        for file in files:
            text = file.read_text(errors="replace").replace("\r\n", "\n").strip()
            holders.setdefault(text, []).append(title)
        if not files:
            without.append(title)
    text = "Quincunx contains the following software of others.\n"
    if without:
        text += "\nWithout a licence text in their packages; their licences are named:\n"
        text += "".join(f"  {title}\n" for title in without)
    for body, titles in sorted(holders.items(), key=lambda pair: pair[1]):
        text += f"\n{'=' * 78}\n{''.join(f'  {title}{chr(10)}' for title in sorted(set(titles)))}\n{body}\n"
    return text


def stage(source, levels, folder):
    """The files of a release, as they lie below `/usr`, and the licences and parts beside them."""
    programs = {level: build(source, level) for level in levels}
    (folder / "bin").mkdir(parents=True)
    for level, program in programs.items():
        name = "quincunx" if level == levels[0] else f"quincunx-{level}"
        shutil.copy(program, folder / "bin" / name)
    program = folder / "bin" / "quincunx"
    environment = os.environ | {"QUINCUNX_LEVEL": "x86-64"}
    manual = folder / "share/man/man1"
    subprocess.run([program, "manual", "--out", manual], check=True, env=environment)
    for page in sorted(manual.iterdir()):
        packed = gzip.compress(page.read_bytes(), mtime=0)
        page.with_name(page.name + ".gz").write_bytes(packed)
        page.unlink()
    for shell, name in SHELLS.items():
        (folder / name).parent.mkdir(parents=True)
        script = subprocess.run([program, "completions", shell], check=True, capture_output=True, env=environment)
        (folder / name).write_bytes(script.stdout)
    documents = folder / "share/doc/quincunx"
    documents.mkdir(parents=True)
    for name in ("README.md", "CHANGELOG.md", "LICENSE"):
        shutil.copy(ROOT / name, documents / name)
    (documents / "THIRD-PARTY-LICENSES.txt").write_text(licences(source))
    bill = json.dumps(bill_of_materials(source), indent=1, sort_keys=True) + "\n"
    (documents / "quincunx.cdx.json").write_text(bill)
    (documents / "copyright").write_text(
        "Quincunx is free software: GPL-3.0-or-later, see /usr/share/common-licenses/GPL-3.\n"
        "The licences of its parts are in THIRD-PARTY-LICENSES.txt.\n"
    )


def files_below(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def mode_of(path):
    return 0o755 if path.parent.name == "bin" else 0o644


def archive(source, folder, path, top):
    """A .tar.xz whose bytes depend on the files alone."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for file in files_below(folder):
            entry = tarfile.TarInfo(f"{top}/{file.relative_to(folder)}")
            entry.size, entry.mode, entry.mtime = file.stat().st_size, mode_of(file), source.epoch
            entry.uname = entry.gname = "root"
            with file.open("rb") as data:
                tar.addfile(entry, data)
    path.write_bytes(lzma.compress(buffer.getvalue(), preset=6))


CONTROL = """\
Package: quincunx
Version: {version}
Section: games
Priority: optional
Architecture: amd64
Installed-Size: {size}
Recommends: ca-certificates
Maintainer: The Quincunx founders <quincunx@localhost>
Description: neural chess system
 A chess engine (UCI) with six kinds of neural networks, alpha-beta and tree
 search, and the tools around it: matches and their statistics, training,
 a board in the browser, a Lichess bot.
"""


def debian_package(source, folder, path):
    """The files below /usr as a package that needs no other."""
    with tempfile.TemporaryDirectory() as work:
        root = Path(work) / "root"
        shutil.copytree(folder, root / "usr")
        size = sum(file.stat().st_size for file in files_below(root)) // 1024
        sums = [f"{hashlib.md5(f.read_bytes()).hexdigest()}  {f.relative_to(root)}\n" for f in files_below(root)]
        control = root / "DEBIAN"
        control.mkdir()
        (control / "control").write_text(CONTROL.format(version=source.version, size=size))
        (control / "md5sums").write_text("".join(sums))
        for item in [root, *root.rglob("*")]:
            item.chmod(0o755 if item.is_dir() else mode_of(item))
            os.utime(item, (source.epoch, source.epoch))
        environment = os.environ | {"SOURCE_DATE_EPOCH": str(source.epoch)}
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z6", "--threads-max=1", "--build", root, path]
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder that is written anew")
    parser.add_argument("--levels", default=",".join(LEVELS), help="kinds of processors, the oldest first")
    parser.add_argument("--changed", action="store_true", help="take the tree as it is, changes and all")
    options = parser.parse_args()
    source = Source(options.changed)
    levels = options.levels.split(",")
    with tempfile.TemporaryDirectory() as work:
        folder, made = Path(work) / "usr", Path(work) / "made"
        made.mkdir()
        stage(source, levels, folder)
        top = f"quincunx-{source.version}-x86_64-linux"
        archive(source, folder, made / f"{top}.tar.xz", top)
        if shutil.which("dpkg-deb"):
            debian_package(source, folder, made / f"quincunx_{source.version}_amd64.deb")
        else:
            print("skipped: the Debian package needs dpkg-deb", file=sys.stderr)
        documents = folder / "share/doc/quincunx"
        shutil.copy(documents / "quincunx.cdx.json", made / f"quincunx-{source.version}.cdx.json")
        shutil.copy(documents / "THIRD-PARTY-LICENSES.txt", made)
        sums = [f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.name}\n" for f in files_below(made)]
        (made / "SHA256SUMS").write_text("".join(sums))
        if options.out.exists() and any(options.out.iterdir()) and not (options.out / "SHA256SUMS").exists():
            sys.exit(f"dist: `{options.out}` holds something else; name another folder with --out")
        shutil.rmtree(options.out, ignore_errors=True)
        shutil.copytree(made, options.out)
    print("".join(sums), end="")


if __name__ == "__main__":
    main()
