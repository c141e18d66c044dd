# Treebound: every table and figure is a target. CONFIG chooses the experiment, GRID some of its grids, OUT the folder that
# results go to.

CONFIG ?= configs/quickstart.toml
OUT ?=
CARGO ?= cargo
GRID ?=
JOBS ?=
FLAGS ?=

flags := $(if $(OUT),--out $(OUT))
grids := $(foreach grid,$(GRID),--grid $(grid))
jobs := $(if $(JOBS),--jobs $(JOBS))
# Who compiles for the first time sees how that goes.
compiled := $(wildcard $(or $(CARGO_TARGET_DIR),target)/release/treebound)
treebound := $(CARGO) run --release $(if $(compiled),--quiet) --

.DEFAULT_GOAL := help
.PHONY: help build plan run verify time table1 table2 table3 calls figure4 figure5 templates ablation search-ablation budget breakdown calibration learning states league growth check quick test fuzz python-tools python-wheel python-test ci data clean errors claims report diff pages paper

help: ## Show this list
	@echo "make TARGET [CONFIG=configs/NAME.toml] [GRID=NAME] [OUT=DIR] [JOBS=N]     (CONFIG is now $(CONFIG))"
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Compile
	$(CARGO) build --release

check: ## Validate the config and its data, and say what would be run
	@$(treebound) check $(CONFIG)

plan: ## Show what run would make, and about how long that takes
	@$(treebound) plan $(CONFIG) $(flags) $(grids)

run: ## Train and parse everything that is not done yet (FLAGS for more: --wait, -f, --set)
	@$(treebound) run $(CONFIG) $(flags) $(grids) $(jobs) $(FLAGS)

verify: ## Check results against each other, the finished work, the models and another decoder (FLAGS for more: --sample, -f)
	@$(treebound) verify $(if $(OUT),$(OUT)/)results/$(basename $(notdir $(CONFIG))) --config $(CONFIG) $(jobs) $(FLAGS)

time: run ## Measure parsing speed, serially, on one thread
	@$(treebound) measure time $(CONFIG) $(flags) $(grids)

table1: ## The data: sentences and words
	@$(treebound) table $(CONFIG) 1 $(flags)

table2: run ## Accuracy of every feature set against the baseline; speeds are those that `make time` measured
	@$(treebound) table $(CONFIG) 2 $(flags) $(grids)

table3: time ## Accuracy and speed by pruning, and the DP calls of section 4.6
	@$(treebound) table $(CONFIG) 3 $(flags) $(grids)

calls: ## How the DP calls of section 4.6 are spread over sentences
	@$(treebound) table $(CONFIG) calls $(flags) $(grids)

figure4: time ## Parse time against sentence length
	@$(treebound) figure $(CONFIG) 4 $(flags) $(grids)

figure5: run ## DP calls against sentence length
	@$(treebound) figure $(CONFIG) 5 $(flags) $(grids)

templates: run ## Accuracy and DP calls against the number of templates, of what is run with several sets
	@$(treebound) figure $(CONFIG) templates $(flags) $(grids)

ablation: ## What each family and each group of templates is worth: a table and a figure of GRID, or of what the config says they show
	@$(treebound) run $(CONFIG) $(flags) $(or $(grids),--table ablation) $(jobs)
	@$(treebound) table $(CONFIG) ablation $(flags) $(grids)
	@$(treebound) figure $(CONFIG) ablation $(flags) $(grids)

search-ablation: run ## What each idea of the search is worth, in DP calls
	@$(treebound) measure search-ablation $(CONFIG) $(flags) $(grids) $(jobs) $(FLAGS)

budget: run ## What exactness buys: accuracy with the search stopped early, and a figure of it
	@$(treebound) measure budget $(CONFIG) $(flags) $(grids) $(jobs) $(FLAGS)
	@$(treebound) figure $(CONFIG) budget $(flags) $(grids)

breakdown: run ## Accuracy of each learner by sentence length, arc length and distance from the root, as a figure
	@$(treebound) measure breakdown $(CONFIG) $(flags) $(grids) $(jobs) $(FLAGS)
	@$(treebound) figure $(CONFIG) breakdown $(flags) $(grids)

calibration: run ## What the probabilities of CRFs are worth: a table and a figure
	@$(treebound) measure calibration $(CONFIG) $(flags) $(grids) $(jobs) $(FLAGS)
	@$(treebound) table $(CONFIG) calibration $(flags) $(grids)
	@$(treebound) figure $(CONFIG) calibration $(flags) $(grids)

states: run ## What searches over states find and cost: a table and a figure (make time first for times)
	@$(treebound) table $(CONFIG) states $(flags) $(grids)
	@$(treebound) figure $(CONFIG) states $(flags) $(grids)

league: time ## All parsers of a treebank, external ones too: a table, and a figure of UAS against words/s
	@$(treebound) measure learning $(CONFIG) $(flags) $(grids) -j 1
	@$(treebound) table $(CONFIG) league $(flags) $(grids)
	@$(treebound) figure $(CONFIG) league $(flags) $(grids)

learning: ## How long it takes to learn each model on 1 and 2 threads (FLAGS="-j 1,4,16" for others)
	@$(treebound) measure learning $(CONFIG) $(flags) $(grids) $(FLAGS)

