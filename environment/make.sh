#!/bin/sh
# Makes the environment that the Makefile's commands run in, or goes on where it was interrupted.
# $1 is what to install: "grading" for the first part of requirements.txt, or "tests" for all of it.
# $VENV is the environment's folder, and $PYTHON, if set, the Python to make it with.
set -eu
cd "$(dirname "$0")/.."
part=$1

stop() {
    echo "$*" >&2
    exit 1
}

if [ -e "$VENV" ] && [ ! -w "$VENV" ]; then
    stop "$VENV was not made from this requirements.txt and packages/gradebox/pyproject.toml, and is not writable:" \
        "build the container again, or name another folder with: make VENV=.venv"
fi

echo "Installing the libraries for $part into $VENV: one to three minutes, the first time only."
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
    echo "  Python: $("$python" -c 'import platform, sys; print(platform.python_version(), sys.executable)')"
    "$python" -m venv $clear "$VENV"
fi

# pip and uv write INSTALLER last. What lacks it was being installed when they were stopped, and would be taken for whole.
for info in "$VENV"/lib/python*/site-packages/*.dist-info; do
    [ -e "$info/INSTALLER" ] || rm -rf "$info"
done

pip() {
    "$VENV/bin/python" -m pip --quiet --disable-pip-version-check "$@"
}

# uv takes a sixth of pip's time, but does not read pip's configuration: where that names another index or none,
# or where uv can't be had, pip installs everything.
with_uv=yes
case $("$VENV/bin/python" -m pip config list) in
*.index-url=* | *.no-index=*) with_uv= ;;
*) pip install --no-compile "$(sed -n '/^uv==/p' requirements.txt)" || with_uv= ;;
esac

if [ "$part" = grading ]; then
    sed -e '/^# Only for tests/,$d' -e '/^torch==/d' requirements.txt >"$VENV/grading.txt"
    set -- -r "$VENV/grading.txt" -e packages/gradebox
else
    set -- -r requirements.txt
fi
echo "  the libraries for $part"
{ [ -n "$with_uv" ] && "$VENV/bin/uv" --quiet pip install --python "$VENV/bin/python" "$@"; } || pip install "$@" || \
    stop "The libraries for $part could not be installed, see above; run make again once that is mended."
[ "$part" != grading ] || sh environment/install_torch.sh "$VENV/bin/python" "$(sed -n 's/^torch==//p' requirements.txt)"
# Last of all: the Makefile takes this for the sign that all is there.
cat requirements.txt packages/gradebox/pyproject.toml >"$VENV/ready-for-$part"
