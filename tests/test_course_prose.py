"""Lessons, advice and pages of the course: habits that make text hard to read don't become more frequent."""

import re

import pytest
from prose import HABITS, Passage, count_habits, read_passages
from repository import REPOSITORY

ADVICE = re.compile(r'advice="((?:[^"\\]|\\.)*)"')
# Marks per 1,000 words today. Lower a limit when the text has improved.
LIMITS = {
    "lessons": {
        "question word as a noun": 0.7,
        "German syntax": 2.1,
        "description in place of the term": 0.9,
        "speech for data flow": 1.5,
    },
    "advice": {
        "question word as a noun": 0.3,
        "German syntax": 4.3,
        "description in place of the term": 3.7,
    },
    "pages": {},
}


def read_advice():
    for path in sorted((REPOSITORY / "answers").glob("*/*.py")):
        for match in ADVICE.finditer(path.read_text(encoding="utf-8")):
            yield Passage(path, 1, "pages", match[1])


TEXTS = {
    "lessons": lambda: read_passages([REPOSITORY / "lessons"], lessons=True),
    "advice": lambda: list(read_advice()),
    "pages": lambda: read_passages([REPOSITORY / "docs", REPOSITORY / "README.md"]),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_text_gets_no_harder_to_read(kind):
    passages = TEXTS[kind]()
    rates = count_habits(passages)
    over = {habit: rate for habit, rate in rates.items() if rate > LIMITS[kind].get(habit, 0.2)}
    marks = [(one.path.name, one.line, *mark) for one in passages for mark in one.find_marks()]
    assert passages and set(rates) == set(HABITS)
    assert not over, (over, [mark for mark in marks if mark[2] in over])
