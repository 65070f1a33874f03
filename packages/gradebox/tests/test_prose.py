"""The package's text is plain English, and its names are distinct. CONTRIBUTING.md gives the rules."""

import ast
from collections import defaultdict

import pytest
from helpers import PROJECT
from prose import HABITS, KINDS, Passage, count_habits, find_question_starts, read_passages

PACKAGE = PROJECT / "src" / "gradebox"
PAGES = [PROJECT / "docs", PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", PROJECT / "SECURITY.md"]
# Marks per 1,000 words: a word of the list may have a proper meaning now and then.
LIMIT = 0.2
# `main` is every program's; `check` is the command and the function that students see.
SHARED_NAMES = {"main", "check"}
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if not path.stem.startswith("__"))


@pytest.fixture(scope="module")
def passages():
    return read_passages([PACKAGE, *PAGES])


@pytest.mark.parametrize("kind", KINDS)
def test_text_keeps_clear_of_habits_that_make_it_hard_to_read(passages, kind):
    own = [passage for passage in passages if passage.kind == kind]
    rates = count_habits(own)
    marks = [(str(one.path), one.line, *mark) for one in own for mark in one.find_marks()]
    over = [habit for habit in HABITS if rates[habit] > LIMIT]
    assert not over, [mark for mark in marks if mark[2] in over]


def test_docstrings_begin_with_a_verb_or_a_noun_phrase(passages):
    assert [(str(one.path), one.line) for one in find_question_starts(passages)] == []


def test_the_habits_are_found():
    bad = {
        "question word as a noun": "Whether a cell is locked.",
        "causative": "Let a student be in the gradebook.",
        "pronoun without an antecedent": "an error that is none",
        "German syntax": "The file is no folder.",
        "description in place of the term": "The function gives back a list.",
        "speech for data flow": "The driver hears the kernel.",
    }
    for habit, text in bad.items():
        marks = [found for found, _ in Passage(PACKAGE, 1, "docstrings", text).find_marks()]
        assert marks == [habit], (habit, marks)
    assert not list(Passage(PACKAGE, 1, "docstrings", "Return True if a cell is locked.").find_marks())


def test_no_two_modules_share_a_name():
    folders = defaultdict(list)
    for path in MODULES:
        folders[path.stem].append(path.parent.name)
    assert {name: where for name, where in folders.items() if len(where) > 1} == {}


def test_no_two_public_classes_or_functions_share_a_name():
    modules = defaultdict(list)
    for path in MODULES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                if not node.name.startswith("_") and node.name not in SHARED_NAMES:
                    modules[node.name].append(path.stem)
    assert {name: where for name, where in modules.items() if len(where) > 1} == {}
