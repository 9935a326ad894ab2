#!/bin/sh
# Keeps .venv and web/node_modules, each one locked set of packages, and what is built from them.
#
#   sh scripts/setup.sh play            requirements/play.txt and, where it can be had, fast.txt, this package, editable,
#                                       and the client, built
#   sh scripts/setup.sh dev             the same, but the client is not built
#   sh scripts/setup.sh test            requirements/test.txt, the client and what tests it, and a browser
#   sh scripts/setup.sh npm ARGUMENT... run npm in web/, with the Node that the others use
#   sh scripts/setup.sh lock [OPTION]   write requirements/*.txt from pyproject.toml; options go to `uv pip compile`
#
# PYTHON chooses the interpreter. uv is used when there is one, else venv and pip. Node is the one on PATH; where there
# is none, or an old one, it is put into .venv.
#
# Both folders are filled from nothing, and marked when that is done, so that neither a half-made one nor a package that
# the lock no longer names is ever used.
set -eu
cd "$(dirname "$0")/.."

minimum=$(sed -n 's/^requires-python = ">=\([0-9.]*\)"$/\1/p' pyproject.toml)
node_minimum=$(sed -n 's/^ *"node": ">=\([0-9.]*\)".*/\1/p' web/package.json)

fail() {
    printf '%s\n' "$@" >&2
    exit 1
}

# step TEXT COMMAND...: one line for a step that succeeds, all its output for one that fails.
step() {
    text=$1
    shift
    printf '%s\n' "$text"
    output=$("$@" 2>&1) || fail "$output" "Failed: $text"
}

# Only running it tells: a pyenv shim can be on PATH for a version that is not switched on.
has_uv() { uv --version >/dev/null 2>&1; }

has_apt() { command -v apt-get >/dev/null 2>&1; }

is_new_enough() {
    "$1" -c "import sys; sys.exit(sys.version_info[:2] < tuple(map(int, '$minimum'.split('.'))))" >/dev/null 2>&1
}

# The interpreter as a path; below the virtual environment, if it is in one: that may be .venv, soon to be removed.
base_of() {
    "$1" -c 'import sys; print(sys.argv[1] if sys.prefix == sys.base_prefix else sys._base_executable)' \
        "$(command -v "$1")"
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        is_new_enough "$PYTHON" || fail "PYTHON=$PYTHON does not run, or is older than Python $minimum."
        python=$(base_of "$PYTHON")
        return
    fi
    for candidate in python3.13 python3.12 python3.11 python3 python; do
        if is_new_enough "$candidate"; then
            python=$(base_of "$candidate")
            return
        fi
    done
    missing="Python $minimum or newer is needed and was not found."
    [ "$(uname -s)" != Darwin ] || fail "$missing Install it with: brew install python@3.13"
    ! has_apt || fail "$missing Install it with: sudo apt-get install python3 python3-venv"
    fail "$missing Install it, then run make again."
}

make_venv() {
    find_python
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    if has_uv; then
        rm -rf .venv
        step "Making .venv with Python $version and uv" uv venv --python "$python" .venv
        return
    fi
    if ! "$python" -m ensurepip --version >/dev/null 2>&1; then
        missing="$python cannot make virtual environments: it has no ensurepip."
        # Debian keeps this part of Python in a package of its own.
        ! has_apt || fail "$missing Install it with: sudo apt-get install python$version-venv"
        fail "$missing Install it, then run make again."
    fi
    rm -rf .venv
    step "Making .venv with Python $version" "$python" -m venv .venv
    # The pip that comes with Python may be years old. One of 2023 refuses a lock as soon as a package that it pins has a
    # newer release and is also asked for with an extra.
    step "Installing requirements/pip.txt" install --require-hashes --upgrade -r requirements/pip.txt
}

# By what made .venv: uv puts no pip into it.
install() {
    if [ -e .venv/bin/pip ]; then
        .venv/bin/python -m pip install --disable-pip-version-check "$@"
    else
        uv pip install --python .venv/bin/python "$@"
    fi
}

identity() { "$1" -c 'import sys; print(sys.version_info[:2], sys.base_prefix)' 2>/dev/null; }

# All that the requirements in .venv depend on: the set, this folder (scripts in .venv name it), the Python, the locks.
key() {
    echo "$1 in $(pwd -P) with $(identity .venv/bin/python)"
    cat requirements/pip.txt "requirements/$1.txt" | cksum
}

holds() {
    if [ -n "${PYTHON:-}" ]; then
        [ "$(identity "$PYTHON")" = "$(identity .venv/bin/python)" ] || return 1
    fi
    is_new_enough .venv/bin/python && [ "$(cat .venv/.holds 2>/dev/null)" = "$(key "$1")" ]
}

fill() {
    make_venv
    step "Installing requirements/$1.txt" install --require-hashes -r "requirements/$1.txt"
    key "$1" >.venv/.holds
}

# Apart from the requirements, because it needs no network: pyproject.toml can be edited on a train.
install_forsale() {
    if [ "$(cat .venv/.forsale 2>/dev/null)" != "$(cksum <pyproject.toml)" ]; then
        step "Installing forsale" install --no-deps --no-build-isolation --editable .
        cksum <pyproject.toml >.venv/.forsale
    fi
}

