#!/bin/sh
# Tests the wheel in dist/ with other versions of its dependencies: bounds.sh [lowest|highest|jupyterhub]...
# packages/gradebox/CONTRIBUTING.md describes the three environments. `make bounds` calls this after `make dist`.
# It needs Python 3.11 to 3.13: uv looks for them on PATH, and may download one that is missing.
set -eu
cd "$(dirname "$0")/.."
uv=$PWD/$VENV/bin/uv package=$PWD/packages/gradebox
case $VENV in /*) uv=$VENV/bin/uv ;; esac
wheel=$(ls "$PWD"/dist/gradebox-*.whl)
# A small part of the tests, none of which needs torch: points, kernels, execution, pages, reports, imports.
tests="autograde/test_quickstart.py kernel/test_kernels.py execute/test_robust.py reports/test_student_page.py
class_report course_setup/test_adopted.py test_package.py"

make_environment() {
    environment=.venv-bounds/$1
    "$uv" --quiet venv --clear --python "$2" "$environment"
    shift 2
    # The tests' own tools. The image's typing-extensions are too old for the newest selenium.
    tools=$(sed -n -E '/^(pytest|pytest-xdist|hypothesis|hatchling|hatch-vcs)==/p' requirements.txt)
    # shellcheck disable=SC2086
    "$uv" --quiet pip install --python "$environment" "$@" $tools "selenium>=4.30"
    "$uv" --quiet pip install --python "$environment" --no-deps "$wheel"
    "$uv" --quiet pip check --python "$environment"
}

for name in "$@"; do
    echo "$name: installing"
    case $name in
    lowest) make_environment lowest 3.11 --resolution lowest-direct -r "$package/pyproject.toml" --all-extras ;;
    highest) make_environment highest 3.13 --upgrade -r "$package/pyproject.toml" --all-extras ;;
    # What the image has, and then gradebox, as an administrator adds it.
    jupyterhub) make_environment jupyterhub 3.12 -r environment/jupyterhub.txt -r "$package/pyproject.toml" --all-extras ;;
    *)
        echo "unknown environment: $name; use lowest, highest or jupyterhub" >&2
        exit 2
        ;;
    esac
    echo "$name: testing"
    # The programs of this environment come first, as the tests start `nbgrader` and `gradebox` by name.
    (cd "$package/tests" && PATH="$OLDPWD/$environment/bin:$PATH" python -m pytest -q -m "" -n 2 -p no:cacheprovider $tests)
done
