"""What the audit's shell says of a cell is the same whether the cell was known ahead or not."""

import json
import subprocess
import sys

import pytest

CELLS = {
    "imports": "import math\n%config InlineBackend.figure_format = 'png'",
    "solution": "def half(x):\n    if x < 0:\n        raise ValueError('too small')\n    return x / 2\n",
    "value": "half(3)",
    "statements": "a = half(2)\nb = [half(n) for n in range(3)]\na + sum(b)",
    "fails": "one = 1\n\nassert half(4) == 3, 'not 3'",
    "raises": "two = 2\nhalf(-1)",
    "no Python": "def half(:",
    "warns": "assert (1, 'always true')\nx = 1 is 1",
    "magic": "%%time\nthree = half(6)",
    "awaits": "import asyncio\nawait asyncio.sleep(0)\nhalf(8)",
    "again": "two == 2 and one == 1 and half(two)",
}
RUN = """
import json, sys, warnings
warnings.simplefilter("ignore")
from dataclasses import asdict
from gradebox.trial.shell import Shell
from gradebox.kernels import known
cells, ahead = json.load(sys.stdin)
for cell in cells.values() if ahead else ():
    known.learn(cell)
shell = Shell.instance()
said = {name: asdict(shell.execute(name, cell)) for name, cell in cells.items()}
files = {name: shell.user_ns[name].__code__.co_filename for name in ("half",)}
print("\\n" + json.dumps([said, files, len(known.trees)]))
"""


def said_of(cells: dict[str, str], ahead: bool) -> list:
    ran = subprocess.run(
        [sys.executable, "-c", RUN], input=json.dumps([cells, ahead]), capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def both() -> tuple[list, list]:
    return said_of(CELLS, ahead=False), said_of(CELLS, ahead=True)


def test_a_cell_that_is_known_ahead_goes_as_any_other(both):
    anew, ahead = both
    assert anew[:2] == ahead[:2]
    # They were, but for those that nobody can know: magics are Python, what awaits or warns is for the shell.
    assert anew[2] == 0 and ahead[2] >= 7


def test_frames_are_known_by_the_cells_whose_code_they_run(both):
    for attempts, files, _ in both:
        assert files == {"half": "solution"}
        assert attempts["value"]["value"] == "1.5" and attempts["statements"]["value"] == "2.5"
        raised = attempts["raises"]
        assert (raised["line"], raised["origin"], raised["error"]) == (2, "solution", "ValueError")
        failed = attempts["fails"]
        assert (failed["line"], failed["origin"], failed["message"]) == (3, "fails", "not 3")
        assert attempts["no Python"]["error"] == "SyntaxError"
        assert attempts["no Python"]["origin"] == "no Python"
