"""The rules that every lesson keeps, whatever it teaches."""

import ast
import re
import statistics

import pytest
from helpers import grade_id, score_cells
from nbconvert.filters import markdown2html
from nbformat.notebooknode import NotebookNode
from nbgrader import utils
from repository import LESSONS, REPOSITORY, notebook

from gradebox.checks_cell import TABLE_MARKER, expand_checks_cell, extract_helpers, unpack_code
from gradebox.exercise_selection import split_into_sections
from gradebox.notebook_exercises import (
    CHECKS_CELL_ID,
    extract_reference_solutions,
    find_grade_id,
    find_graded_cells,
    map_tests_to_solutions,
)
from gradebox.release import read_answers_folder
from gradebox.release.generate_checks_cell import PLACEHOLDER
from gradebox.release.jupytext_sync import read_lesson_notebook
from gradebox.sanitize.html import rendered
from gradebox.static_analysis.cell_names import assigned_names

pytestmark = pytest.mark.parametrize("lesson", LESSONS)


def code_cells(nb):
    return [cell for cell in nb.cells if cell.cell_type == "code"]


def test_cells_are_small(lesson):
    def sizes(step):
        cells = [cell for cell in code_cells(notebook(step, lesson)) if find_grade_id(cell) != CHECKS_CELL_ID]
        return [len(cell.source.splitlines()) for cell in cells]

    assert statistics.median(sizes("release")) <= 10
    assert max(sizes("release")) <= 50
    # With hidden tests.
    assert max(sizes("source")) <= 66


def points_of_graded(cells):
    return [cell.metadata.nbgrader.points for cell in cells if utils.is_grade(cell) or utils.is_task(cell)]


# "**Test 1 of 2: values (3 points).**", and a part of a written question.
OF_TEST = re.compile(r"\*\*[^*\n]*\((\d+) points?(?: of \d+\.\d+)?\)[^*\n]*\*\*")
OF_PART = re.compile(r"^\d\. .*\((\d+) points?\)$", re.MULTILINE)


def test_texts_state_the_points_of_the_cells(lesson):
    cells = notebook("release", lesson).cells
    (total,) = re.findall(r"(\d+) points\*$", cells[0].source, re.MULTILINE)
    assert int(total) == sum(points_of_graded(cells))
    for section in split_into_sections(notebook("release", lesson)):
        head = re.findall(r"^\*\*.*?(\d+) points?\b.*\*\*$", section.cells[0].source, re.MULTILINE)
        assert not section.exercises or [*map(int, head)] == [sum(points_of_graded(section.cells))], head
    for place, cell in enumerate(cells):
        if cell.cell_type == "markdown":
            below = points_of_graded(cells[place:])
            stated, parts = ([*map(int, form.findall(cell.source))] for form in (OF_TEST, OF_PART))
            assert stated == below[: len(stated)] and (not parts or sum(parts) == below[0]), cell.source


def test_test_cells_begin_with_their_exercise_and_points(lesson):
    nb = notebook("release", lesson)
    tests = [one for one in find_graded_cells(nb, lesson) if not one.manual]
    sources = {find_grade_id(cell): cell.source for cell in nb.cells}
    for one in tests:
        same = [other.grade_id for other in tests if other.number == one.number]
        place = f", {same.index(one.grade_id) + 1} of {len(same)}" if len(same) > 1 else ""
        points = f"{one.points:g} {'point' if one.points == 1 else 'points'}"
        line = f"# Test of {one.number} {one.title}{place} ({points}). Run the checks cell first."
        assert sources[one.grade_id].startswith(line + "\n"), line


INPUTS = (
    "| **Inputs are not changed** | what a function gives back is new: "
    "nothing is written into an array or tensor that it was given |"
)
COUNTED = (
    "| **Everything is counted from 0** | the first token is token 0 and the first head is head 0, "
    "in text, code and figures |"
)
HOW_TO_WORK = """\
## How to work through this notebook

Run the cells from top to bottom, including the collapsed ones: click a cell, then press **Shift+Enter**. \
In each exercise, replace the line `raise NotImplementedError()` with your code, run the cell, then run \
the test below it. The test prints ✓, or what is wrong and, in its last line, what to do.

<details><summary><b>More on tests, hints and points</b></summary>

If a test fails, the lines above its last one show which call failed, the first wrong entry, and the value \
it should have. If you are stuck, open the hints one at a time: first a question, then functions that help, \
then the steps in words. If you are likely to run into a particular error message, a final hint explains it.

Test cells are collapsed, and you don't need to read them. In them, `returns(...)` names what your function \
returns and the axes of each result. `check(exercise, case, function, ...)` calls your function with the \
arguments that follow and compares what it returns with the expected result. Both come from the collapsed \
cell below, which also holds the expected results, the results of common mistakes and small examples that \
several tests share.
"""
FOLDED = "<details><summary><b>{}</b></summary>\n\n"


