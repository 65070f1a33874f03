#!/bin/sh
# Makes the environment that the Makefile's commands run in, or goes on where it was interrupted.
# $VENV is its folder, and $PYTHON, if set, the Python to make it with.
set -eu
cd "$(dirname "$0")/.."

stop() {
    echo "$*" >&2
    exit 1
}

if [ -e "$VENV" ] && [ ! -w "$VENV" ]; then
    stop "$VENV was not made from this requirements.txt and packages/gradebox/pyproject.toml, and is not writable:" \
        "build the container again, or name another folder with: make VENV=.venv"
fi

if ! "$VENV/bin/python" -m pip --version >/dev/null 2>&1; then
    # What requirements.txt names has wheels for these, and no others.
    fits='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))'
    if [ -n "${PYTHON:-}" ]; then
        set -- "$PYTHON"
    else
        set -- python3 python3.14 python3.13 python3.12 python3.11
    fi
    for python in "$@" ""; do
        [ -z "$python" ] || ! "$python" -c "$fits" 2>/dev/null || break
    done
    [ -n "$python" ] || stop "Python 3.11 to 3.14 is needed, which is none of: $*;" \
        "install it, or name it with: make PYTHON=/path/to/python3"
    # Debian and Ubuntu have this in a package of its own. Without it, half an environment would be made.
    "$python" -c 'import ensurepip, venv' 2>/dev/null || stop "$python lacks ensurepip, which makes environments:" \
        "on Debian and Ubuntu, sudo apt install $("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
    # A broken environment is made anew, but nothing else that this may be.
    clear=
    [ ! -e "$VENV/pyvenv.cfg" ] || clear=--clear
    "$python" -m venv $clear "$VENV"
fi

# pip writes INSTALLER last. What lacks it was being installed when pip was stopped, and pip would take it for whole.
for info in "$VENV"/lib/python*/site-packages/*.dist-info; do
    [ -e "$info/INSTALLER" ] || rm -rf "$info"
done

pip() {
    "$VENV/bin/python" -m pip --quiet --disable-pip-version-check "$@"
}

"$VENV/bin/python" environment/install_torch.py
pip install -r requirements.txt
pip install --no-deps -e packages/gradebox
# Last of all: the Makefile takes this for the sign that all is there.
cat requirements.txt packages/gradebox/pyproject.toml >"$VENV/ready"
