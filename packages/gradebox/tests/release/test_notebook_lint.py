"""What is wrong in an instructor's notebook is named by file and cell, and stops the release."""

import json

import pytest
from helpers import EXERCISE, cell, gradebox, with_settings, write_notebook
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

from gradebox.course import Course, CourseError
from gradebox.notebook_exercises import serialize_notebook
from gradebox.release.notebook_lint import lint_assignment
from gradebox.release.release_lessons import find_warnings, write_student_version

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
PLAIN = cell("solution", "double", EXERCISE)
OLD = 'the nbgrader metadata is from another nbgrader version, expected "schema_version": 3'
NO_LINE = "students get none of the code in"
NO_MARKS = "no BEGIN SOLUTION: students get none of the code in this cell"


def solution(*lines: str, name: str = "f", **metadata: object) -> NotebookNode:
    return changed(cell("solution", name, "\n".join(lines)), **metadata)


def changed(one: NotebookNode, **metadata: object) -> NotebookNode:
    """A cell with other settings; None takes one away."""
    settings = one.metadata["nbgrader"] | metadata
    one.metadata["nbgrader"] = {key: value for key, value in settings.items() if value is not None}
    return one


def raw(name: str) -> NotebookNode:
    return new_raw_cell("1", metadata=cell("given", name, "1").metadata)


def tagged(one: NotebookNode, *tags: str) -> NotebookNode:
    one.metadata["tags"] = list(tags)
    return one


def said(course: Course, *cells: NotebookNode, stops: bool = True) -> list[str]:
    """What is wrong with a notebook of these cells, without the name of its file."""
    write_notebook(course.root / "source" / "ps" / "p.ipynb", list(cells))
    file = "source/ps/p.ipynb"
    lines = [str(one) for one in lint_assignment(course, "ps") if one.stops == stops]
    assert all(line.startswith(file) for line in lines)
    return [line.removeprefix(file).lstrip(",: ") for line in lines]


WRONG = [
    # No Python
    (
        [solution("def f(x):", BEGIN, "    return x +", END)],
        "cell 1 (f), line 3: SyntaxError in 'return x +': ",
    ),
    ([solution("", "", BEGIN, "f = (", END)], "cell 1 (f), line 4: SyntaxError in 'f = (': "),
    ([solution("%%time", "", BEGIN, "f = (", END)], "cell 1 (f), line 4: SyntaxError in 'f = (': "),
    ([solution("!ls", BEGIN, "return 1", END)], "cell 1 (f), line 3: SyntaxError in 'return 1': "),
    ([solution("def f():", BEGIN, "return 1", END)], "cell 1 (f), line 3: IndentationError in 'return 1': "),
    ([cell("test", "t", "assert f(")], "cell 1 (t), line 1: SyntaxError in 'assert f(': "),
    ([cell("given", "g", "import")], "cell 1 (g), line 1: SyntaxError in 'import': "),
    # Marks
    (
        [solution("def f():", BEGIN, "    return 1")],
        "cell 1 (f), line 2: BEGIN SOLUTION without END SOLUTION",
    ),
    ([solution("f = 1", END)], "cell 1 (f), line 2: END SOLUTION without BEGIN SOLUTION"),
    (
        [solution(BEGIN, "f = 1", BEGIN, "f = 2", END)],
        "cell 1 (f), line 3: BEGIN SOLUTION again, without END SOLUTION after line 1",
    ),
    ([new_code_cell(EXERCISE)], "cell 1: BEGIN SOLUTION in a cell that is not a solution cell"),
    (
        [cell("given", "g", "### BEGIN HIDDEN TESTS\n### END HIDDEN TESTS")],
        "cell 1 (g): BEGIN HIDDEN TESTS in a cell that is not a test cell",
    ),
    (
        [cell("test", "t", "assert f\n### BEGIN HIDDEN TESTS")],
        "cell 1 (t), line 2: BEGIN HIDDEN TESTS without END HIDDEN TESTS",
    ),
    (
        [new_markdown_cell("=== BEGIN MARK SCHEME ===\n=== END MARK SCHEME ===")],
        "cell 1: BEGIN MARK SCHEME in a cell that is not a task cell",
    ),
    (
        [cell("question", "q", "BEGIN MARK SCHEME\n![one](attachment:one.png)\nEND MARK SCHEME")],
        "cell 1 (q): Encountered an attachment in a marking scheme.",
    ),
    ([PLAIN, solution("def f():", "    return 1")], f"cell 2 (f): {NO_MARKS}"),
    ([PLAIN, solution("import math", "class F:", "    pass")], f"cell 2 (f): {NO_MARKS}"),
    # Settings
    (
        [PLAIN, new_code_cell("1"), cell("test", "double", "1")],
        "cell 3 (double): cell 1 has the same grade_id",
    ),
    (
        [changed(cell("test", "a b", "1"))],
        "cell 1 (a b): the grade_id 'a b' contains characters other than letters",
    ),
    ([cell("test", "a/b", "1")], "cell 1 (a/b): the grade_id 'a/b' contains characters other than letters"),
    ([cell("test", "", "1")], "cell 1: grade_id is empty"),
    ([changed(cell("test", "t", "1"), grade_id=None)], "cell 1: nbgrader cell does not have a grade_id"),
    (
        [changed(cell("test", "t", "1"), grade_id=7)],
        "cell 1: nbgrader metadata: grade_id: 7 is not of type",
    ),
    ([changed(cell("test", "t", "1"), points=None)], "cell 1 (t): nbgrader cell 't' does not have points"),
    (
        [changed(cell("test", "t", "1"), points=-1)],
        "cell 1 (t): nbgrader metadata: points: -1 is less than",
    ),
    (
        [changed(cell("test", "t", "1"), points="2")],
        "cell 1 (t): nbgrader metadata: points: '2' is not of",
    ),
    (
        [changed(cell("test", "t", "1"), grade=None)],
        "cell 1 (t): nbgrader metadata: 'grade' is a required",
    ),
    (
        [changed(cell("test", "t", "1"), graed=True)],
        "cell 1 (t): nbgrader metadata: Additional properties",
    ),
    (
        [new_code_cell("1", metadata={"nbgrader": "x"})],
        "cell 1: invalid nbgrader metadata 'x' (expected an object)",
    ),
    ([changed(cell("given", "q", "1"), task=True, points=1)], "cell 1 (q): Task cells have to be markdown"),
    ([changed(cell("question", "q", "Why?"), points=None)], "cell 1 (q): the task has no points"),
    ([raw("r")], "cell 1 (r): raw cell with nbgrader metadata: change the cell type to code or Markdown"),
]


