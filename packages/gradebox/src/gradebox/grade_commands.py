"""Commands that change or compute grades after grading. Each command imports its modules when it runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gradebox.console import CourseOption, console, open_course
from gradebox.printable_text import format_count, printable

if TYPE_CHECKING:
    from gradebox.course import Course


def adjust(
    assignment: Annotated[str | None, typer.Argument(help="The assignment.")] = None,
    exercise: Annotated[
        str | None,
        typer.Argument(
            help="An exercise, such as 1.7, or a test's grade_id; by default the whole assignment."
        ),
    ] = None,
    full_for_all: Annotated[bool, typer.Option("--full-for-all", help="Give everyone full points.")] = False,
    drop: Annotated[bool, typer.Option("--drop", help="Count neither the points nor their maximum.")] = False,
    bonus: Annotated[float | None, typer.Option(min=0, help="Give everyone this many points on top.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the adjustment.")] = False,
    because: Annotated[
        str | None, typer.Option(help="The reason, which students read on their pages.")
    ] = None,
    course: CourseOption = Path("."),
) -> None:
    """Adjust the points of an exercise for everyone who has handed in; without options, list adjustments.

    No notebook runs again. The adjustment also applies to later submissions, and to points that are given
    later. An exercise has one adjustment: a new one replaces it.
    """
    from gradebox.autograde import adjustments
    from gradebox.course import CourseError

    here = open_course(course, assignment)
    if assignment:
        here.select_assignments([assignment])
    chosen = {adjustments.FULL: full_for_all, adjustments.DROP: drop, adjustments.BONUS: bonus is not None}
    kinds = [kind for kind, is_chosen in chosen.items() if is_chosen]
    if not kinds and not remove:
        print_adjustments(here, assignment, exercise)
        return
    if not assignment:
        raise CourseError("name the assignment to adjust")
    if len(kinds) + remove > 1:
        raise CourseError("choose one of --full-for-all, --drop, --bonus and --remove")
    reason = " ".join(printable(because or "").split()).rstrip(".")
    if kinds and not reason:
        raise CourseError('give the reason with --because "…": students read it on their pages')
    with here.connection() as connection:
        if remove and not adjustments.remove_adjustment(connection, assignment, exercise or ""):
            raise CourseError(f"{assignment} {exercise or ''}".strip() + " has no adjustment to remove")
        for kind in kinds:
            new = adjustments.build_adjustment(here, assignment, exercise or "", kind, bonus or 0, reason)
            adjustments.save_adjustment(connection, new)
        adjustments.apply_adjustments(connection, assignment)
    print_adjustments(here, assignment, exercise or "")
    count = update_late_penalties(here, assignment)
    if count:
        console.print(f"{format_count(count, 'late penalty', 'late penalties')} recomputed")
    console.print("Run `gradebox feedback` to write the changed pages.")


def print_adjustments(here: "Course", assignment: str | None, exercise: str | None) -> None:
    """Print a line for each adjustment of the course, of an assignment, or of an exercise."""
    from gradebox.autograde.adjustments import format_adjustment, read_adjustments

    with here.connection() as connection:
        found = [one for one in read_adjustments(connection, assignment) if exercise in (None, one.exercise)]
    for one in found:
        console.print(format_adjustment(one, here.dates), markup=False, highlight=False, soft_wrap=True)
    if not found:
        where = f"{assignment or ''} {exercise or ''}".strip()
        console.print(f"{where}: no adjustments" if where else "No adjustments.", highlight=False)


def update_late_penalties(here: "Course", assignment: str) -> int:
    """Recompute the penalties of an assignment's late submissions. Return how many have changed."""
    from gradebox.autograde.discover_submissions import Submission
    from gradebox.autograde.steps_around_execution import Around
    from gradebox.course import CourseError
    from gradebox.reports.terminal_score_tables import read_submission_grades

    try:
        around = Around(here)
    except CourseError:
        # The course is graded by nbgrader alone: its next run of autograde recomputes the penalties.
        return 0
    with here.gradebook() as gradebook:
        entries = read_submission_grades(gradebook, assignment)
    late = [student for student, entry in entries.items() if entry.late or entry.penalty]
    return sum(around.update_late_penalty(Submission(student, assignment)) for student in late)
