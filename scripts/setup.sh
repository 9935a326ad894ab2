#!/bin/sh
# Keeps .venv: one locked set of requirements, and this package, editable.
#
#   sh scripts/setup.sh play            .venv holds requirements/play.txt, or more
#   sh scripts/setup.sh test            .venv holds requirements/test.txt
#   sh scripts/setup.sh lock [OPTION]   write both files from pyproject.toml; options go to `uv pip compile`
#
# PYTHON chooses the interpreter. uv is used when there is one, else venv and pip.
#
# .venv is filled from nothing, and marked when that is done, so that neither a half-made one nor a package that the
# lock no longer names is ever used.
set -eu
cd "$(dirname "$0")/.."

minimum=$(sed -n 's/^requires-python = ">=\([0-9.]*\)"$/\1/p' pyproject.toml)

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

# All that the requirements in .venv depend on: the set, this folder (scripts in .venv name it), the Python, the lock.
key() {
    echo "$1 in $(pwd -P) with $(identity .venv/bin/python)"
    cksum <"requirements/$1.txt"
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

lock() {
    uv=uv
    if ! has_uv; then
        uv=.venv/bin/uv
        # Not by `fill`: the lock that it would install may be the one to mend.
        .venv/bin/python -m pip --version >/dev/null 2>&1 || make_venv
        "$uv" --version >/dev/null 2>&1 || step "Installing uv into .venv" install uv
    fi
    for group in play test; do
        # The test set holds the play set, release for release: `play` below relies on it.
        [ "$group" = play ] || set -- --constraints requirements/play.txt "$@"
        step "Locking requirements/$group.txt" "$uv" pip compile pyproject.toml --group "$group" --universal \
            --python-version "$minimum" --generate-hashes --custom-compile-command 'make lock' \
            --output-file "requirements/$group.txt" "$@"
    done
}

case ${1:-} in
play)
    holds play || holds test || fill play
    install_forsale
    ;;
test)
    holds test || fill test
    install_forsale
    ;;
lock)
    shift
    lock "$@"
    ;;
*) fail "usage: sh scripts/setup.sh play|test|lock" ;;
esac
