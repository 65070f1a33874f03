"""Zygotes: what they import ahead, who can share one, and who they wait for."""

import socket
import threading
import time
from contextlib import suppress

import pytest

from gradebox.judge import MODULES
from gradebox.kernels import client, zygote
from gradebox.run.ahead import needed

pytestmark = pytest.mark.skipif(not client.available(), reason="this system has no process descriptors")


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
