"""Zygotes: what they import ahead, and who can share one."""

import pytest

from gradebox.execute.preload_modules import needed
from gradebox.judge import MODULES
from gradebox.kernel import zygote_client

pytestmark = pytest.mark.skipif(
    not zygote_client.available(), reason="this system has no process descriptors"
)


def test_modules_are_imported_ahead_where_a_lesson_needs_them():
    listed = ["numpy", "matplotlib.pyplot", "torch", "torch._dynamo if meta"]
    assert needed(listed, ["import numpy as np"]) == ("numpy", *MODULES)
    assert needed(listed, ["from torch import nn", "x = 'metadata'"]) == ("torch", *MODULES)
    assert needed(listed, ["torch.zeros(3, device='meta')"]) == ("torch", "torch._dynamo", *MODULES)
    assert needed(listed, []) == ("numpy", "matplotlib.pyplot", "torch", "torch._dynamo", *MODULES)


def test_a_warm_process_that_has_more_will_do():
    one = zygote_client.zygote(("numpy", "json", "this_test"))
    assert zygote_client.zygote(("numpy", "this_test")) is one
    assert zygote_client.zygote(("numpy", "json", "string", "this_test")) is not one
