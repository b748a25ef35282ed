# SPDX-License-Identifier: GPL-3.0-or-later
# `make` builds ./quincunx, `make help` lists everything else.

EXE ?= quincunx
CARGO ?= cargo
FUZZ_SECONDS ?= 60
# EVALFILE=path embeds a network, which is then the default. Make hands what was set on its command line
# on to cargo by itself; to export it here would set it to nothing for everybody else.
# Baseline x86-64 unless this machine has AVX2 and BMI2. `native` is fine too, but valgrind may not
# know its instructions.
TARGET_CPU ?= $(shell test "$$(grep -m1 ^flags /proc/cpuinfo 2>/dev/null | \
	grep -owE 'avx2|bmi2|fma' | sort -u | wc -l)" = 3 && echo x86-64-v3)
RELEASE_FLAGS = $(strip $(RUSTFLAGS) $(if $(TARGET_CPU),-C target-cpu=$(TARGET_CPU)))
TARGET_DIR = $(or $(CARGO_TARGET_DIR),target)
# The program has another name on Windows.
SUFFIX = $(if $(filter Windows_NT,$(OS)),.exe)
BUILT = $(TARGET_DIR)/release/quincunx$(SUFFIX)
DATA = ../shared/data
PYTHON_TESTS = $(wildcard tests/python/test_*.py)
APT_INSTALL = DEBIAN_FRONTEND=noninteractive apt-get install -qq -y
WEB = crates/board/web
NPM = npm --silent
# Looked up when it is used, because `tools` may install it.
HAS_NPM = $(shell command -v npm)

.DEFAULT_GOAL := build
.PHONY: build play board board-page board-check board-test test lint perft perft-compare bench bench-count pgo tune dist soak lichess-soak faults fuzz check-targets tools python-test reference guides book help

build: ## the release binary at ./quincunx, or at EXE=; EVALFILE= embeds a network
	RUSTFLAGS="$(RELEASE_FLAGS)" $(CARGO) build --release -p quincunx
	@test "$(BUILT)" -ef "$(EXE)" || cp -f "$(BUILT)" "$(EXE)"

board: board-page ## the binary with the page of `quincunx board` in it; needs Node.js 20 and npm
	$(MAKE) build

board-page: $(WEB)/node_modules/.ready # what crates/board/build.rs embeds
	cd $(WEB) && $(NPM) run build >/dev/null

board-check: $(WEB)/node_modules/.ready # the page's types
	cd $(WEB) && $(NPM) run check

# In a browser without a screen.
board-test: $(WEB)/node_modules/.ready
	@command -v chromium >/dev/null || { echo "skipped: the board's tests need chromium"; exit 0; }; \
		cd $(WEB) && QUINCUNX="$(abspath $(EXE))" CHROMIUM="$$(command -v chromium)" $(NPM) test

# The lock file names the packages of every system: package.json holds rollup at a version that has them all.
$(WEB)/node_modules/.ready: $(WEB)/package-lock.json
	cd $(WEB) && $(NPM) ci
	touch $@

play: build ## a game in the terminal
	"$(abspath $(EXE))" play

test: tools lint ## all tests, after installing what they need
	$(if $(HAS_NPM),$(MAKE) board-page)
	$(CARGO) test --workspace --quiet
	$(MAKE) build
	$(MAKE) bench-count
	scripts/faults.py --binary "$(abspath $(EXE))" --short
	$(if $(HAS_NPM),$(MAKE) board-test,@echo "skipped: the board's page needs npm")
	$(if $(PYTHON_TESTS),$(MAKE) python-test)
	$(MAKE) guides GUIDES=--no-builds

lint: ## formatting, clippy and rustdoc without a warning, no cycles between modules, sound dependencies, the docs
	$(CARGO) fmt --all --check
	$(CARGO) fmt --check --manifest-path fuzz/Cargo.toml
	$(CARGO) fmt --check --manifest-path scripts/perft-rivals/Cargo.toml
	$(CARGO) fmt --check --manifest-path scripts/tablebase-rivals/Cargo.toml
	$(CARGO) clippy --workspace --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --quiet
	$(if $(HAS_NPM),$(MAKE) board-check)
	scripts/module_graph.py
	scripts/lint_uci_text.py
	scripts/touch_table.py
	scripts/check_dependencies.py
	scripts/lint_panics.py
	scripts/docs/check.py

