"""What gradebox has ready before it grades a lesson: imported modules, and what need not be run."""

import pytest
from nbformat.v4 import new_code_cell, new_notebook
from repository import LESSONS, REPOSITORY, notebook

from gradebox.course import Course
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.lesson import Lesson
from gradebox.execute.preload_modules import select_preload_modules
from gradebox.execute.skip_demonstrations import is_demonstration
from gradebox.judge import MODULES
from gradebox.notebook_exercises import find_grade_id

pytestmark = pytest.mark.parametrize("name", LESSONS)
# By what a lesson says that it needs these modules.
WORDS = {"torch": "import torch", "torch._dynamo": '"meta"', "torch.distributed.tensor": ".assert_close("}


def test_all_that_a_lesson_only_shows_is_a_demonstration_that_no_solution_needs(name):
    source = notebook("source", name)
    plain = [one for one in source.cells if one.cell_type == "code" and not find_grade_id(one)]
    assert plain and all(map(is_demonstration, plain))
    solved = new_notebook(cells=[new_code_cell(one.source) if one in plain else one for one in source.cells])
    assert len(Lesson(source).demonstrations.find_skippable(solved)) == len(plain)


def test_a_lesson_without_torch_is_graded_without_it(name):
    """By the texts of its cells, which is how the process is started that kernels are forked from."""
    preload = Execute(parent=Course(REPOSITORY).app).preload
    lesson = Lesson(notebook("source", name))
    named = {module for module, word in WORDS.items() if any(word in text for text in lesson.texts)}
    assert set(select_preload_modules(preload, lesson.texts)) == {
        "numpy",
        "matplotlib.pyplot",
        *named,
        *MODULES,
    }
