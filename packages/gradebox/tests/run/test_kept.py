"""Second chances go on from a moment that was kept, only where that comes to the same."""

import os
from copy import deepcopy

import pytest
from helpers import cell
from nbformat.v4 import new_code_cell
from nbgrader import utils

from gradebox.kernels import client
from gradebox.kernels.kernel import Kernel
from gradebox.notebook import name_of
from gradebox.record import KILLED, OK, ending, passed_on_second_chance
from gradebox.run.kept import used_at_once
from gradebox.run.pair import Pair
from gradebox.run.traceless import only_defines

pytestmark = pytest.mark.skipif(not client.available(), reason="this system has no process descriptors")

DOUBLE = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"
FOUR = "def four(x):\n    ### BEGIN SOLUTION\n    return double(double(x))\n    ### END SOLUTION"
LESSON = [
    cell("given", "given", "import numpy as np"),
    cell("solution", "double", DOUBLE),
    cell("test", "double-test", "assert double(3) == 6"),
    cell("solution", "four", FOUR),
    cell("test", "four-test", "assert four(3) == 12"),
]
WRONG = "def double(x):\n    return x"
RIGHT = "def four(x):\n    return double(double(x))"
EMPTY = "pass"


@pytest.fixture
def events(monkeypatch) -> list[str]:
    """What was played, by name, and when sessions were begun, kept and gone back to."""
    found: list[str] = []
    play, keep, back, started = Pair.play, Pair.keep, Pair.back, Pair.started

    def noted(name, stock):
        def instead(self, *arguments):
            answer = stock(self, *arguments)
            found.append(f"{name} {answer}" if name == "keep" else name)
            return answer

        return instead

    def played(self, one, number):
        found.append(name_of(one) or one.source)
        return play(self, one, number)

    monkeypatch.setattr(Pair, "play", played)
    monkeypatch.setattr(Pair, "keep", noted("keep", keep))
    monkeypatch.setattr(Pair, "back", noted("back", back))
    monkeypatch.setattr(Pair, "started", noted("begin", started))
    return found


def submission(double: str = WRONG, four: str = RIGHT, between: str = EMPTY, **more: str) -> list:
    """The lesson handed in; between: a cell of the student's own ahead of the first test."""
    given, exercise, test, other, last = LESSON
    cells = [given, cell("solution", "double", double), new_code_cell(between), test]
    cells += [new_code_cell(source) for source in more.values()]
    return [*cells, cell("solution", "four", four), last]


def chance(nb) -> bool:
    return passed_on_second_chance(nb.cells[-1])


def test_a_second_chance_goes_on_from_behind_the_first_test_that_failed(played, events):
    assert chance(played(*submission(), source=LESSON))
    kept = ["begin", "given", "double", "pass", "double-test", "keep True", "four", "four-test"]
    # The reference, and what follows.
    assert events == [*kept, "back", "double", "four", "four-test"]


def test_whose_a_name_is_goes_back_with_the_processes(played, events):
    lesson = [
        cell("given", "given", "import numpy as np\nlimit = 1"),
        *LESSON[1:3],
        cell("solution", "four", FOUR + "\nlimit = 2"),
        cell("test", "four-test", "assert limit == 2 and four(3) == 12"),
    ]
    cells = submission(four=RIGHT + "\nlimit = 2")
    assert chance(played(lesson[0], *cells[1:-1], lesson[-1], source=lesson))
    assert "keep True" in events and "back" in events


def test_nothing_is_kept_where_no_second_chance_can_follow(played, events):
    played(
        *submission(double="def double(x):\n    return 2 * x", four="def four(x):\n    return 0"),
        source=LESSON,
    )
    assert not any(event.startswith("keep") for event in events)
    events.clear()
    # The exercise that builds on it is as it was released.
    played(*LESSON[:1], cell("solution", "double", WRONG), LESSON[2], *released(), source=LESSON)
    assert not any(event.startswith("keep") for event in events)


def released() -> list:
    four = cell("solution", "four", "def four(x):\n    raise NotImplementedError()")
    four.metadata.nbgrader["checksum"] = utils.compute_checksum(four)
    return [four, LESSON[4]]


MOVING = {
    "a thread": "import threading, time\nthreading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
    "a program": "import subprocess\nprogram = subprocess.Popen(['sleep', '60'])",
    "an open file": "file = open('/dev/null')",
    "a file": "open('notes.txt', 'w').write('x')",
    "a handler of signals": "import signal\nsignal.signal(signal.SIGUSR1, lambda *_: None)",
    "shared memory": "import mmap\nshared = mmap.mmap(-1, 4096)",
    "a pipe": "import os\nends = os.pipe()",
    "much memory": "import numpy as np\nmuch = np.ones(80_000_000)",
}


