# Short names for what the scripts do.  Everything that is missing is installed first (Debian; see tools/packages).
.PHONY: all test bench format lint clean
.SILENT:

all:
	tools/build

test:
	tools/packages test
	tools/build
	tools/test

bench:
	tools/packages test
	tools/build
	ninja -C build --quiet bench/expr_nodes
	build/bench/expr_nodes
	bench/speed
	bench/tainted
	bench/memory
	ninja -C build --quiet bench/queries
	bench/queries
	bench/exhaust
	bench/torture

format:
	tools/packages lint
	tools/lint --fix

lint:
	tools/packages lint
	tools/lint

clean:
	rm -rf build build-asan
