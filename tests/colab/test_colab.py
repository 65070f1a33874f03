"""Every notebook with its reference answers runs from top to bottom at the versions that Colab has.

`make colab` runs this, in an environment of its own that has no gradebox.
"""

import json
import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent
NOTEBOOKS = sorted((HERE.parent.parent / "source").glob("*/*.ipynb"))
LINES = (HERE / "constraints.txt").read_text().split("\n")
PINS = dict(line.split("==") for line in LINES if line and not line.startswith("#"))
if os.environ.get("TORCH"):
    PINS["torch"] = os.environ["TORCH"]

VERSIONS = f"""
import json, sys
versions = {{name: __import__(name).__version__ for name in {list(PINS)}}}
print(json.dumps({{"prefix": sys.prefix, "versions": versions}}))
"""

# Fails its test.
WRONG = "def softmax(scores, axis=-1):\n    powers = np.exp(scores)\n    return powers / powers.sum()\n"


def run(nb, folder):
    """The notebook after all its cells, those behind an error included."""
    settings = {"kernel_name": "python3", "timeout": 120, "allow_errors": True}
    return NotebookClient(nb, resources={"metadata": {"path": str(folder)}}, **settings).execute()


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    """Where a kernel of the notebooks' kind lives, and the versions that it imports."""
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(VERSIONS)])
    (output,) = run(nb, tmp_path_factory.mktemp("kernel")).cells[0].outputs
    assert output.output_type == "stream", f"{output.ename}: {output.evalue}"
    return json.loads(output.text)


def test_the_kernel_is_of_this_environment(kernel):
    assert kernel["prefix"] == sys.prefix


@pytest.mark.parametrize(("name", "version"), PINS.items(), ids=map("==".join, PINS.items()))
def test_the_kernel_imports(kernel, name, version):
    # After a plus, a wheel says what it was built for: 2.13.0+cpu.
    imported = kernel["versions"][name].partition("+")[0]
    assert imported == version, "another version than pinned: `make colab` makes an environment for this"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=[path.parent.name for path in NOTEBOOKS])
def test_it_runs_without_a_word_on_stderr_and_draws_every_figure(path, tmp_path):
    nb = nbformat.read(path, as_version=4)
    code = [cell for cell in nb.cells if cell.cell_type == "code"]
    if not find_spec("torch") and any(re.search(r"^\s*(import|from) torch\b", c.source, re.M) for c in code):
        pytest.skip("this notebook imports torch, and the environment was made without")
    run(nb, tmp_path)
    problems, shown, drawn = [], 0, 0
    for cell in code:
        name = cell.metadata.get("nbgrader", {}).get("grade_id") or cell.source.partition("\n")[0]
        shown += cell.source.count("plt.show()")
        for output in cell.outputs:
            drawn += "image/png" in output.get("data", {})
            if output.output_type == "error":
                problems.append(f"{path.parent.name}, {name}: {output.ename}: {output.evalue}")
            elif output.get("name") == "stderr":
                problems.append(f"{path.parent.name}, {name} writes to stderr: {output.text}")
    # Where IPython and Matplotlib disagree on the backend, pictures are missing without a word.
    if drawn < shown:
        problems.append(f"{path.parent.name}: {drawn} figures were drawn, of at least {shown}")
    if problems:
        pytest.fail("\n".join(problems), pytrace=False)


def test_a_failed_test_shows_the_message_alone(tmp_path):
    nb = nbformat.read(HERE.parent.parent / "release" / "01_single_head" / "single_head.ipynb", as_version=4)
    names = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in nb.cells]
    nb.cells = nb.cells[: names.index("softmax-test") + 1]
    nb.cells[names.index("softmax")].source = WRONG
    run(nb, tmp_path)
    (error,) = nb.cells[-1].outputs
    shown = re.sub("\x1b\\[[0-9;]*m", "", "\n".join(error.traceback))
    title, *lines = shown.splitlines()
    assert title.startswith("✗ Test of 1.1 Softmax: ") and len(lines) < 5, shown
    assert len(error.evalue.splitlines()) == 3
    # The last line, the advice, is wrapped.
    assert " ".join("".join(lines).split()).endswith(" ".join(error.evalue.splitlines()[-1].split())[-30:])
