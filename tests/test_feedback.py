"""Pages for students say what the tests said, and nothing that would give a hidden test away."""

import html
import re

import pytest
from conftest import LESSONS, grade, hidden_from, notebook, score_cells, solved_cells
from nbformat.v4 import new_code_cell, new_output
from nbgrader.converters import GenerateFeedback

from gradebox import answers

LESSON = LESSONS[0]
# What it leaks is nowhere in its text.
LEAKS = (
    "def weight_entropy(weights):\n    mark = 'lea' + f'ked{{weights.size}}'\n    {}\n    return 0 * weights"
)


@pytest.fixture(scope="module")
def page_of(class_room):
    """Grades a notebook, and gives the text of its student's page and the graded copy."""

    def page(student: str, nb):
        grade(class_room, LESSON, student, nb)
        assert class_room.convert(GenerateFeedback, LESSON, student) is None
        (path,) = class_room.path("feedback", LESSON, student).glob("*.html")
        text = html.unescape(re.sub(r"<[^>]*>", "", path.read_text(encoding="utf-8")))
        return text, notebook("autograded", LESSON, class_room.root, student)

    return page


def secrets() -> set[str]:
    """The lines that only the instructor's notebook has."""
    public = "\n".join(cell.source for cell in notebook("release", LESSON).cells)
    found = set()
    for cell in score_cells(notebook("source", LESSON)).values():
        found |= set(map(str.strip, cell.source.splitlines()[hidden_from(cell.source) :]))
    return {line for line in found if len(line) > 20 and line not in public and not line.startswith("### ")}


def test_the_page_has_points_and_messages_and_no_hidden_line(page_of):
    wrong = {
        "attention-weights": "def attention_weights(Q, K):\n    return softmax(Q @ K.T / Q.shape[1])",
        "weight-entropy": "def weight_entropy(weights):\n    return 1 / 0",
        "softmax": "def softmax(scores, axis=-1):\n    e = np.exp(scores)\n    return e / e.sum(axis)",
    }
    text, graded = page_of("wrong", answers.fill(solved_cells(LESSON), wrong))
    assert "divided by d_k, not by its root" in text
    assert "Your code stopped with ZeroDivisionError when the test called it." in text
    assert not [line for line in secrets() if line in text]
    assert "Traceback (most" not in text and "standins.py" not in text
    # The graded copy has it all.
    everything = "\n".join(cell.source for cell in graded.cells)
    assert all(line in everything for line in secrets())


@pytest.mark.parametrize(
    "way",
    [
        "print(mark)",
        "raise ValueError(mark)",
        "raise type(mark, (Exception,), {})()",
        "globals().setdefault('seen', []).append(mark)",
    ],
    ids=["print", "message", "class", "later"],
)
def test_what_a_test_has_passed_is_not_on_the_page(page_of, way, request):
    nb = answers.fill(solved_cells(LESSON), {"weight-entropy": LEAKS.format(way)})
    nb.cells.append(new_code_cell("print(globals().get('seen'))"))
    text, graded = page_of(f"leak-{request.node.callspec.id}", nb)
    printed = str([cell.outputs for cell in graded.cells if cell.cell_type == "code"])
    assert "leaked" in printed and "leaked" not in text


def test_the_students_own_cells_show_what_was_handed_in(page_of):
    nb = solved_cells(LESSON)
    mine = new_code_cell("print('as handed ' + 'in')")
    mine.outputs = [
        new_output("stream", text="shown to the student\n"),
        new_output("display_data", data={"text/html": "<script>alert(1)</script>", "text/plain": "a table"}),
    ]
    broken = new_code_cell("import no_such_library")
    nb.cells += [mine, broken]
    text, _ = page_of("own", nb)
    assert "shown to the student" in text and "a table" in text and "alert(1)" not in text
    assert "When it was graded, this cell stopped with ModuleNotFoundError." in text