# Pages that follow from the declarations. The tests that write them are also those that compare them.
reference: build ## writes the generated pages of docs/reference again
	WRITE_DOCS=1 $(CARGO) test --quiet -p search -p engine --test all reference
	WRITE_DOCS=1 $(CARGO) test --quiet -p net --test all page
	scripts/docs/reference.py
	scripts/docs/commands_reference.py --binary "$(abspath $(EXE))"
	scripts/docs/json_reference.py --binary "$(abspath $(EXE))"

guides: ## follows the guides word for word, and compares the reference of commands and JSON with the binary
	scripts/docs/commands_reference.py --binary "$(abspath $(EXE))" --check
	scripts/docs/json_reference.py --binary "$(abspath $(EXE))" --check
	scripts/docs/run.py --binary "$(abspath $(EXE))" $(GUIDES)

# mdBook is built once, fast rather than well, and without its server. Its version is fixed, so that pages look alike.
BOOK = $(TARGET_DIR)/book
MDBOOK = $(BOOK)/tools/bin/mdbook
book: $(MDBOOK) ## the book in target/book/html, and as target/book/quincunx.pdf where Chromium is installed
	$(MDBOOK) build --dest-dir "$(abspath $(BOOK))/html"
	scripts/docs/finish_book.py "$(BOOK)"

$(MDBOOK):
	CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_TARGET_DIR="$(abspath $(BOOK))/tools/build" $(CARGO) install mdbook --version 0.5.4 \
		--locked --quiet --no-default-features --features search --root "$(BOOK)/tools"
	rm -rf "$(BOOK)/tools/build"

# The suites that the tests carry, and those of ../shared if they are there.
PERFT_SUITES = $(wildcard crates/chess/tests/data/perft/*.epd $(DATA)/perft/*.epd)
perft: build ## every perft suite here and in ../shared/data/perft, up to 30 million nodes each
	"$(abspath $(EXE))" perft --suite $(PERFT_SUITES) --max-nodes 30000000

perft-compare: build ## perft against Stockfish, cozy-chess and shakmaty
	RUSTFLAGS="$(RELEASE_FLAGS)" $(CARGO) build --release --target-dir $(TARGET_DIR)/rivals \
		--manifest-path scripts/perft-rivals/Cargo.toml
	scripts/compare_perft.py "$(abspath $(EXE))" $(TARGET_DIR)/rivals/release/perft-rivals

bench: build ## the search's fingerprint and speed
	"$(abspath $(EXE))" bench

# The search's fingerprint: whoever changes what is searched changes the file too, and says why.
bench-count:
	@count=$$("$(abspath $(EXE))" bench | tail -n 1 | cut -d ' ' -f 1); \
	expected=$$(cat crates/engine/data/bench.count); \
	test "$$count" = "$$expected" || \
		{ echo "bench is $$count, crates/engine/data/bench.count says $$expected"; exit 1; }

# Profiles are read by the tools of the compiler's own LLVM: rustup's, or Debian's of the same version.
PROFILE = $(abspath $(TARGET_DIR))/pgo
LLVM = $(shell rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
PROFDATA = $(firstword $(wildcard $(shell rustc --print sysroot)/lib/rustlib/*/bin/llvm-profdata) \
	llvm-profdata-$(LLVM))

pgo: ## the release binary, optimised for what `bench` does most
	rustup component add llvm-tools >/dev/null 2>&1 || command -v llvm-profdata-$(LLVM) || \
		$(APT_INSTALL) llvm-$(LLVM)
	rm -rf "$(PROFILE)/raw"
	RUSTFLAGS="$(RELEASE_FLAGS) -C profile-generate=$(PROFILE)/raw" $(CARGO) build --release \
		-p quincunx --target-dir "$(PROFILE)"
	"$(PROFILE)/release/quincunx" bench 14 >/dev/null
	$(PROFDATA) merge -o "$(PROFILE)/merged.profdata" "$(PROFILE)/raw"
	RUSTFLAGS="$(RELEASE_FLAGS) -C profile-use=$(PROFILE)/merged.profdata" $(CARGO) build --release \
		-p quincunx --target-dir "$(PROFILE)"
	cp -f "$(PROFILE)/release/quincunx" "$(EXE)"

TUNE_EXE ?= quincunx-tune
tune: ## ./quincunx-tune, whose search has every number as a UCI option, for `quincunx tune`
	RUSTFLAGS="$(RELEASE_FLAGS)" $(CARGO) build --release -p quincunx --features tune \
		--target-dir "$(TARGET_DIR)/tune"
	cp -f "$(TARGET_DIR)/tune/release/quincunx" "$(TUNE_EXE)"