# What the strongest level takes. Not every system has it ready-made, and nobody should have to build a compiler in order
# to play; the tests' set holds it.
install_fast() {
    ! holds test || return 0
    [ "$(cat .venv/.fast 2>/dev/null)" != "$(cksum <requirements/fast.txt)" ] || return 0
    echo "Installing requirements/fast.txt, for the strongest level, and compiling it"
    if ! { install --require-hashes --only-binary :all: -r requirements/fast.txt && prepare; } >/dev/null 2>&1; then
        echo "It could not be had, and the other levels are there without it. To try again: rm .venv/.fast"
    fi
    cksum <requirements/fast.txt >.venv/.fast
}

prepare() { .venv/bin/python -c 'from forsale.bots.searcher import prepare; prepare()'; }

# --- The client ------------------------------------------------------------------------------------------------------

# npm too: some systems have it in a package of its own.
has_node() {
    npm --version >/dev/null 2>&1 && node -e '
        const parts = (version) => version.split(".").map(Number);
        const [[major, minor], [least, then]] = [process.versions.node, process.argv[1]].map(parts);
        process.exit(major > least || (major === least && minor >= then) ? 0 : 1);
    ' "$node_minimum" >/dev/null 2>&1
}

# Puts Node on PATH, if it is not there.
find_node() {
    ! has_node || return 0
    if [ "$(cat .venv/.node 2>/dev/null)" != "$(cksum <requirements/node.txt)" ]; then
        step "Installing Node into .venv, as there is none on PATH from $node_minimum on" \
            install --require-hashes -r requirements/node.txt
        cksum <requirements/node.txt >.venv/.node
    fi
    PATH=$(pwd -P)/.venv/bin:$PATH
    export PATH
    has_node || fail "The Node in .venv does not run on this machine. Install Node $node_minimum or newer."
}

npm_in_web() { (cd web && npm "$@"); }

packages_key() {
    echo "$1 for $(node --version) in $(pwd -P)"
    cksum <web/package-lock.json
}

has_packages() { [ "$(cat web/node_modules/.holds 2>/dev/null)" = "$(packages_key "$1")" ]; }

# The packages that build the client, or with `test` also those that check it.
install_packages() {
    ! has_packages test && ! has_packages "$1" || return 0
    step "Installing web/package-lock.json with Node $(node --version), $(command -v node)" \
        npm_in_web ci $([ "$1" = test ] || echo --omit=dev)
    packages_key "$1" >web/node_modules/.holds
}

# All that the client is built from.
sources() {
    find web \( -name node_modules -o -path web/dist \) -prune -o -type f ! -name '*.test.ts' -exec cksum {} + |
        LC_ALL=C sort | cksum
}

build_client() {
    now=$(sources)
    if [ "$(cat web/dist/.built_from 2>/dev/null)" != "$now" ]; then
        step "Building the client" npm_in_web run build
        echo "$now" >web/dist/.built_from
    fi
}

# --- The browser of the tests ----------------------------------------------------------------------------------------

# Without one only the tests in tests/web fail, and they say so.
find_browser() {
    if [ -n "${FORSALE_BROWSER:-}" ] || ! [ -x "$(cat .venv/.browser 2>/dev/null)" ]; then
        .venv/bin/python scripts/browser.py >.venv/.browser || rm .venv/.browser
    fi
}

# --- The locks -------------------------------------------------------------------------------------------------------

lock() {
    uv=uv
    if ! has_uv; then
        uv=.venv/bin/uv
        # Not by `fill`: the lock that it would install may be the one to mend.
        .venv/bin/python -m pip --version >/dev/null 2>&1 || make_venv
        "$uv" --version >/dev/null 2>&1 || step "Installing uv into .venv" install uv
    fi
    lock_group pip "$@"
    lock_group node "$@"
    lock_group play pyproject.toml "$@"
    # The other sets hold the play set, release for release: `play` below relies on it.
    lock_group fast pyproject.toml --extra fast --constraints requirements/play.txt "$@"
    lock_group test pyproject.toml --extra arena --extra envs --extra fast --constraints requirements/play.txt "$@"
}

lock_group() {
    group=$1
    shift
    step "Locking requirements/$group.txt" "$uv" pip compile --group "$group" --universal \
        --python-version "$minimum" --generate-hashes --custom-compile-command 'make lock' \
        --output-file "requirements/$group.txt" "$@"
}

keep() {
    if [ "$1" = test ]; then
        holds test || fill test
    else
        holds play || holds test || fill play
    fi
    install_forsale
    install_fast
    find_node
    install_packages "$1"
}

case ${1:-} in
play)
    keep play
    build_client
    ;;
dev)
    keep play
    ;;
test)
    keep test
    build_client
    find_browser
    ;;
npm)
    shift
    find_node
    cd web
    exec npm "$@"
    ;;
lock)
    shift
    lock "$@"
    ;;
*) fail "usage: sh scripts/setup.sh play|dev|test|npm|lock" ;;
esac
