"""What a notebook shows of a failed test: the test, the message, and nothing of `check`."""

import nbformat
from nbclient import NotebookClient
from nbconvert.filters import strip_ansi
from repository import notebook

from gradebox.notebook_exercises import find_grade_id

WRONG = "def softmax(scores, axis=-1):\n    powers = np.exp(scores)\n    return powers / powers.sum()\n"


def test_a_failed_tests_output_ends_with_what_to_do_and_holds_nothing_of_check(tmp_path):
    nb = notebook("release", "01_single_head")
    names = [find_grade_id(cell) for cell in nb.cells]
    nb.cells = nb.cells[: names.index("softmax-test") + 1]
    nb.cells[names.index("softmax")].source = WRONG
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(nb, kernel_name="python3", allow_errors=True, resources=resources).execute()
    (error,) = nb.cells[-1].outputs
    nbformat.validate(nb)
    shown = strip_ansi("\n".join(error.traceback)).splitlines()
    first, *_, advice = error.evalue.splitlines()
    assert shown[0].startswith("✗ Test of 1.1 Softmax: ") and first.endswith(shown[1].strip())
    assert " ".join(" ".join(shown).split()).endswith(f"→ {advice}") and len(shown) <= 6
    assert not any(line.startswith(("Cell In", "File", "---->")) for line in shown)