@pytest.mark.parametrize(("cells", "line"), WRONG, ids=[line.partition(": ")[2][:40] for _, line in WRONG])
def test_it_is_named_by_file_and_cell_and_nothing_is_released(small, cells, line):
    (found,) = said(small, *cells)
    assert found.startswith(line)
    with pytest.raises(CourseError) as refused:
        write_student_version(small, "ps")
    assert str(refused.value) == f"ps can't be released: source/ps/p.ipynb, {found}"
    assert not small.path("release", "ps").exists()


def test_all_that_is_wrong_is_said_at_once_and_the_last_release_stays(small):
    write_notebook(small.root / "source" / "ps" / "p.ipynb", [PLAIN])
    write_student_version(small, "ps")
    path = small.path("release", "ps") / "p.ipynb"
    before = path.read_bytes()
    again = cell("solution", "double", EXERCISE)
    write_notebook(small.root / "source" / "ps" / "p.ipynb", [PLAIN, again, cell("test", "a b", "assert (")])
    write_notebook(small.root / "source" / "ps" / "q.ipynb", [solution("f = (", END)])
    run = gradebox(small, "release", "--no-check", "ps")
    first, *lines = run.stderr.splitlines()
    assert run.returncode == 1 and first == "gradebox: ps can't be released:"
    assert [line.partition(": ")[0] for line in lines] == [
        "source/ps/p.ipynb, cell 2 (double)",
        "source/ps/p.ipynb, cell 3 (a b)",
        "source/ps/q.ipynb, cell 1 (f), line 1",
        "source/ps/q.ipynb, cell 1 (f), line 2",
    ]
    assert path.read_bytes() == before


FINE = [
    [PLAIN],
    [solution(""), solution("# your code", "raise NotImplementedError()", name="g")],
    [changed(cell("given", "a", "1"), locked=False), changed(cell("given", "a", "1"), locked=False)],
    [tagged(cell("test", "t", "assert ("), "raises-exception")],
    [cell("given", "g", "%%bash\nfor"), new_code_cell("%%writefile x.py\nfor")],
    [cell("given", "g", "%matplotlib inline\n!ls\nx = !pwd\nint?\nawait f()")],
    [cell("question", "q", "Why?\n=== BEGIN MARK SCHEME ===\nSo.\n=== END MARK SCHEME ===")],
    [solution(BEGIN, "f = 1", END, BEGIN, "f = 2", END)],
    [solution(BEGIN, "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS", "f = 1", END)],
    [new_code_cell("for x in 'a':\n    '\\d'", id="warned")],
]


