"""What the audit's shell says of a cell."""

import json
import subprocess
import sys

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
from gradebox.answer_runner.answer_shell import Shell
cells = json.load(sys.stdin)
shell = Shell.instance()
said = {name: asdict(shell.execute(name, cell)) for name, cell in cells.items()}
files = {name: shell.user_ns[name].__code__.co_filename for name in ("half",)}
print("\\n" + json.dumps([said, files]))
"""


def test_frames_are_known_by_the_cells_whose_code_they_run():
    ran = subprocess.run([sys.executable, "-c", RUN], input=json.dumps(CELLS), capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    attempts, files = json.loads(ran.stdout.splitlines()[-1])
    assert files == {"half": "solution"}
    assert attempts["value"]["value"] == "1.5" and attempts["statements"]["value"] == "2.5"
    raised = attempts["raises"]
    assert (raised["line"], raised["origin"], raised["error"]) == (2, "solution", "ValueError")
    failed = attempts["fails"]
    assert (failed["line"], failed["origin"], failed["message"]) == (3, "fails", "not 3")
    assert attempts["no Python"]["error"] == "SyntaxError"
    assert attempts["no Python"]["origin"] == "no Python"
