# The task list. It needs Node 20 or newer, npm, make and git; everything else is installed here.
# Node 26 is one of the packages: scripts run on it because its folder comes first in PATH.
node := PATH="$(CURDIR)/node_modules/.bin:$$PATH"
installed := node_modules/.installed

PREFIX ?= /usr/local

.DEFAULT_GOAL := help
.PHONY: help run build install uninstall check format test test-unit test-tool test-check test-build test-programs test-packages test-long bench fuzz cost chaos tool docs kubernetes-types spdx-identifiers pictures pictures-compared outputs image sbom clean clean-machine

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build the executable and start it: prints its address and a curl line that works
	@exec dist/penknife serve

build: $(installed) ## build dist/penknife (TARGET=linux-arm64 for another platform: dist/penknife-linux-arm64)
	@$(node) node config/build/build.ts
	@$(node) node config/build/share.ts

# Built as the user, installed as root: `make build && sudo make install`.
install: $(if $(wildcard dist/share),,build) ## install executable, manual and completion (PREFIX=/usr/local, DESTDIR= for packages)
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" config/install.sh

uninstall: ## remove what make install wrote (the same PREFIX and DESTDIR)
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" config/install.sh --uninstall

# Four checkers, the default, do a third more work: each reads the types that the files share.
check: $(installed) ## formatting, lint, types, and the documents of the pages
	@$(node) oxfmt --config config/oxfmt.json --check src test config
	@$(node) oxlint --config config/oxlint.json
	@$(node) node config/page-types.ts --check
	@$(node) tsc --checkers 2
	@$(node) tsc --project src/surfaces/web/page

format: $(installed) ## format every file
	@$(node) oxfmt --config config/oxfmt.json src test config

test: ## all checks and all tests, including the executable and its image
	@$(MAKE) --no-print-directory --jobs=4 test-check test-build
	@$(node) TEST_EXECUTABLE="$(CURDIR)/dist/penknife" node test/run/run.ts --config config/vitest.ts --outputFile.json=dist/test-results.json

test-unit: $(installed) ## the tests that start no program (test/unit), on the sources
	@$(node) vitest run --config config/vitest.ts --project unit

test-tool: $(installed) ## the tests of one tool and its examples over every surface, on the sources (SLUG=json-formatter)
	@$(node) node test/run/tool.ts '$(SLUG)'

bench: build ## measure, with peers in the same run, everything or some parts (PARTS="jq http")
	@$(node) node test/bench/run.ts $(PARTS)

test-programs:
	@config/debian-packages.sh

# The types of a package that is only half installed would be errors.
test-check: $(installed) test-packages
	@$(MAKE) --no-print-directory check

# The build calls one of the programs.
test-build: $(installed) test-programs
	@$(MAKE) --no-print-directory build

# With a lower priority than the installation of penknife's own packages, for which the build waits.
test-packages:
	@nice test/support/install-packages.sh || true

test-long: build ## the tests that take minutes or gigabytes (test/long), or one slice of them (SLICE=3/12)
	@$(node) TEST_EXECUTABLE="$(CURDIR)/dist/penknife" TEST_SLICE="$(SLICE)" node test/run/run.ts --config config/vitest-long.ts --outputFile.json=dist/test-long-results.json
	@$(if $(SLICE),,$(node) node test/run/slices.ts dist/test-long-results.json)

fuzz: build ## send random input to every tool over every surface, with attacks beside it, until Ctrl-C (SECONDS=3600, SEED=7)
	@$(node) node test/fuzz/run.ts "$(SECONDS)" $(SEED)

cost: $(installed) ## search for the input that costs each tool the most on the event loop (SECONDS=600, SEED=7)
	@$(node) node test/cost/run.ts --seconds $(or $(SECONDS),600) --seed $(or $(SEED),1) --record

chaos: build ## kill and freeze four servers and their Redis under load for five minutes (SECONDS=60, SEED=7)
	@$(node) node test/chaos/run.ts $(or $(SECONDS),300) $(SEED)

tool: $(installed) ## create a new tool, its test and its line in the list (SLUG=json/json-foo)
	@$(node) node config/scaffold.ts '$(SLUG)'

docs: $(installed) ## write the files that are derived from the source: docs/tools.md, docs/tools/, docs/administration.md, docs/schema.graphql, recorded outputs, ...
	@$(node) node config/docs.ts

pictures: build ## write the pictures of the documents, docs/pictures/*.svg, with Chromium
	@test/support/install-packages.sh test/system/e2e/browser
	@$(node) node test/pictures/write.ts

pictures-compared: build ## draw the pages of this tree and of an earlier commit, and show where they differ: dist/pictures.html (BASE=HEAD^)
	@test/support/install-packages.sh test/system/e2e/browser
	@$(node) node test/pictures/compare.ts "$(BASE)"

kubernetes-types: $(installed) ## derive the types of the Kubernetes API from the client that npm has (src/lib/kubernetes/data)
	@$(node) node config/kubernetes-types.ts

spdx-identifiers: $(installed) ## write the identifiers of the SPDX licence list anew (src/lib/spdx/identifiers.ts)
	@$(node) node config/spdx-identifiers.ts

outputs: $(installed) ## record the outputs of the tools again after an intended change (part of make docs)
	@$(node) node test/unit/catalog/outputs.ts

image: ## build the container image with docker, podman or buildah
	@config/build-image.sh

sbom: build ## write dist/penknife.cdx.json: the contents of the executable as CycloneDX
	@$(node) node config/build/sbom.ts

clean: ## remove build output and installed packages
	@rm -rf dist node_modules

clean-machine: ## run the two commands of the README in a fresh clone
	@test/clean/run.sh

$(installed): package.json package-lock.json .npmrc $(wildcard config/patches/*)
	@npm ci
	@test -x node_modules/.bin/node || { echo "there is no Node 26 package for this platform: Linux (glibc) and macOS, x64 and arm64"; exit 1; }
	@$(node) node config/patches/apply.ts
	@touch $@
