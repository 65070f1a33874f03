"""Steps around the run: nbgrader's where submissions are run, a course's own where the gradebook is."""

import os

import pytest
from helpers import grade_id, graded, notebook, solves, with_settings
from nbconvert.preprocessors import ClearMetadataPreprocessor
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import (
    AssignLatePenalties,
    ClearOutput,
    IgnorePattern,
    LimitOutput,
    NbGraderPreprocessor,
    OverwriteCells,
)
from nbgrader.preprocessors import SaveAutoGrades as StockSaveAutoGrades

from gradebox.autograde.assign_steps_to_processes import StepPlan, plan_steps
from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.fingerprint import Begin, Stamp
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.autograde.grading_context import read_gradebook_notebooks, replace_gradebook_lookups
from gradebox.autograde.repair_notebook import Repair
from gradebox.autograde.restore_outputs import Pictures
from gradebox.autograde.save_scores import SaveAutoGrades
from gradebox.autograde.steps_around_execution import Around
from gradebox.notebook_metadata import OK, read_ending

RIGHT = "def double(x):\n    return 2 * x"
BEFORE = [ClearOutput, Repair, OverwriteCells, Begin]
AFTER = [IgnorePattern, ClearMetadataPreprocessor, Pictures, LimitOutput, SaveAutoGrades, AssignLatePenalties]


class Own(NbGraderPreprocessor):
    """A step of a course's own: it notes which process it is in, and what is in the gradebook."""

    def preprocess(self, nb, resources):
        where = resources["nbgrader"]
        with Gradebook(where["db_url"]) as gradebook:
            try:
                score = gradebook.find_submission(where["assignment"], where["student"]).score
            except MissingEntry:
                score = None
        nb.metadata.setdefault("own", []).append([os.getpid(), score])
        return nb, resources


class Before(Own):
    def preprocess(self, nb, resources):
        for cell in nb.cells:
            cell.source = cell.source.replace("TWICE", "2 *")
        return nb, resources


def test_what_needs_only_a_notebook_is_done_where_it_is_run():
    assert plan_steps(BEFORE, [*AFTER, Stamp]) == StepPlan(
        (),
        tuple(BEFORE),
        (IgnorePattern, ClearMetadataPreprocessor, Pictures, LimitOutput, Stamp),
        None,
        AssignLatePenalties,
    )
    assert plan_steps([], [SaveAutoGrades]) == StepPlan((), (), (), None, None)


@pytest.mark.parametrize(
    "before, after, expected",
    [
        ([ClearOutput, Own, Repair], AFTER, ((ClearOutput, Own), (Repair,), tuple(AFTER[:4]), None)),
        (
            BEFORE,
            [IgnorePattern, Own, SaveAutoGrades],
            ((), tuple(BEFORE), (IgnorePattern,), (Own, SaveAutoGrades)),
        ),
        (BEFORE, [*AFTER, Own], ((), tuple(BEFORE), tuple(AFTER[:4]), (*AFTER[4:], Own))),
        ([], [LimitOutput, StockSaveAutoGrades], ((), (), (LimitOutput,), (StockSaveAutoGrades,))),
    ],
)
def test_a_step_of_the_courses_own_keeps_its_place(before, after, expected):
    found = plan_steps(before, after)
    assert (found.first, found.before, found.after, found.last) == expected


class OwnPenalties(AssignLatePenalties):
    """Takes a point from everybody who was late, and another for a notebook that says so."""

    def init_plugin(self):
        super().init_plugin()
        self.plugin_inst.late_submission_penalty = lambda *late: 1

    def preprocess(self, nb, resources):
        nb, resources = super().preprocess(nb, resources)
        where = resources["nbgrader"]
        with Gradebook(where["db_url"]) as gradebook:
            found = gradebook.find_submission_notebook("hw", "hw", where["student"])
            found.late_submission_penalty = (found.late_submission_penalty or 0) + ("TWO" in str(nb.cells))
            gradebook.db.commit()
        return nb, resources


