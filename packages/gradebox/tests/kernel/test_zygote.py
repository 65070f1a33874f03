"""Zygotes: what they import ahead, and who can share one."""

import pytest

from gradebox.execute.preload_modules import select_preload_modules
from gradebox.judge import MODULES
from gradebox.kernel import zygote_client

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
