#!/bin/sh
# Installs torch: install_torch.sh PYTHON VERSION
# The public index has torch for Linux with CUDA, gigabytes that no lesson uses; PyTorch's own index has it without.
set -eu
python=$1 torch=torch==$2

uv() {
    "$VENV/bin/uv" --quiet pip install --python "$python" "$@"
}

case $("$python" -m pip config list) in
*.find-links=* | *.index-url=* | *.no-index=*)
    echo "  $torch, from where pip is configured to look"
    ;;
*)
    echo "  $torch without CUDA, 0.2 GB"
    ! uv --torch-backend "${UV_TORCH_BACKEND:-cpu}" "$torch" || exit 0
    echo "  $torch from the public index, as PyTorch's own has none for this machine; on Linux with CUDA, 2.8 GB"
    ! uv "$torch" || exit 0
    ;;
esac
"$python" -m pip --quiet --disable-pip-version-check install --no-compile "$torch" && exit 0
echo "$torch could not be installed, see above; run make again once that is mended." >&2
exit 1
