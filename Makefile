# Runs with GNU make 3.81 (macOS) and newer. scripts/setup.sh finds Python and Node, keeps .venv and web/node_modules as
# the locks say, and builds the client.

.PHONY: help play dev test fuzz faults attack bench bench-server bench-web proof lessons format lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile
	@echo 'PYTHON=python3.12 chooses the Python; it is found by itself otherwise.'

play: ## play in the browser: start a server, and say where; ARGS="..." is passed on to `forsale serve`
	@sh scripts/setup.sh play
	@.venv/bin/forsale serve $(ARGS)

dev: ## the same while you change the code: what you save is there at once
	@sh scripts/setup.sh dev
	@.venv/bin/python scripts/dev.py $(ARGS)

test: ## everything that must hold before a change lands; what CI runs
	@sh scripts/setup.sh test
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/lint-imports
	sh scripts/setup.sh npm run check
	sh scripts/setup.sh npm test
# Products of numpy would share out small work among all cores, and wait for each other in busy loops.
	OPENBLAS_NUM_THREADS=1 .venv/bin/pytest -n 2 --dist worksteal --cov --cov-report=
	.venv/bin/coverage report --fail-under=100

fuzz: ## play at random for longer; FUZZ_GAMES=... says how many games of each kind
	@sh scripts/setup.sh test
	HYPOTHESIS_PROFILE=fuzz .venv/bin/pytest tests -n 2 -m "fuzz or hypothesis" $(ARGS)

faults: ## kill the server again and again while people play; FAULTS_ROUNDS=... says how often
	@sh scripts/setup.sh test
	.venv/bin/pytest tests/server/system -m faults $(ARGS)

attack: ## attack a server of our own in every known way while someone plays; ARGS="pipelined" runs one scenario
	@sh scripts/setup.sh play
	.venv/bin/python -m benchmarks.attack $(ARGS)

bench: ## measure the published figures of engine, kernel, arena and champion, on a GPU too where there is one
	@sh scripts/setup.sh test
	.venv/bin/python -m benchmarks.engine $(ARGS)
	.venv/bin/python -m benchmarks.kernel $(ARGS)
	.venv/bin/python -m benchmarks.arena $(ARGS)
	.venv/bin/python -m benchmarks.champion $(ARGS)

bench-server: ## measure the server's published figures, beside a bare server on the same stack
	@sh scripts/setup.sh play
	.venv/bin/python -m benchmarks.server $(ARGS)

bench-web: ## measure the browser client's published figures
	@sh scripts/setup.sh test
	.venv/bin/python -m benchmarks.web $(ARGS)

proof: ## play the champion against everyone, and write what came of it to docs/champion.md; ARGS="copies" plays one part
	@sh scripts/setup.sh test
	.venv/bin/python -m benchmarks.proof $(ARGS)

lessons: ## let the champion play itself, and write what it has learnt into docs/playing-well.md
	@sh scripts/setup.sh test
	.venv/bin/python -m benchmarks.lessons $(ARGS)

format: ## put the code in order
	@sh scripts/setup.sh test
	.venv/bin/ruff check --fix-only
	.venv/bin/ruff format

lock: ## write requirements/*.txt from pyproject.toml; ARGS=--upgrade takes newer releases
	@sh scripts/setup.sh lock $(ARGS)

clean: ## remove all that can be made again
	rm -rf web/dist web/node_modules
	rm -rf .venv .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -prune -exec rm -rf {} +