@pytest.mark.parametrize("source", MOVING.values(), ids=MOVING)
def test_what_a_fork_would_share_or_lack_keeps_a_moment_from_being_kept(played, events, source):
    """And the second chance is what it would have been."""
    assert chance(played(*submission(between=source), source=LESSON, memory_limit=2**31))
    assert "keep False" in events and events.count("begin") == 2


@pytest.mark.parametrize(
    "later",
    ["open('later.txt', 'w').write('x')", "import subprocess\nprogram = subprocess.Popen(['sleep', '60'])"],
    ids=["a file", "a program"],
)
def test_what_does_not_go_back_keeps_sessions_from_going_back(played, events, later):
    assert chance(played(*submission(later=later), source=LESSON))
    assert "keep True" in events and "back" not in events and events.count("begin") == 2


@pytest.mark.parametrize(
    "own",
    [
        {"double": "calls = []\ndef double(x):\n    return x"},
        {"between": "six = double(3)"},
        {"between": "exec('six = double(3)')"},
        {"between": "def six(x=double(3)):\n    return x"},
    ],
    ids=["it did more", "it was used", "it may have been used", "it was used by a definition"],
)
def test_a_wrong_solution_that_has_left_something_is_not_gone_on_from(played, events, own):
    assert chance(played(*submission(**own), source=LESSON))
    assert "back" not in events and events.count("begin") == 2


def test_what_has_met_references_is_not_gone_back_to(played, events):
    """Each second chance after the first has sessions of its own."""
    others = [
        cell(
            "solution", "half", "def half(x):\n    ### BEGIN SOLUTION\n    return x / 2\n    ### END SOLUTION"
        ),
        cell("test", "half-test", "assert half(4) == 2"),
        cell(
            "solution", "one", "def one(x):\n    ### BEGIN SOLUTION\n    return half(2)\n    ### END SOLUTION"
        ),
        cell("test", "one-test", "assert one(1) == 1"),
    ]
    source = deepcopy([*LESSON, *others])
    for name, builds in {"double": [], "four": ["double"], "half": [], "one": ["half"]}.items():
        next(one for one in source if name_of(one) == name).metadata["builds_on"] = builds
    half = [cell("solution", "half", "def half(x):\n    return x"), others[1]]
    one = [cell("solution", "one", "def one(x):\n    return half(2)"), others[3]]
    nb = played(*submission(), *half, *one, source=source)
    assert [passed_on_second_chance(c) for c in nb.cells if name_of(c) in ("four-test", "one-test")] == [
        True,
        True,
    ]
    assert events.count("keep True") == 1 and events.count("back") == 1 and events.count("begin") == 2


def test_random_numbers_go_on_as_if_nothing_had_been_kept(played, events):
    draws = "import random, numpy as np\nprint(random.random(), np.random.random())"
    seeds = "import random, numpy as np\nrandom.seed(3)\nnp.random.seed(3)"
    kept = played(*submission(between=seeds, later=draws), source=LESSON)
    assert "keep True" in events
    plain = played(*submission(between=seeds, later=draws), source=LESSON, second_chances=False)
    assert kept.cells[4].outputs == plain.cells[4].outputs and kept.cells[4].outputs


def test_a_cell_that_kills_its_process_goes_on_from_there(played, events):
    """What ran before that moment is not run again."""
    nb = played(*submission(before="x = 7", kills="import os\nos._exit(0)", after="print(x)"), source=LESSON)
    assert [ending(one) for one in nb.cells[4:7]] == [OK, KILLED, OK]
    assert nb.cells[6].outputs[0].text == "7\n" and chance(nb)
    assert events.count("double-test") == events.count("begin") == 1


def test_a_process_that_waits_counts_for_nothing(played, events):
    """With it, there would be one more than there may be."""
    starts = (
        "import subprocess, time\nmany = [subprocess.Popen(['sleep', '9']) for _ in 'abc']\ntime.sleep(0.5)"
    )
    nb = played(*submission(later=starts), source=LESSON, process_limit=4)
    assert "keep True" in events and ending(nb.cells[4]) == OK and chance(nb)


def test_no_process_that_waits_outlives_its_submission(played, events, monkeypatch):
    pids: list[int] = []
    keep = Kernel.keep

    def kept(self, link=None):
        keep(self, link)
        pids.extend([self.pid, self.kept.pid, self.first])

    monkeypatch.setattr(Kernel, "keep", kept)
    played(*submission(four="import os\nos._exit(0)"), source=LESSON)
    assert len(pids) >= 6
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_what_a_cell_defines_and_uses_at_once_is_told_by_its_text():
    assert only_defines("import math\ndef f(x=1) -> z:\n    return w\n") and not only_defines("x = 1")
    assert used_at_once("@d\ndef f(x=y) -> z:\n    return w") == {"d", "y", "z"}
    assert used_at_once("class A(B):\n    c = D\n    def f(self):\n        return E") == {"B", "D"}
    assert "*" in used_at_once("exec('f()')")
