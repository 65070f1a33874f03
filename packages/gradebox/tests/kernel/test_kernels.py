"""Warm kernels give the results of cold ones, and leave nothing behind."""

import os
import signal
import subprocess
import sys
import time

import pytest
from helpers import sample
from kernel_runs import printed_by, run, same_warm_and_cold
from nbformat.v4 import new_code_cell, new_notebook

from gradebox.kernel import zygote_client
from gradebox.notebook_metadata import KILLED, OK, TIMED_OUT, read_ending

pytestmark = pytest.mark.skipif(
    not zygote_client.can_fork_kernels(), reason="this system has no process descriptors"
)


def code(*cells: str):
    return new_notebook(cells=[new_code_cell(source) for source in cells])


def printed(nb) -> list[str]:
    return [printed_by(cell) for cell in nb.cells if cell.cell_type == "code"]


def gone(pid: int) -> bool:
    """Whether a process ends, on a machine that is busy, too."""
    for _ in range(1200):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except FileNotFoundError:
            return True
        time.sleep(0.05)
    return False


def test_a_warm_kernel_prints_and_draws_what_a_cold_one_does(monkeypatch):
    same_warm_and_cold(sample("source"), monkeypatch)


def test_a_kernel_begins_with_an_empty_namespace_of_its_own():
    assert printed(run(code("secret = 1\nimport numpy\nnumpy.leak = 1")))
    nb = run(code("import numpy\nprint('secret' in globals(), hasattr(numpy, 'leak'), __name__)"))
    assert printed(nb) == ["False False __main__\n"]


def test_hashes_and_threads_are_the_same_every_time():
    pytest.importorskip("torch")
    source = (
        "import os, torch\nprint(hash('attention'), torch.get_num_threads(), os.environ['PYTHONHASHSEED'])"
    )
    assert printed(run(code(source))) == printed(run(code(source)))
    assert printed(run(code(source)))[0].split()[1:] == ["1", "0"]


ORDERLY = """
import asyncio, sys, threading
print("first")
sys.stdout.flush()
sys.stdout.flush()
print("second", file=sys.stderr)
await asyncio.sleep(0.01)
writer = threading.Thread(target=print, args=("third",))
writer.start()
writer.join()
print("fourth", end="")
"""


def test_all_that_a_cell_prints_belongs_to_it_and_comes_in_its_order():
    nb = run(code(*[ORDERLY, "x = 1"] * 10, "await asyncio.sleep(0)\n'last'"))
    for cell in nb.cells[:-1:2]:
        said = {name: "" for name in ("stdout", "stderr")}
        for output in cell.outputs:
            said[output.name] += output.text
        assert said == {"stdout": "first\nthird\nfourth", "stderr": "second\n"}
    assert all(not cell.outputs for cell in nb.cells[1::2])
    assert nb.cells[-1].outputs[0].data["text/plain"] == "'last'"
    assert all(read_ending(cell) == OK for cell in nb.cells)


def test_a_cell_that_registers_a_transformation_has_it_in_the_next():
    register = (
        "def twice(lines):\n    return [line.replace('1', '2') for line in lines]\n"
        "get_ipython().input_transformers_post.append(twice)"
    )
    assert printed(run(code("print(1)", register, "print(1)"))) == ["1\n", "", "2\n"]


def test_a_kernel_that_dies_is_noticed():
    nb = run(code("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "print('goes on')"))
    assert read_ending(nb.cells[0]) == KILLED and printed(nb)[1] == "goes on\n"


def test_a_loop_is_interrupted_and_the_next_cell_runs():
    nb = run(
        code("here = 1\nwhile True: pass", "print('still', here)"),
        timeout_func=lambda cell: 1 if "while True" in cell.source else 120,
    )
    assert read_ending(nb.cells[0]) == TIMED_OUT and printed(nb)[1] == "still 1\n"


def test_nothing_is_left_when_a_run_ends():
    nb = run(
        code(
            "import os, subprocess\n"
            "child = subprocess.Popen(['sleep', '1000'])\nprint(os.getpid(), child.pid)"
        )
    )
    assert all(gone(int(pid)) for pid in printed(nb)[0].split())


def test_when_the_grader_dies_its_kernels_die(tmp_path):
    script = (
        "import sys, time\n"
        "from gradebox.kernel.zygote_client import STUDENT, get_zygote\n"
        "from gradebox.kernel.kernel_handle import KernelConfig, KernelHandle\n"
        "kernel = KernelHandle(KernelConfig(('numpy',), STUDENT, sys.argv[1], sys.argv[1]))\n"
        "kernel.wait_until_ready()\n"
        "print(get_zygote(('numpy',)).process.pid, kernel.pid, kernel.first, flush=True)\n"
        "time.sleep(1000)\n"
    )
    command = [sys.executable, "-c", script, tmp_path]
    grader = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    pids = [int(pid) for pid in grader.stdout.readline().split()]
    assert len(pids) == 3
    os.kill(grader.pid, signal.SIGKILL)
    grader.wait()
    assert all(gone(pid) for pid in pids)