# DIST="--levels x86-64-v3" builds for one kind of processor only.
dist: $(if $(HAS_NPM),board-page) ## what a release page holds, in dist/: static binaries, Debian package, SBOM, checksums
	@command -v musl-gcc >/dev/null || $(APT_INSTALL) musl-tools
	rustup target add x86_64-unknown-linux-musl
	scripts/dist.py $(DIST)

SOAK_GAMES = 2000
SOAK_BOOK = ../shared/data/books/UHO_4060_v4_sample.epd.zst
soak: build ## games at 1+0.01 of a build that checks itself (SOAK_GAMES=2000); fails at the first kind of fault
	@test -f "$(SOAK_BOOK)" || { echo "soak needs a file of openings, EPD or PGN: make soak SOAK_BOOK=FILE"; exit 1; }
	RUSTFLAGS="$(RELEASE_FLAGS)" $(CARGO) build --profile checked -p quincunx --target-dir "$(TARGET_DIR)"
	mkdir -p runs
	"$(abspath $(EXE))" match --engine cmd="$(TARGET_DIR)/checked/quincunx" name=one opt.Hash=16 \
		--engine cmd="$(TARGET_DIR)/checked/quincunx" name=other opt.Hash=8 \
		--tc 1+0.01 --games $(SOAK_GAMES) --openings $(SOAK_BOOK) --order random --concurrency 2 \
		--resign movecount=4 score=1500 --draw movenumber=60 movecount=10 score=5 \
		--out runs/soak --json | tee runs/soak.json | tail -1
	grep -q '"faults": *\[\]' runs/soak.json

lichess-soak: ## a hundred games of the bot against the fake Lichess, with faults; prints what was seen
	$(CARGO) test -p lichess --test all soak -- --nocapture
	QUINCUNX_SOAK_GAMES=300 $(CARGO) test -p quincunx --test all hostile_names -- --nocapture

faults: build ## kills, full disks and other faults in every long job; prints what was lost (FAULTS="--repeat 100")
	scripts/faults.py --binary "$(abspath $(EXE))" $(FAULTS)

fuzz: ## every reader for FUZZ_SECONDS=60; fuzz/README.md tells of the deeper way
	$(CARGO) run --quiet -p chess --example fuzz -- all $(FUZZ_SECONDS)
	$(CARGO) run --quiet -p net --example fuzz -- $(FUZZ_SECONDS)

# Nothing is linked, so that the C code of dependencies need not be compiled for the target. The TLS of
# the bot has assembly, which must be: it is left out.
WITHOUT_TLS = --workspace --exclude lichess --exclude fake-lichess --exclude quincunx
check-targets: ## that the code compiles for other systems
	@export TARGET_CC=cc TARGET_AR=ar; \
	check() { \
		target=$$1; shift; \
		if rustup target add $$target; then $(CARGO) check --target $$target "$$@"; \
		else echo "skipped: target $$target cannot be installed"; fi; \
	}; \
	for target in aarch64-unknown-linux-gnu x86_64-pc-windows-gnu; do \
		check $$target $(WITHOUT_TLS) && check $$target -p quincunx --no-default-features || exit 1; \
	done; \
	check wasm32-unknown-unknown -p chess -p uci

tools: # what the tests need besides Cargo
	@$(CARGO) fmt --version >/dev/null && $(CARGO) clippy --version >/dev/null || \
		rustup component add rustfmt clippy
	@test -n "$$(PATH=$$PATH:/usr/games command -v stockfish)" || $(APT_INSTALL) stockfish || \
		echo "note: Stockfish is not installed; what needs it is skipped"
	@command -v npm >/dev/null || $(APT_INSTALL) nodejs npm || \
		echo "note: npm is not installed; the page of the board is not built"
	@command -v chromium >/dev/null || $(APT_INSTALL) chromium || \
		echo "note: Chromium is not installed; the board's tests are skipped"

python-test: .venv/ready
	$(CARGO) build --quiet -p fake-lichess
	QUINCUNX="$(abspath $(EXE))" FAKE_LICHESS="$(abspath $(TARGET_DIR))/debug/fake-lichess" \
		.venv/bin/python -m pytest --quiet tests/python

# Depends on this file: another package in the list is another environment.
.venv/ready: Makefile
	python3 -c 'import ensurepip' || $(APT_INSTALL) python3-venv
	python3 -m venv .venv
	.venv/bin/pip install --quiet berserk chess numpy pytest
	touch $@

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 22