def test_a_courses_own_penalties_are_worked_out_anew_for_what_is_graded(small):
    course = with_settings(
        small,
        "import test_assign_steps_to_processes",
        "steps = c.Autograde.autograde_preprocessors",
        "late = [str(step).endswith('AssignLatePenalties') for step in steps].index(True)",
        "steps[late] = test_assign_steps_to_processes.OwnPenalties",
    )
    assert OwnPenalties in Around(course).steps.last
    path = solves(course, "ann", double=RIGHT + "  # TWO")
    (path.parent / "timestamp.txt").write_text("2026-11-22 12:00:00 UTC")

    def penalty() -> float:
        assert not autograde_submissions(course, list(find_submissions(course, ["hw"], ["ann"])), workers=1)[
            0
        ].problem
        with course.gradebook() as gradebook:
            return gradebook.find_submission("hw", "ann").late_submission_penalty

    assert penalty() == 1
    with course.gradebook() as gradebook:
        gradebook.update_or_create_assignment("hw", duedate="2026-11-21 12:00:00 UTC")
    assert penalty() == 2
    with course.gradebook() as gradebook:
        gradebook.update_or_create_assignment("hw", duedate="2026-11-23 12:00:00 UTC")
    assert penalty() == 1


@pytest.fixture
def with_own(small):
    """The small course with a step of its own in both lists."""
    return with_settings(
        small,
        "import test_assign_steps_to_processes",
        "c.Autograde.sanitize_preprocessors.insert(1, test_assign_steps_to_processes.Before)",
        "c.Autograde.autograde_preprocessors.append(test_assign_steps_to_processes.Own)",
    )


def test_a_step_of_the_courses_own_sees_the_gradebook_and_changes_what_is_graded(with_own):
    solves(with_own, "ann", double=RIGHT.replace("2 *", "TWICE"))
    (outcome,) = autograde_submissions(with_own, list(find_submissions(with_own, ["hw"], ["ann"])), workers=1)
    assert outcome.graded and graded(with_own, "hw", "ann").scores["double-test"] == 2
    copy = notebook("autograded", "hw", with_own.root, "ann")
    assert copy.metadata.own == [[os.getpid(), 2.0]]
    assert {read_ending(cell) for cell in copy.cells if grade_id(cell) == "double-test"} == {OK}
    # It is that of this very submission, too.
    assert not autograde_submissions(with_own, list(find_submissions(with_own, ["hw"], ["ann"])))[0].graded


def test_sanitising_needs_no_gradebook_at_hand(small):
    """What workers elsewhere know of it is what nbgrader's own steps ask for, and no more."""
    with small.gradebook() as gradebook:
        notebooks = read_gradebook_notebooks(gradebook, "hw")
        cells = {cell.name: cell for cell in gradebook.find_notebook("hw", "hw").source_cells}
    with replace_gradebook_lookups(notebooks):
        with Gradebook("sqlite:////nowhere/at/all.db") as gradebook:
            for name, cell in cells.items():
                found = gradebook.find_source_cell(name, "hw", "hw")
                assert (found.source, found.checksum, found.locked) == (
                    cell.source,
                    cell.checksum,
                    cell.locked,
                )
            assert gradebook.find_graded_cell("double-test", "hw", "hw").max_score == 2
            assert gradebook.find_notebook("hw", "hw").kernelspec
            with pytest.raises(MissingEntry):
                gradebook.find_source_cell("nothing", "hw", "hw")
    with small.gradebook() as gradebook:
        assert gradebook.find_source_cell("double-test", "hw", "hw").id


def test_no_address_of_a_database_travels_to_a_worker(small):
    solves(small, "ann", double=RIGHT)
    around = Around(small)
    (submission,) = find_submissions(small, ["hw"], ["ann"])
    around.config.CourseDirectory.db_url = "postgresql://somebody:password@host/name"
    assert b"password" not in around.prepare(submission).serialize()


def test_a_course_that_knows_its_students_takes_no_others(small):
    course = with_settings(small, "c.Autograde.create_student = False")
    solves(course, "ann", double=RIGHT)
    solves(course, "bea", double=RIGHT)
    with course.gradebook() as gradebook:
        gradebook.add_student("ann")
    ann, bea = autograde_submissions(
        course, list(find_submissions(course, ["hw"], ["ann", "bea"])), workers=1
    )
    assert ann.graded and not bea.graded and "No such student: bea" in bea.problem
