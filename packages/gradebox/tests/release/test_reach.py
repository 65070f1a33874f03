"""What a test does out of a submission's reach is said when it is released."""

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from gradebox.release.reach import out_of_reach


def said(test: str, solution: str = "def draw():\n    return np.random.rand()") -> list[str]:
    """What is said of a test after `import numpy as np` and a solution."""
    roles = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
    cells = [
        new_code_cell("import numpy as np, os, random, sys, torch\nfrom pathlib import Path"),
        new_code_cell(solution, metadata={"nbgrader": {**roles, "grade_id": "draw", "solution": True}}),
        new_code_cell(
            test, metadata={"nbgrader": {**roles, "grade_id": "draw-test", "grade": True, "points": 1}}
        ),
    ]
    return list(out_of_reach(new_notebook(cells=cells)))


@pytest.mark.parametrize(
    "test, what",
    [
        ("np.random.rand = lambda: 5", "it changes numpy.random.rand"),
        ("assert draw() < 1\ndel np.random.rand", "line 2: it changes numpy.random.rand"),
        ("os.environ['A'] = 'b'", "it changes os.environ"),
        ("setattr(np, 'pi', 3)", "it changes numpy"),
        ("os.chdir('data')", "os.chdir()"),
        ("from unittest import mock\nwith mock.patch.object(np, 'pi', 3):\n    draw()", "it changes numpy"),
        ("from unittest.mock import patch\nwith patch('random.random', int):\n    draw()", "random.random"),
    ],
)
def test_it_is_said(test, what):
    (found,) = said(test)
    assert found.startswith("draw-test, line ") and what in found


@pytest.mark.parametrize(
    "test",
    [
        "old = draw\ndel draw\ndraw = old",
        "from unittest.mock import patch\nwith patch('__main__.draw', int):\n    draw()",
        "rng = np.random.default_rng(0)\nx = rng.normal(size=3)\nx[0] = 1\nx.sort()",
        "np.testing.assert_allclose(draw(), 0.5, atol=0.5)",
        "assert open('data.txt').read() == '1'",
        "np.seterr(all='ignore')\nimport warnings\nwarnings.simplefilter('error')\n"
        "torch.set_grad_enabled(False)",
        "draw.calls = 0\nnumbers = {}\nnumbers['a'] = 1",
        "np.random.seed(0)\ntorch.manual_seed(0)\nassert draw() < 1",
        "from random import seed\nseed(3)",
        "sys.stdout = None",
        "from contextlib import redirect_stdout\nwith redirect_stdout(None):\n    draw()",
        "from unittest.mock import patch\nwith patch('builtins.input', int):\n    draw()",
        "input = lambda text: '3'",
        "open('data.txt', 'w').write('1')\nPath('data.txt').write_text('1')\nnp.save('data.npy', np.ones(2))",
    ],
)
def test_nothing_is_said_of_what_reaches_a_submission_or_need_not(test):
    assert said(test) == []