@pytest.mark.parametrize("cells", FINE, ids=[cells[0].source[:20] for cells in FINE])
def test_nothing_is_said_of_what_is_right(small, cells):
    assert said(small, *cells) == said(small, *cells, stops=False) == []


REMARKS = [
    # A whole course may do without marks, or a person reads it, or a line is asked for.
    ([solution("def f():", "    return 1")], f"{NO_LINE} cell 1 (f), without BEGIN SOLUTION"),
    ([PLAIN, solution("def f():", "    return 1", grade=True, points=1)], f"{NO_LINE} cell 2 (f), without"),
    ([PLAIN, solution("a = 42"), solution("b = 7", name="g")], f"{NO_LINE} cells 2 (f), 3 (g), without"),
    ([new_code_cell("for")], "cell 1, line 1: SyntaxError in 'for': "),
    (
        [solution("f = max(", BEGIN, "    1, 2", END, ")")],
        "cell 1 (f): as students get it, without its solution: SyntaxError in 'raise NotImplementedError()'",
    ),
]


@pytest.mark.parametrize(
    ("cells", "line"), REMARKS, ids=[line.partition(": ")[2][:40] for _, line in REMARKS]
)
def test_what_may_be_meant_stops_nothing_and_is_said(small, cells, line):
    assert said(small, *cells) == []
    (found,) = said(small, *cells, stops=False)
    assert found.startswith(line)
    write_student_version(small, "ps")
    assert any(
        line.startswith("source/ps/p.ipynb") and line.endswith(found) for line in find_warnings(small, "ps")
    )


FORMS = [
    ({"tags": None}, ", cell 1 (double): metadata.tags: None is not of type 'array'"),
    ({"kernelspec": None}, ": metadata.kernelspec: None is not of type 'object'"),
    ({"kernelspec": {"name": "x"}}, ": metadata.kernelspec: 'display_name' is a required property"),
    ({"source": 7}, ", cell 1 (double): source: 7 is not valid under any of the given schemas"),
    ({"source": "'\ud800'"}, ", cell 1 (double): the source contains half of a surrogate pair"),
    ({"schema": 1}, f", cell 1 (double): {OLD}: run `nbgrader update source/ps/p.ipynb`"),
    ({"schema": 9}, ", cell 1 (double): the nbgrader metadata is from a newer nbgrader than"),
    ({"schema": "3"}, ", cell 1 (double): nbgrader metadata: schema_version is not an integer"),
    ({"text": "{"}, " can't be read as a notebook: "),
    ({"text": '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}'}, " can't be read as a notebook: "),
]


@pytest.mark.parametrize(("form", "line"), FORMS, ids=map(str, range(len(FORMS))))
def test_a_notebook_of_another_form_is_said_in_one_sentence(small, form, line):
    path = write_notebook(small.root / "source" / "ps" / "p.ipynb", [cell("solution", "double", EXERCISE)])
    nb = json.loads(path.read_text())
    nb["metadata"] |= {key: form[key] for key in ("kernelspec",) if key in form}
    nb["cells"][0] |= {key: form[key] for key in ("source",) if key in form}
    nb["cells"][0]["metadata"] |= {key: form[key] for key in ("tags",) if key in form}
    nb["cells"][0]["metadata"]["nbgrader"]["schema_version"] = form.get("schema", 3)
    path.write_text(form.get("text", json.dumps(nb)))
    run = gradebox(small, "release", "--no-check", "ps")
    assert run.returncode == 1 and len(run.stderr.splitlines()) == 1
    assert f"source/ps/p.ipynb{line}" in run.stderr
    # Where another command can read on, it says that nothing is released.
    run = gradebox(small, "solutions", "ps")
    assert run.returncode == 2 and len(run.stderr.splitlines()) == 1


