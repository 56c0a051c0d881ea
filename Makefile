# The commands of everyday work. `make help` lists them.
JOBS ?= $(shell nproc)
PRESET ?= release
PREFIX ?= /usr/local
CONVOY = build/release/convoy
INSTALLED = convoy convoy_library convoy_described

# Builds the targets $(1) of the release preset. A new build folder is configured without the tests, which would require
# GoogleTest, and without the package for Python. A folder that already has them keeps them; `make build` turns them on.
build-only = test -e build/release/build.ninja || cmake --preset release --log-level=WARNING -DCONVOY_TESTS=OFF -DCONVOY_PYTHON=OFF && \
	cmake --build build/release --parallel $(JOBS) --target $(1)

.PHONY: help run test build install deb setup check asan tsan fuzz cluster-test format clean

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 21

run: ## set up, build the program, and show it at work: two workers train, then a study of how that scales
	scripts/setup run
	$(call build-only,convoy)
	$(CONVOY) train --data fashion-mnist --model resnet20 --workers 2 --epochs 1 --schedule one-cycle --max-time 2m
	$(CONVOY) study scale --repeats 2

test: build ## set up, build, run all tests and checks
	ctest --preset release --parallel $(JOBS)
	$(MAKE) check

build: setup ## set up and build the release preset (PRESET=debug for another)
	cmake --preset $(PRESET) --log-level=WARNING
	cmake --build --preset $(PRESET) --parallel $(JOBS)

install: ## build and install program, library, manual pages and examples (PREFIX=/usr/local)
	scripts/setup run
	$(call build-only,$(INSTALLED))
	cmake --install build/release --prefix $(PREFIX)

deb: ## make Debian packages of the program, the library and the package for Python, in build/deb
	scripts/setup deb
	$(call build-only,$(INSTALLED))
	cmake -DCONVOY_PYTHON=ON --log-level=WARNING build/release
	cmake --build build/release --parallel $(JOBS) --target _convoy
	cpack --config build/release/CPackConfig.cmake -B build/deb

setup: ## install the Debian packages that are missing, those of tests and checks too
	scripts/setup

check: setup ## formatting, clang-tidy, locking, includes against the folder table
	cmake --preset release --log-level=WARNING
	JOBS=$(JOBS) scripts/check

asan: ## all tests under the address and undefined-behaviour sanitizers
	$(MAKE) build PRESET=asan
	ctest --preset asan --parallel $(JOBS)

tsan: ## all tests under the thread sanitizer
	$(MAKE) build PRESET=tsan
	ctest --preset tsan --parallel $(JOBS)

fuzz: setup ## feed damaged files to the data readers for a minute each
	JOBS=$(JOBS) scripts/fuzz

cluster-test: build ## run across several hosts, made of network namespaces; needs root
	tests/cluster/cluster_test build/$(PRESET)

format: setup ## rewrite all sources the way clang-format wants them
	git ls-files --cached --others --exclude-standard -- '*.h' '*.cc' | xargs clang-format -i

clean: ## remove what was built
	rm -rf build