growth: ## Time and memory by length, k, templates, families and treebank size (FLAGS for more: --axis, --most-words, --epochs)
	@$(treebound) measure growth $(CONFIG) $(flags) $(FLAGS)

errors: ## The most common errors of the baseline, by cross-validation (FLAGS for more: --folds, --epochs, --top)
	@$(treebound) measure errors $(CONFIG) $(flags) $(jobs) $(FLAGS)

claims: time ## What the paper claims, held against the results
	@$(treebound) claims $(CONFIG) $(flags)

report: run ## One page of an experiment in results/NAME: report.html, which needs no other file, and report.md
	@$(treebound) report $(CONFIG) $(flags) $(grids) $(jobs) $(FLAGS)

BASE ?= HEAD
diff: ## What changed in the results of CONFIG since the revision BASE (make diff BASE=main~3; FLAGS for more: --all, --json)
	@$(treebound) diff $(if $(OUT),$(OUT)/)results/$(basename $(notdir $(CONFIG))) $(BASE) $(FLAGS)

pages: ## Put the numbers of results/ into README and docs
	@$(CARGO) run --quiet --package xtask -- pages

paper: table1 table2 table3 figure4 figure5 claims ## All tables, figures and claims

fuzz: ## Fuzz a reader of input: TARGET is a file of fuzz/fuzz_targets/, RUNS how many inputs it gets
	@fuzz/run $(TARGET) $(RUNS)

# Left out: the programs decoders and parser, which hold searches and models against brute force, and harness, which runs the command.
quick: ## Run the tests that take less than a minute once built: those of modules, and of tables, figures, claims and diffs
	@CARGO="$(CARGO)" .ci/test --lib --test results

test: ## Run the tests, and say what was skipped for want of treebanks
	@CARGO="$(CARGO)" .ci/test

# Tools of the Python package live in a folder of their own; nothing else of the system is changed.
PYTHON ?= python3
venv := python/.venv

python/.venv/bin/maturin:
	$(PYTHON) -m venv $(venv)
	$(venv)/bin/pip install --quiet --disable-pip-version-check 'maturin>=1.9,<2' 'numpy>=1.24' 'pytest>=8' 'mypy>=1.10'

python-tools: python/.venv/bin/maturin ## Fetch what builds and tests the Python package

python-wheel: python-tools ## Make the wheel of the Python package: python/dist
	@rm -rf python/dist
	@$(venv)/bin/maturin build --quiet --release --locked -m python/Cargo.toml -o python/dist

python-test: python-wheel ## Test the wheel against brute force, the examples of its page, and its types
	@$(venv)/bin/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps python/dist/*.whl
	@cd python && .venv/bin/pytest --quiet && .venv/bin/mypy && .venv/bin/python ../examples/python/subjects.py

ci: ## What continuous integration runs
	.ci/run

ud := https://raw.githubusercontent.com/UniversalDependencies
DATA_MIRROR ?=
mirror := $(if $(DATA_MIRROR),$(abspath $(DATA_MIRROR)))

# configs/data.sha256 names the files. One that is there and whole is not fetched again, and half of one is gone on with.
data: ## Fetch the treebanks en_ewt and zh_gsd into data/ with curl, or copy them from DATA_MIRROR=DIR, a folder laid out like data/
	@mkdir -p data && cd data && missing= && while read -r sum path; do \
	  whole() { echo "$$sum  $$1" | sha256sum -c --status 2>/dev/null; }; \
	  if whole "$$path"; then echo "data/$$path is there"; continue; fi; \
	  mkdir -p "$${path%/*}"; part=$${path##*/}; part=$${part%.conllu}; \
	  case $$path in \
	    en_ewt/*) url=$(ud)/UD_English-EWT/r2.16/en_ewt-ud-$$part.conllu;; \
	    zh_gsd/*) url=$(ud)/UD_Chinese-GSD/9eab518/zh-ud-$$part.conllu;; \
	  esac; \
	  if [ -n "$(mirror)" ]; then from="$(mirror)/$$path"; \
	    if ! cp "$$from" "$$path.part"; then missing=1; echo "data/$$path: the mirror has no such file" >&2; continue; fi; \
	  else from=$$url; echo "data/$$path from $$from"; curl -fL --retry 3 -C - --progress-bar -o "$$path.part" "$$from"; fi; \
	  fetched=$$?; \
	  if [ $$fetched = 0 ] && whole "$$path.part"; then mv "$$path.part" "$$path"; echo "data/$$path is there"; \
	  elif [ $$fetched = 0 ]; then missing=1; rm "$$path.part"; \
	    echo "data/$$path: $$from is another file (its SHA-256 is not that of configs/data.sha256)" >&2; \
	  else missing=1; echo "data/$$path could not be fetched from $$from: is there a network? make data goes on where it stopped;" \
	    "DATA_MIRROR=DIR takes files that you have; folder in configs/corpora/ names another place" >&2; fi; \
	done < ../configs/data.sha256; rmdir * 2> /dev/null; [ -z "$$missing" ]

clean: ## Remove build products and finished work (not results)
	$(CARGO) clean
	rm -rf cache
