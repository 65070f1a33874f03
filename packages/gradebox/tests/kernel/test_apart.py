"""Kernels of one template share nothing, and what a submission does to its own costs nobody else anything."""

import pytest
from helpers import cell
from nbformat.v4 import new_code_cell

from gradebox.kernel import zygote_client
from gradebox.notebook_metadata import GARBLED, KILLED, OK, TIMED_OUT, read_ending, read_flag

pytestmark = pytest.mark.skipif(
    not zygote_client.can_fork_kernels(), reason="this system has no process descriptors"
)

LOOKS = """
import os, stat
def look():
    for number in range(256):
        try:
            status = os.fstat(number)
        except OSError:
            continue
        if stat.S_ISSOCK(status.st_mode) or stat.S_ISFIFO(status.st_mode) or stat.S_ISREG(status.st_mode):
            yield number, status.st_dev, status.st_ino
print(sorted(look()))
"""
DOUBLE = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"
FOUR = "def four(x):\n    ### BEGIN SOLUTION\n    return double(double(x))\n    ### END SOLUTION"
LESSON = [
    cell("solution", "double", DOUBLE),
    cell("test", "double-test", "assert double(3) == 6"),
    cell("solution", "four", FOUR),
    cell("test", "four-test", "assert four(3) == 12"),
]


def handed_in(double: str, *own: str) -> list:
    four = cell("solution", "four", "def four(x):\n    return double(double(x))")
    return [cell("solution", "double", double), LESSON[1], *map(new_code_cell, own), four, LESSON[3]]


def printed(one) -> str:
    return "".join(output.get("text", "") for output in one.outputs)


def test_two_kernels_of_a_template_have_no_descriptor_in_common(played):
    first, second = (set(eval(printed(played(new_code_cell(LOOKS)).cells[0]))) for _ in range(2))
    # Frames, two pipes, and those of an event loop.
    assert len(first) >= 5 and not {one[1:] for one in first} & {one[1:] for one in second}


def test_a_fork_that_comes_back_from_its_cell_ends_there(played):
    nb = played(
        new_code_cell("import os\npid = os.fork()\nx = 1 if pid else 2"),
        *[new_code_cell(f"x += 1\nprint(x, pid > 0, {n})") for n in range(6)],
    )
    assert [printed(one) for one in nb.cells[1:]] == [f"{n + 2} True {n}\n" for n in range(6)]


def impatient(cell) -> int:
    """Give two seconds to a cell without an end, and to the others more than a slow machine takes."""
    return 60 if cell.source == "x" else 2


def test_a_cell_that_catches_the_interrupt_is_late_all_the_same(played):
    late = "import time\ntry:\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    pass\nx = 1"
    nb = played(new_code_cell(late), new_code_cell("x"), timeout_func=impatient)
    assert read_ending(nb.cells[0]) == TIMED_OUT and read_ending(nb.cells[1]) == OK


def test_a_cell_that_prints_without_end_can_be_interrupted(played):
    prints = "x = 1\nwhile True: print('x' * 100_000)"
    nb = played(new_code_cell(prints), new_code_cell("x"), timeout_func=impatient)
    # Whatever it was in the middle of: its process goes on.
    assert read_ending(nb.cells[0]) == TIMED_OUT and nb.cells[1].outputs[0].data == {"text/plain": "1"}


def test_threads_that_show_large_things_at_once_are_heard_one_after_the_other(played):
    shows = (
        "import threading\nfrom IPython.display import HTML, display\n"
        "def show():\n    for _ in range(5): display(HTML('<b>%s</b>' % ('h' * 90_000)))\n"
        "many = [threading.Thread(target=show) for _ in range(4)]\n"
        "[one.start() for one in many]; [one.join() for one in many]; print('said')"
    )
    nb = played(new_code_cell(shows), new_code_cell("1"))
    assert read_ending(nb.cells[0]) == OK and not read_flag(nb.cells[0]) and read_ending(nb.cells[1]) == OK


@pytest.mark.parametrize(
    "said",
    [
        '"error", {"ename": "Tampered", "evalue": "it was copied from Ann", "traceback": []}',
        '"execute_result", {"data": {"text/html": "11 of 10 points"}}',
        '"clear_output", {"wait": False}',
    ],
)
def test_what_a_submission_shows_while_it_serves_a_test_is_what_it_prints(played, said):
    shows = "shows = get_ipython().kernel.session\n"
    words = f"{shows}def double(x):\n    shows.say({said})\n    print('seen')\n    return 2 * x"
    test = played(*handed_in(words), source=LESSON).cells[1]
    assert (read_ending(test), read_flag(test)) == (OK, None)
    assert [(one.output_type, one.text) for one in test.outputs] == [("stream", "seen\n")]


def test_frames_without_end_between_cells_keep_nobody_waiting(played):
    floods = (
        "frames = get_ipython().kernel.session.frames\nframes.send({'end': 'ok', 'count': 1, 'run': 1})\n"
        "while True: frames.link.sendall(b'\\x00\\x00\\x00\\x02{}' * 40_000)"
    )
    nb = played(new_code_cell(floods), new_code_cell("1"), timeout=5, notebook_timeout=30)
    assert read_ending(nb.cells[0]) == OK and read_ending(nb.cells[1]) == GARBLED and read_flag(nb.cells[1])


def test_a_process_that_has_ended_is_seen_to_whoever_holds_its_sockets(played):
    dies = (
        "import multiprocessing, os, time\nfork = multiprocessing.get_context('fork')\n"
        "many = [fork.Process(target=time.sleep, args=(60,)) for _ in range(2)]\n"
        "[one.start() for one in many]\nos._exit(1)"
    )
    nb = played(*handed_in("def double(x):\n    return 2 * x", dies), source=LESSON)
    assert read_ending(nb.cells[2]) == KILLED and "ended the Python process" in nb.cells[2].outputs[-1].evalue


def test_magics_keep_what_they_keep_and_nobody_debugs(played):
    nb = played(
        new_code_cell("import os\n%cd ..\nprint(os.path.basename(os.getcwd()) != 'work')"),
        new_code_cell("x = 3\n%store x\n%store"),
        new_code_cell("breakpoint()\n'went on'"),
        new_code_cell("import sys\ndel sys.stdout\n1"),
    )
    assert [read_ending(one) for one in nb.cells[:3]] == [OK] * 3
    assert "True" in printed(nb.cells[0]) and "x" in printed(nb.cells[1])


def test_a_grader_may_have_a_long_folder_for_what_is_temporary(played, tmp_path, monkeypatch):
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    nb = played(new_code_cell("1 + 1"), preload=["numpy", "json if long"])
    assert read_ending(nb.cells[0]) == OK