def test_what_all_lessons_say_in_the_same_words(lesson):
    text = "\n".join(cell.source for cell in notebook("source", lesson).cells)
    assert f"{COUNTED}\n{INPUTS}" in text and HOW_TO_WORK in text


def test_a_cell_that_draws_says_in_a_sentence_what_the_picture_shows(lesson):
    drawing = [cell for cell in code_cells(notebook("source", lesson)) if "plt.show()" in cell.source]
    # A helper that draws is called by others, which say it.
    drawing = [cell for cell in drawing if not find_grade_id(cell)]
    assert drawing
    for cell in drawing:
        alt = cell.metadata.get("alt", "")
        assert 40 < len(alt) < 600 and alt.endswith("."), cell.source[:80]


def test_every_formula_is_shown_without_a_network(lesson):
    for cell in notebook("release", lesson).cells:
        if cell.cell_type == "markdown":
            made = re.sub(r"<(code|pre)>.*?</\1>", "", rendered(markdown2html(cell.source)), flags=re.DOTALL)
            assert "$" not in made and "\\" not in made, cell.source[:80]


def test_points_are_written_in_the_headers_of_cells_only(lesson):
    text = read_lesson_notebook(REPOSITORY / "lessons" / f"{lesson}.py")
    sections = [one for one in split_into_sections(text) if one.exercises]
    assert sections
    for section in sections:
        stated = re.findall(r"^\*\*.*\bpoints?\b.*\*\*$", section.cells[0].source, re.MULTILINE)
        assert len(stated) == 1 and re.search("<!-- points -->[0-9]+ points?<!-- end -->", stated[0]), stated


def test_the_closing_questions_are_answered_in_a_fold(lesson):
    text = "\n".join(cell.source for cell in notebook("source", lesson).cells[-3:])
    questions, fold = text.partition("Three questions to think about")[2].split("<details>", 1)
    answers = fold.partition("</details>")[0]
    for number in (1, 2, 3):
        assert re.search(rf"^\W*{number}\.", questions, re.MULTILINE), number
        assert re.search(rf"^\W*{number}\.", answers, re.MULTILINE), number


def test_own_code_begins_early(lesson):
    """The first solution is within six code cells and twelve cells, and long texts before it are folded."""
    nb = notebook("release", lesson)
    first = next(n for n, cell in enumerate(nb.cells) if utils.is_solution(cell))
    above = nb.cells[: first + 1]
    assert len(above) <= 12 and len(code_cells(NotebookNode(cells=above))) <= 6
    texts = [cell.source for cell in above if cell.cell_type == "markdown"]
    assert any(text.startswith(HOW_TO_WORK) and text.endswith("</details>") for text in texts)
    for text in texts:
        assert COUNTED not in text or text.startswith(FOLDED.format("The conventions of this lesson"))


def test_the_checks_cell_is_short_and_folded(lesson):
    for step in ("source", "release"):
        (cell,) = (cell for cell in notebook(step, lesson).cells if find_grade_id(cell) == CHECKS_CELL_ID)
        assert cell.metadata.cellView == "form" and cell.metadata.jupyter.source_hidden
        assert len(cell.source.splitlines()) <= 20 and unpack_code(cell.source)
    text = (REPOSITORY / "lessons" / f"{lesson}.py").read_text()
    assert text.count(f"\n{PLACEHOLDER}\n") == 1


def test_the_checks_hold_no_line_of_an_answer(lesson):
    source = notebook("source", lesson)
    (cell,) = (cell for cell in source.cells if find_grade_id(cell) == CHECKS_CELL_ID)
    table = expand_checks_cell(cell.source).partition(TABLE_MARKER)[2]
    known = [
        answer.source for answer in read_answers_folder.read_answers(REPOSITORY / "answers" / lesson, source)
    ]
    lines = {
        line.strip()
        for text in [*known, *extract_reference_solutions(source).values()]
        for line in text.splitlines()
    }
    assert [line for line in lines if len(line) > 16 and line in table] == []


