"""The cells that a lesson begins with are run once for all, where that is the same."""

import pytest
from helpers import cell
from nbformat.v4 import new_code_cell, new_notebook

from gradebox.kernels import client
from gradebox.record import OK, ending
from gradebox.run.lead import leading
from gradebox.run.lesson import Lesson
from gradebox.run.warm import Warm

pytestmark = pytest.mark.skipif(not client.available(), reason="this system has no process descriptors")

IMPORTS = "import math\nimport numpy as np\nprint('ready', math.pi)\nnp.random.seed(3)"
DATA = "X = np.arange(6.0).reshape(2, 3)\nX.shape"
SOLUTION = cell(
    "solution", "double", "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"
)
TEST = cell("test", "double-test", "assert double(X).sum() == 30")


def lesson(*sources: str) -> list:
    return [*(cell("given", f"given-{n}", source) for n, source in enumerate(sources)), SOLUTION, TEST]


def lead(*sources: str) -> int:
    """How many of these cells may be run ahead."""
    return len(leading(Lesson(new_notebook(cells=lesson(*sources)))))


@pytest.fixture
def replayed(monkeypatch) -> list[str]:
    """The cells that were not run again."""
    found: list[str] = []
    replay = Warm.replay

    def noted(self, cell):
        found.append(cell.source)
        replay(self, cell)

    monkeypatch.setattr(Warm, "replay", noted)
    return found


def test_a_leading_cell_shows_and_gives_what_it_would_have(played, replayed):
    source = lesson(IMPORTS, DATA)
    draws = new_code_cell("print(np.random.random())")
    nbs = [
        played(*source[:2], first, draws, *source[2:], source=source) for first in (new_code_cell("1"),) * 2
    ]
    assert replayed == [IMPORTS, DATA] * 2
    # A cell ahead of them: they are run where they stand.
    moved = played(draws, *source, source=source)
    assert len(replayed) == 4
    for nb in nbs:
        assert [ending(one) for one in nb.cells] == [OK] * 6
        assert nb.cells[0].outputs == moved.cells[1].outputs and nb.cells[1].outputs[0].data == {
            "text/plain": "(2, 3)"
        }
        assert [one.execution_count for one in nb.cells[:4]] == [1, 2, 3, 4]
    assert nbs[0].cells[3].outputs == nbs[1].cells[3].outputs


def test_the_time_is_nobody_elses(played):
    """What a cell has led to is the same for all; what it says of the moment is each one's."""
    source = lesson("import time\nbegan = time.time()")
    shows = new_code_cell("print(began)")
    first, second = (played(source[0], shows, *source[1:], source=source) for _ in range(2))
    assert first.cells[1].outputs != second.cells[1].outputs


@pytest.mark.parametrize(
    "source",
    [
        "import time\nnow = time.time()",
        "from datetime import datetime\nnow = datetime.now()",
        "import os\nhere = os.getcwd()",
        "import os\nuser = os.environ['USER']",
        "text = open('data.txt').read()",
        "import numpy as np\nx = np.random.random()",
        "import random\nx = random.random()",
        "import numpy as np\nrng = np.random.default_rng()\nx = rng.random()",
        "import torch\nlayer = torch.nn.Linear(2, 2)",
        "import numpy as np\nX = np.load('data.npy')",
        "%matplotlib inline",
        "!ls",
        "import asyncio\nawait asyncio.sleep(0)",
        "shell = get_ipython()",
        "exec('import os')",
    ],
)
def test_what_depends_on_when_and_where_it_runs_does_not_lead(source):
    assert lead(source, DATA) == 0


def test_what_students_can_change_does_not_lead_nor_what_comes_after():
    assert lead(IMPORTS, DATA) == 2
    cells = [new_code_cell("a = 1"), *lesson(IMPORTS)]
    assert leading(Lesson(new_notebook(cells=cells))) == ()
    assert leading(Lesson(new_notebook(cells=[SOLUTION, TEST, *lesson(IMPORTS)[:1]]))) == ()


@pytest.mark.parametrize(
    "source",
    [
        "import _thread, _queue\nq = _queue.SimpleQueue()\n_thread.start_new_thread(q.get, ())",
        "import _posixsubprocess, posix\nends = posix.pipe()",
        "raise ValueError('the instructor has made a mistake')",
        "print('x' * 100_000)",
    ],
    ids=["a thread", "an open pipe", "an error", "much output"],
)
def test_what_turns_out_not_to_be_the_same_is_run_by_each(played, replayed, source):
    assert lead(source) == 1
    nb = played(*lesson(source, DATA.replace("X =", "import numpy as np\nX =")), source=lesson(source))
    assert ending(nb.cells[-1]) == OK and not replayed
    assert nb.cells[0].execution_count == 1


def test_a_test_counts_as_it_would_without(played):
    """What was run ahead in the judge's process is in no history, as what it is told to execute."""
    failing = cell("test", "double-test", "assert double(X).sum() == 31")
    source = [*lesson(IMPORTS, DATA)[:3], failing]
    moved = played(new_code_cell("1"), *source, source=source).cells[-1]
    led = played(*source, source=source).cells[-1]
    assert led.execution_count == moved.execution_count == 1
