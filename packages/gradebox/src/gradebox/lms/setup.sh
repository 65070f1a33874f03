#!/bin/bash
# Gradescope runs this once, as root, when it builds the image that submissions are graded in. It makes an
# environment of its own, /autograder/venv: the system's Python belongs to Gradescope's own programs.
set -eu
source=/autograder/source
venv=/autograder/venv
export DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1

# Hidden tests and solutions are in there.
chmod 700 "$source"

if command -v apt-get >/dev/null; then
    apt-get update || true
    # The system-call filter needs the first. Debian and Ubuntu can't make environments without the other.
    apt-get install --yes --no-install-recommends libseccomp2 python3-venv
fi

# What requirements.txt names has wheels for these.
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
    # Ubuntu 22.04 has Python 3.10, and of 3.11 a release candidate only.
    python3 -m venv /autograder/uv
    /autograder/uv/bin/python -m pip install --quiet uv
    export UV_PYTHON_INSTALL_DIR=/autograder/python UV_MANAGED_PYTHON=1
    /autograder/uv/bin/uv python install 3.13
    python=$(/autograder/uv/bin/uv python find 3.13)
fi

"$python" -m venv --clear "$venv"
torch=$(grep '^torch==' "$source/requirements.txt" || true)
if [ -n "$torch" ]; then
    # Without CUDA, which is gigabytes that no lesson uses; if that can't be had, pip finds another below.
    "$venv/bin/python" -m pip install --quiet --no-deps --retries 1 \
        --index-url https://download.pytorch.org/whl/cpu "$torch" || true
fi
"$venv/bin/python" -m pip install --quiet -r "$source/requirements.txt"
cp -R "$source/gradebox" "$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/"

# Whether all of this works is seen here and now, not by the first student.
cd /
PYTHONSAFEPATH=1 "$venv/bin/python" -m gradebox.lms --prepare
