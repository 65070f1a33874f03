"""The lessons print and draw the same in a warm kernel as in a cold one."""

import pytest
from kernel_runs import same_warm_and_cold
from repository import LESSONS, notebook

from gradebox.kernel import zygote_client

pytestmark = [
    pytest.mark.skipif(not zygote_client.can_fork_kernels(), reason="this system has no process descriptors"),
    pytest.mark.slow,
]


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_warm_kernel_prints_and_draws_what_a_cold_one_does(lesson, monkeypatch):
    same_warm_and_cold(notebook("source", lesson), monkeypatch)