def test_marks_of_a_courses_own_are_the_ones_that_count(small):
    course = with_settings(
        small,
        'c.ClearSolutions.begin_solution_delimeter, c.ClearSolutions.end_solution_delimeter = "# <", "# >"',
        "c.ClearSolutions.enforce_metadata = False",
    )
    assert said(course, solution("def f():", "    # <", "    return 1", "    # >")) == []
    assert said(course, new_code_cell("# <\n# >")) == []
    (found,) = said(course, solution("# <"))
    assert found.startswith("cell 1 (f), line 1: # < without # > below it")


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": {"name": "ir", "display_name": "R", "language": "R"}},
        {"kernelspec": {"name": "x", "display_name": "x"}, "language_info": {"name": "julia"}},
    ],
)
def test_other_languages_are_not_read_as_python(small, metadata):
    path = small.root / "source" / "ps" / "p.ipynb"
    path.parent.mkdir()
    nb = new_notebook(cells=[new_code_cell("x <- function(")], metadata=metadata)
    path.write_text(serialize_notebook(nb))
    assert lint_assignment(small, "ps") == []


TEXT = """\
# %% [markdown]
# # A lesson

# %% nbgrader={}
def f(x):
    ### BEGIN SOLUTION
    return x
    ### END SOLUTION
"""
RIGHT = (
    '{"grade": false, "grade_id": "f", "locked": false, "schema_version": 3, "solution": true, "task": false}'
)


def test_of_a_lesson_that_is_written_as_text_the_text_is_named(small):
    path = small.root / "lessons" / "ps.py"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT.format(RIGHT.replace("false", "False", 1)))
    run = gradebox(small, "release", "--no-check", "ps")
    assert run.returncode == 1 and run.stderr.startswith(
        "gradebox: ps can't be released: lessons/ps.py, cell 2: the cell options are not valid JSON: "
    )
    path.write_text(TEXT.format(RIGHT.replace('"f"', '"f g"')))
    assert "lessons/ps.py, cell 2 (f g): " in gradebox(small, "release", "--no-check", "ps").stderr
    path.write_text(TEXT.format(RIGHT))
    assert gradebox(small, "release", "--no-check", "ps").returncode == 0


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (TEXT.format(RIGHT + ' tags="x"').encode(), ", line 4, can't be read as a lesson: "),
        (b"\xff\xfe# %%\n1\n", " can't be read as a lesson: UnicodeDecodeError: "),
    ],
)
def test_a_text_that_is_no_lesson_is_said_even_if_nothing_was_made_of_it_yet(small, text, line):
    path = small.root / "lessons" / "ps.py"
    path.parent.mkdir(parents=True)
    path.write_bytes(text)
    for arguments in ([], ["ps"], ["ps", "hw"]):
        run = gradebox(small, "release", "--no-check", *arguments)
        assert run.returncode == 1 and run.stderr.startswith(f"gradebox: {path}{line}")
        # Released by the first command, and current for the third.
        said = {(): ["hw released"], ("ps", "hw"): ["hw is current"]}
        lines = [line for line in run.stdout.splitlines() if line.startswith("hw ")]
        assert lines == said.get(tuple(arguments), [])
    assert not (small.root / "source" / "ps").exists()


def test_a_notebook_that_is_none_is_not_written_over(small):
    path = small.root / "lessons" / "ps.py"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT.format(RIGHT))
    source = small.root / "source" / "ps" / "ps.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text('{"cells": [')
    run = gradebox(small, "release", "--no-check")
    assert run.returncode == 1 and run.stderr.startswith(f"gradebox: {source} can't be read as a notebook (")
    assert source.read_text() == '{"cells": [' and "hw released" in run.stdout


@pytest.mark.parametrize("command", ["solutions", "read", "report", "similar"])
def test_other_commands_name_the_cell_that_they_cannot_read(small, command):
    write_notebook(
        small.root / "source" / "ps" / "p.ipynb", [PLAIN, changed(cell("test", "t", "1"), points=None)]
    )
    run = gradebox(small, command, "ps")
    assert (run.returncode, run.stderr) == (
        2,
        "gradebox: source/ps/p.ipynb, cell 2: nbgrader cell 't' does not have points\n",
    )


def test_a_check_names_the_cell_that_it_cannot_read_and_goes_on(small):
    write_notebook(small.root / "source" / "ps" / "p.ipynb", [changed(cell("test", "t", "1"), points=None)])
    run = gradebox(small, "check")
    assert "ps/p can't be checked: source/ps/p.ipynb, cell 1: nbgrader cell 't' does not have" in run.stdout
    assert "Of 1 test, " in run.stdout and run.returncode == 1
