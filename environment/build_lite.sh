#!/bin/sh
# Builds JupyterLite with notebooks, as docs/jupyterlite.md describes it, without requests to other hosts.
# $1 is the `jupyter` of .venv-lite, $2 the folder with notebooks, and $3 the folder to write.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
# jupyter lite leaves a file in the folder where it is started.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -R "$root/.venv-lite/parts/." "$root/tests/lite/jupyter-lite.json" "$scratch"
cd "$scratch"
"$1" lite build --contents "$root/$2" --output-dir "$root/$3" --no-sourcemaps --no-unused-shared-packages \
    --apps lab >build.log 2>&1 || {
    cat build.log >&2
    exit 1
}
