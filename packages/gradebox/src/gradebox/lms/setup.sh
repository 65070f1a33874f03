#!/bin/bash
# Gradescope runs this script once, as root, when it builds the image for grading. The script creates a
# separate environment, /autograder/venv, because Gradescope's programs use the system's Python.
set -eu
source=/autograder/source
venv=/autograder/venv
export DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1

# The folder contains hidden tests and solutions.
chmod 700 "$source"

if command -v apt-get >/dev/null; then
    apt-get update || true
    # The system-call filter needs libseccomp2. On Debian and Ubuntu, venv needs python3-venv.
    apt-get install --yes --no-install-recommends libseccomp2 python3-venv
fi

# The libraries in requirements.txt have wheels for these versions of Python.
fits='import ensurepip, sys, venv
sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14) or sys.version_info.releaselevel != "final")'
python=
for name in python3 python3.14 python3.13 python3.12 python3.11; do
    if "$name" -c "$fits" 2>/dev/null; then
        python=$name
        break
    fi
done
if [ -z "$python" ]; then
    # Ubuntu 22.04 has Python 3.10, and only a release candidate of 3.11.
    python3 -m venv /autograder/uv
    /autograder/uv/bin/python -m pip install --quiet uv
    export UV_PYTHON_INSTALL_DIR=/autograder/python UV_MANAGED_PYTHON=1
    /autograder/uv/bin/uv python install 3.13
    python=$(/autograder/uv/bin/uv python find 3.13)
fi

"$python" -m venv --clear "$venv"
torch=$(grep '^torch==' "$source/requirements.txt" || true)
if [ -n "$torch" ]; then
    # Install torch without CUDA, which takes gigabytes and which no lesson uses. If this fails, pip installs
    # another version below.
    "$venv/bin/python" -m pip install --quiet --no-deps --retries 1 \
        --index-url https://download.pytorch.org/whl/cpu "$torch" || true
fi
"$venv/bin/python" -m pip install --quiet -r "$source/requirements.txt"
cp -R "$source/gradebox" "$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/"

# Check the installation now, before the first submission.
cd /
PYTHONSAFEPATH=1 "$venv/bin/python" -m gradebox.lms --prepare
