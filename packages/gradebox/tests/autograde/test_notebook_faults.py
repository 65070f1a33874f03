"""A notebook with a small fault in its JSON earns the same points as the right notebook."""

import json

import pytest
from helpers import gradebox, notebook, solves
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from nbgrader.converters import Autograde

from gradebox.course import Course
from gradebox.notebook_metadata import read_repairs

# The cells of the small lesson, and those that the student has added.
SOLUTION, TEST, ESSAY, PRINT, NOTE = 0, 1, 4, -2, -1
RIGHT = {"double": "def double(x):\n    return 2 * x", "essay": "Twice is one more time."}


def added() -> list:
    shown = new_output("display_data", {"text/plain": "4"})
    return [new_code_cell("double(2)", outputs=[shown]), new_markdown_cell("A note")]


def each_cell(key, value=None):
    def harm(content: dict) -> None:
        for cell in content["cells"]:
            if value == "missing":
                cell.pop(key, None)
            elif key in cell:
                cell[key] = value

    return harm


def set_field(value, *path):
    def harm(content: dict) -> None:
        for key in path[:-1]:
            content = content[key]
        content[path[-1]] = value

    return harm


FAULTS = {
    "no_cell_metadata": each_cell("metadata", "missing"),
    "null_cell_metadata": each_cell("metadata"),
    "no_metadata": lambda content: content.pop("metadata"),
    "null_metadata": set_field(None, "metadata"),
    "no_outputs": each_cell("outputs", "missing"),
    "null_outputs": each_cell("outputs"),
    "no_source": lambda content: content["cells"][TEST].pop("source"),
    "null_source": set_field(None, "cells", NOTE, "source"),
    "null_attachments": set_field(None, "cells", ESSAY, "attachments"),
    "no_execution_count": each_cell("execution_count", "missing"),
    "no_cell_type": lambda content: content["cells"][TEST].pop("cell_type"),
    "text_version": set_field("4", "nbformat"),
    "text_minor": set_field("5", "nbformat_minor"),
    "no_minor": lambda content: content.pop("nbformat_minor"),
    "list_data": set_field(["4"], "cells", PRINT, "outputs", 0, "data"),
    "no_output_metadata": lambda content: content["cells"][PRINT]["outputs"][0].pop("metadata"),
    "null_id": each_cell("id"),
    "no_kernel_name": set_field({}, "metadata", "kernelspec"),
    "null_cell": lambda content: content["cells"].append(None),
    "text_cell": lambda content: content["cells"].insert(0, "Twice is one more time."),
}
# Nothing reads this field: the release defines the kernel.
UNRECORDED = {"no_kernel_name"}
CONFLICT = "{\n<<<<<<< HEAD\n=======\n>>>>>>> main\n}"
UNREADABLE = {
    "conflict": (CONFLICT.encode(), "has a Git merge conflict (line 2): resolve it and hand in the result"),
    "utf16": ('{"nbformat": 4}'.encode("utf-16"), "is encoded as UTF-16, not UTF-8"),
    "page": (b"<!DOCTYPE html><html></html>", "is an HTML page, not a notebook"),
    "archive": (b"PK\x03\x04\0\xff", "is a zip archive, not a notebook"),
}


@pytest.fixture
def broken_class(small) -> Course:
    """A class in which everyone has the same answers, one student for each fault."""
    solves(small, "right", *added(), **RIGHT)
    for student, harm in FAULTS.items():
        path = solves(small, student, *added(), **RIGHT)
        content = json.loads(path.read_text())
        harm(content)
        path.write_text(json.dumps(content))
    for student, (raw, _) in UNREADABLE.items():
        solves(small, student, **RIGHT).write_bytes(raw)
    return small


def points(course: Course, student: str) -> dict[str, float | None]:
    with course.gradebook() as gradebook:
        grades = gradebook.find_submission_notebook("hw", "hw", student).grades
        return {grade.name: (grade.auto_score, grade.needs_manual_grade) for grade in grades}


def test_each_fault_is_repaired_and_recorded_and_earns_what_the_right_notebook_earns(broken_class):
    run = gradebox(broken_class, "autograde")
    said = run.stdout + run.stderr
    assert "Traceback" not in said and "Error" not in said and "Notebook JSON" not in said
    right = points(broken_class, "right")
    assert right["double-test"] == (2, False) and right["essay"] == (None, True)
    assert not read_repairs(notebook("autograded", "hw", broken_class.root, "right"))
    incidents = json.loads((broken_class.root / "incidents.json").read_text())
    for student in FAULTS:
        if student in ("no_cell_metadata", "null_cell_metadata"):
            # The essay can't be recognised without metadata: the other points are the same.
            assert points(broken_class, student)["double-test"] == right["double-test"]
        else:
            assert points(broken_class, student) == right, student
        repairs = read_repairs(notebook("autograded", "hw", broken_class.root, student))
        assert any(" no valid " in one or "dropped" in one for one in repairs) != (student in UNRECORDED), (
            student
        )
        assert {i["what"] for i in incidents if i["student"] == student} >= set(repairs)
    unreadable = {i["student"]: i["what"] for i in incidents if i["kind"] == "unreadable"}
    assert unreadable.keys() == UNREADABLE.keys()
    assert all(unreadable[student].startswith(f"hw.ipynb {why}") for student, (_, why) in UNREADABLE.items())
    assert gradebox(broken_class, "feedback", "--student", "list_data").returncode == 0


def test_pages_are_written_with_the_grades(broken_class):
    student, other = "list_data", next(iter(UNREADABLE))
    both = ("--student", student, "--student", other)
    run = gradebox(broken_class, "autograde", *both, "--force", "--feedback")
    assert run.returncode == 1 and "1 feedback page written" in run.stdout
    assert other in run.stdout.splitlines()[-1]
    assert (broken_class.root / "feedback" / student / "hw" / "hw.html").is_file()


def test_nbgraders_own_command_reads_the_same(broken_class):
    assert broken_class.convert(Autograde, "hw", "right") is None
    right = points(broken_class, "right")
    for student in FAULTS:
        assert broken_class.convert(Autograde, "hw", student) is None, student
        assert points(broken_class, student)["double-test"] == right["double-test"], student
        repairs = read_repairs(notebook("autograded", "hw", broken_class.root, student))
        assert any(" no valid " in one or "dropped" in one for one in repairs) != (student in UNRECORDED), (
            student
        )
    for student, (_, why) in UNREADABLE.items():
        assert f"{student}/hw: hw.ipynb {why}" in broken_class.convert(Autograde, "hw", student)