def test_no_cell_gives_another_value_to_what_tests_share(lesson):
    cells = code_cells(notebook("source", lesson))
    (made,) = (cell for cell in cells if find_grade_id(cell) == CHECKS_CELL_ID)
    shared = assigned_names(extract_helpers(made.source))
    for cell in cells:
        if cell is not made:
            assert not assigned_names(cell.source) & shared, cell.source[:80]


def test_the_frame_is_there(lesson):
    nb = notebook("source", lesson)
    text = [cell.source for cell in nb.cells if cell.cell_type == "markdown"]
    second = next(n for n, source in enumerate(text) if re.search(r"^## \d+\.2 ", source, re.MULTILINE))
    assert any("convention" in source.partition("\n")[0] for source in text[:second])
    end = "\n".join(text[-3:])
    for part in ("What you", "Three questions to think about", "References"):
        assert re.search(rf"^#+ {part}", end, re.MULTILINE), part
    assert re.search(r"\*.+\*, (19|20)\d\d", end), "a reference has a title and a year"


def test_an_exercise_is_text_then_solution_then_test(lesson):
    nb = notebook("source", lesson)
    names = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in nb.cells]
    for solution, tests in map_tests_to_solutions(nb).items():
        assert tests, f"{solution} has no test"
        where = names.index(solution)
        between = nb.cells[where + 1 : names.index(tests[0])]
        assert not any(utils.is_solution(cell) for cell in between), f"{solution} is not followed by its test"
        assert nb.cells[where].source.count("### BEGIN SOLUTION") >= 1, f"{solution} would be emptied"
        tree = ast.parse(nb.cells[where].source)
        documented = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        assert documented and all(ast.get_docstring(node) for node in documented), solution


def test_every_exercise_has_a_hint_ladder_without_the_answer(lesson):
    nb = notebook("source", lesson)
    lines = {
        line.strip()
        for cell in nb.cells
        if utils.is_solution(cell)
        for region in re.findall(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", cell.source, re.DOTALL)
        for line in region.splitlines()
        if len(line.strip()) > 16 and "super().__init__" not in line
    }
    hints: dict[str, int] = {}
    exercise = None
    for cell in nb.cells:
        if cell.cell_type == "markdown":
            for line in lines:
                assert line not in cell.source, f"a text gives away {line!r}"
            heading = re.search(r"^## (\d+\.\d+ .*|[^#].*)", cell.source, re.MULTILINE)
            exercise = heading.group(1) if heading else exercise
            assert cell.source.count("<details>") == cell.source.count("</details>"), exercise
            hints[exercise] = hints.get(exercise, 0) + cell.source.count("<details><summary>")
        elif utils.is_solution(cell):
            assert hints[exercise] >= 2, f"{exercise} has too few hints"


def test_written_questions_have_a_mark_scheme(lesson):
    source = notebook("source", lesson)
    tasks = list(filter(utils.is_task, source.cells))
    written = {
        a.exercise
        for a in read_answers_folder.read_answers(REPOSITORY / "answers" / lesson, source)
        if a.prose
    }
    assert {grade_id(cell) for cell in tasks} == written
    for cell in tasks:
        scheme = cell.source.partition("### BEGIN MARK SCHEME")[2]
        assert "### END MARK SCHEME" in scheme and "point" in scheme
        assert re.search("half[- ]right", scheme, re.IGNORECASE), cell.metadata.nbgrader.grade_id


def test_test_cells_look_only_at_what_comes_back(lesson):
    for name, cell in score_cells(notebook("source", lesson)).items():
        for forbidden in (
            "inspect",
            "__code__",
            "getsource",
            "np.random.seed",
            "manual_seed",
            "In[",
            "open(",
        ):
            assert forbidden not in cell.source, f"{name} uses {forbidden}"


def test_what_an_exercise_asks_for_is_in_sight_beside_jupyterlabs_list_of_files(lesson):
    cells = [cell for cell in code_cells(notebook("release", lesson)) if utils.is_solution(cell)]
    defined = [node for cell in cells for node in ast.walk(ast.parse(cell.source))]
    texts = [
        ast.get_docstring(node, clean=False) or ""
        for node in defined
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    assert texts
    assert [line for text in texts for line in text.splitlines() if len(line) > 92] == []
