"""What a lesson says is looked at once: cells that are known ahead do what they would do anyway."""

import socket
import threading
import time
from contextlib import suppress

import pytest
from helpers import cell
from nbformat.v4 import new_code_cell, new_notebook
from traitlets.config import Config

from gradebox.judge import MODULES
from gradebox.kernels import client, known, zygote
from gradebox.record import OK, ending
from gradebox.run import pair
from gradebox.run.ahead import needed
from gradebox.run.execute import Execute
from gradebox.run.lesson import Given, Lesson

pytestmark = pytest.mark.skipif(not client.available(), reason="this system has no process descriptors")


def graded(source: list, submission: list, **settings):
    config = Config()
    config.Execute = Config(**{"preload": ["numpy"], **settings})
    config.Execute.extra_arguments = ["--HistoryManager.hist_file=:memory:", "--log-level=ERROR"]
    config.Execute.shutdown_kernel = "immediate"
    nb = new_notebook(cells=submission)
    Execute(config=config).play(nb, Given(Lesson(new_notebook(cells=source))))
    return nb


# Each is a cell of the lesson, and stands in the submission as it is.
ODD = [
    "x = 1\nx",
    "def fail(n):\n    '''Fails.'''\n    return 1 / n",
    "fail(0)",
    "for n in (2, 1, 0):\n    print(\n        fail(n)\n    )",
    "%%time\nx = 2",
    "files = !echo one\nfiles",
    "%precision 3",
    "x?",
    "len?",
    "import asyncio\nawait asyncio.sleep(0)\nx = 3",
    "x = = 4",
    "x;",
    "if x:\n    'not shown'",
    "def own(a: 'int') -> 'float':\n    return a\nown.__annotations__",
    "from __future__ import annotations\ndef later(a: int) -> float: return a\nlater.__annotations__",
    "def own(a: int) -> float: return a\nown.__annotations__",
    "import inspect\nprint(inspect.getsource(fail))",
    "print(fail.__code__.co_filename == own.__code__.co_filename, In[1])",
    "y = 5\ny",
    "y = 5\ny",
    "class A:\n    def f(self):\n        raise ValueError('in a method')\nA().f()",
    "z = 1\nz + 1",
]
CHANGES = """
import ast
class Bigger(ast.NodeTransformer):
    def visit_Constant(self, node):
        return ast.copy_location(ast.Constant(node.value + 100), node) if type(node.value) is int else node
get_ipython().ast_transformers.append(Bigger())
"""
REWRITES = """
def rewrite(lines):
    return [line.replace("1", "20") for line in lines]
get_ipython().input_transformer_manager.cleanup_transforms.append(rewrite)
"""


def seen(cells: list[str], added: list[str], monkeypatch, teach: bool) -> list:
    """The outputs of a submission that has all cells of a lesson, and then some, and the last one again."""
    if not teach:
        monkeypatch.setattr(pair, "known_ahead", lambda *_: ())
    submission = [new_code_cell(text) for text in [*cells, *added, cells[-1]]]
    # In zygotes of their own: what one has learned, it knows.
    preload = ["numpy if x", "json if x" if teach else "string if x"]
    nb = graded([new_code_cell(text) for text in cells], submission, preload=preload)
    monkeypatch.undo()

    def plain(output) -> dict:
        return {key: value for key, value in output.items() if key != "text" or "Wall time" not in value}

    return [(ending(one), one.execution_count, [plain(output) for output in one.outputs]) for one in nb.cells]


@pytest.mark.parametrize("added", [[], [CHANGES], [REWRITES]], ids=["as they are", "changed", "rewritten"])
def test_a_cell_that_is_known_ahead_does_what_it_would_do_anyway(added, monkeypatch):
    first = seen(ODD, added, monkeypatch, teach=True)
    assert first == seen(ODD, added, monkeypatch, teach=False)
    assert first[1][0] == OK and first[2][2][0]["ename"] == "ZeroDivisionError"
    (shown,) = first[-1][2]
    assert shown["data"]["text/plain"] == {(): "2", (CHANGES,): "202", (REWRITES,): "40"}[tuple(added)]


GIVEN = cell("given", "given", "import numpy as np")
TEST = cell(
    "test",
    "t",
    "from gradebox.kernels import known\nMARK = any('MARK' in one for one in known.trees)\nassert MARK",
)
LOOKS = """
from gradebox.kernels import known
texts = [*known.transformed, *known.trees, *known.transformed.values()]
print(any("numpy" in one for one in texts), any("MARK" in one for one in texts), len(texts))
"""


def test_the_judge_knows_the_tests_ahead_and_no_students_kernel_does():
    nb = graded([GIVEN, TEST], [GIVEN, new_code_cell(LOOKS), TEST])
    assert ending(nb.cells[2]) == OK, nb.cells[2].outputs
    assert nb.cells[1].outputs[0].text.startswith("True False"), nb.cells[1].outputs


def test_code_is_named_as_if_it_had_been_compiled_there():
    outer = compile("def f():\n    return [lambda: x for x in y]", "there", "exec")
    again = known.named(outer, "here")
    assert again.co_filename == "here" and again.co_consts[0].co_filename == "here"
    assert again.replace(co_filename="there", co_consts=outer.co_consts) == outer


def test_modules_are_imported_ahead_where_a_lesson_needs_them():
    listed = ["numpy", "matplotlib.pyplot", "torch", "torch._dynamo if meta"]
    assert needed(listed, ["import numpy as np"]) == ("numpy", *MODULES)
    assert needed(listed, ["from torch import nn", "x = 'metadata'"]) == ("torch", *MODULES)
    assert needed(listed, ["torch.zeros(3, device='meta')"]) == ("torch", "torch._dynamo", *MODULES)
    assert needed(listed, []) == ("numpy", "matplotlib.pyplot", "torch", "torch._dynamo", *MODULES)


def test_a_warm_process_that_has_more_will_do():
    one = client.zygote(("numpy", "json", "this_test"))
    assert client.zygote(("numpy", "this_test")) is one
    assert client.zygote(("numpy", "json", "string", "this_test")) is not one


def test_who_sends_cells_without_end_does_not_keep_kernels_waiting():
    """Each part comes in time, the whole does not."""
    ours, theirs = socket.socketpair()

    def drip() -> None:
        with suppress(OSError):
            while True:
                theirs.sendall(b"1")
                time.sleep(0.02)

    threading.Thread(target=drip, daemon=True).start()
    with ours, pytest.raises(TimeoutError):
        zygote.received(ours, 0.3)
    ours, theirs = socket.socketpair()
    theirs.sendall(b"[]")
    theirs.close()
    with ours:
        assert zygote.received(ours, 30) == b"[]"
