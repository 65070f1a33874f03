"""Zygotes: what they import ahead, and who can share one."""

import sys

import pytest

from gradebox.execute.preload_modules import select_preload_modules
from gradebox.judge import MODULES
from gradebox.kernel import zygote_client
from gradebox.kernel.interpreter import OWN_INTERPRETER, Interpreter

pytestmark = pytest.mark.skipif(
    not zygote_client.can_fork_kernels(), reason="this system has no process descriptors"
)


def test_modules_are_imported_ahead_where_a_lesson_needs_them():
    listed = ["numpy", "matplotlib.pyplot", "torch", "torch._dynamo if meta"]
    assert select_preload_modules(listed, ["import numpy as np"]) == ("numpy", *MODULES)
    assert select_preload_modules(listed, ["from torch import nn", "x = 'metadata'"]) == ("torch", *MODULES)
    assert select_preload_modules(listed, ["torch.zeros(3, device='meta')"]) == (
        "torch",
        "torch._dynamo",
        *MODULES,
    )
    assert select_preload_modules(listed, []) == (
        "numpy",
        "matplotlib.pyplot",
        "torch",
        "torch._dynamo",
        *MODULES,
    )


def test_a_warm_process_that_has_more_will_do():
    one = zygote_client.get_zygote(("numpy", "json", "this_test"))
    assert zygote_client.get_zygote(("numpy", "this_test")) is one
    assert zygote_client.get_zygote(("numpy", "json", "string", "this_test")) is not one


# A library whose import does not end before its folder holds this file.
IMPORTABLE = "importable"
SLOW_LIBRARY = f"""
import time
from pathlib import Path
while not Path(__file__).with_name("{IMPORTABLE}").exists():
    time.sleep(0.01)
"""


def test_a_lesson_does_not_wait_for_libraries_that_only_others_need(tmp_path):
    (tmp_path / "slow_library.py").write_text(SLOW_LIBRARY)
    python = Interpreter(sys.executable, OWN_INTERPRETER.version, (("PYTHONPATH", str(tmp_path)),))
    modules = ("json", "slow_library")
    zygote_client.get_zygote(modules, python, light=("json",))
    place = zygote_client.STUDENT, (), python
    zygote_client.connect_to_template(modules, *place, needs=("json",)).close()
    with pytest.raises(RuntimeError, match="did not start"):
        zygote_client.connect_to_template(modules, *place, needs=modules, seconds=0.1)
    (tmp_path / IMPORTABLE).touch()
    zygote_client.connect_to_template(modules, *place, needs=modules).close()
