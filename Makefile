build:
	cargo build --release
