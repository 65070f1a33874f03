"""Commands that change or compute grades after grading. Each command imports its modules when it runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gradebox.console import (
    AllOption,
    AssignmentsArgument,
    CourseOption,
    SectionOption,
    console,
    make_section_folder,
    open_course,
    select_section,
    select_students,
)
from gradebox.lms.lms_commands import print_waiting
from gradebox.printable_text import format_count, format_file_name, printable

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
    excuse: Annotated[
        bool, typer.Option("--excuse", help="Leave the assignment out of the final grade of --student.")
    ] = False,
    student: Annotated[str | None, typer.Option(help="The student to excuse.")] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the adjustment, or the excuse.")] = False,
    because: Annotated[
        str | None,
        typer.Option(help="The reason. Students read that of an adjustment on their pages."),
    ] = None,
    course: CourseOption = Path("."),
) -> None:
    """Adjust the points of an exercise for everyone who has handed in; without options, list adjustments.

    No notebook runs again. The adjustment also applies to later submissions, and to points that are given
    later. An exercise has one adjustment: a new one replaces it. With --excuse, one student need not do the
    assignment.
    """
    from gradebox.autograde import adjustments
    from gradebox.course import CourseError
    from gradebox.reports.dependent_points import update_late_penalties

    here = open_course(course, assignment)
    if assignment:
        here.select_assignments([assignment])
    chosen = {adjustments.FULL: full_for_all, adjustments.DROP: drop, adjustments.BONUS: bonus is not None}
    kinds = [kind for kind, is_chosen in chosen.items() if is_chosen]
    if len(kinds) + excuse + remove > 1:
        raise CourseError("choose one of --full-for-all, --drop, --bonus, --excuse and --remove")
    if student or excuse:
        if not student or kinds or exercise:
            raise CourseError("an excuse needs --student, and has no exercise and no points")
        change_excuse(here, assignment, student, remove, read_reason(because) if excuse else "")
        return
    if not kinds and not remove:
        print_adjustments(here, assignment, exercise)
        return
    if not assignment:
        raise CourseError("name the assignment to adjust")
    reason = read_reason(because) if kinds else ""
    with here.connection() as connection:
        if remove and not adjustments.remove_adjustment(connection, assignment, exercise or ""):
            raise CourseError(f"{assignment} {exercise or ''}".strip() + " has no adjustment to remove")
        said = "adjustment removed"
        for kind in kinds:
            new = adjustments.build_adjustment(here, assignment, exercise or "", kind, bonus or 0, reason)
            adjustments.save_adjustment(connection, new)
            said = adjustments.describe_adjustment(new, here.dates)
        students = format_count(adjustments.apply_adjustments(connection, assignment), "student", "students")
    where = adjustments.describe_exercise(here, assignment, exercise or "")
    line = f"{where}: {said}. The points of {students} change."
    console.print(line, markup=False, highlight=False, soft_wrap=True)
    count = update_late_penalties(here, assignment)
    if count:
        console.print(f"{format_count(count, 'late penalty', 'late penalties')} recomputed")
    print_waiting(here)
    console.print("Run `gradebox feedback` to write the changed pages.")


def read_reason(because: str | None) -> str:
    """Return the reason on one line, without a full stop. Raises CourseError if there is none."""
    from gradebox.course import CourseError

    reason = " ".join(printable(because or "").split()).rstrip(".")
    if not reason:
        raise CourseError('give the reason with --because "…"')
    return reason


def change_excuse(here: "Course", assignment: str | None, student: str, remove: bool, reason: str) -> None:
    """Excuse a student from an assignment, or remove the excuse; without a reason, print the excuses."""
    from gradebox.autograde.excuses import format_excuse, read_excuses, remove_excuse, save_excuse
    from gradebox.course import CourseError

    select_students(here, [student])
    if not assignment and (remove or reason):
        raise CourseError("name the assignment of the excuse")
    who = f"{assignment}, {format_file_name(student)}" if assignment else format_file_name(student)
    with here.connection() as connection:
        if assignment and reason:
            save_excuse(connection, student, assignment, reason)
        if assignment and remove and not remove_excuse(connection, student, assignment):
            raise CourseError(f"{who}: no excuse to remove")
        mine = [one for one in read_excuses(connection, assignment) if one.student == student]
    lines = [format_excuse(one, here.dates) for one in mine]
    for line in lines or [f"{who}: not excused"]:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def print_adjustments(here: "Course", assignment: str | None, exercise: str | None) -> None:
    """Print a line for each adjustment and excuse of the course or of an assignment.

    exercise: only the adjustment of this exercise.
    """
    from gradebox.autograde.adjustments import format_adjustment, read_adjustments
    from gradebox.autograde.excuses import format_excuse, read_excuses

    with here.connection() as connection:
        found = [one for one in read_adjustments(connection, assignment) if exercise in (None, one.exercise)]
        excuses = read_excuses(connection, assignment) if exercise is None else []
    lines = [format_adjustment(one, here.dates) for one in found]
    lines += [format_excuse(one, here.dates) for one in excuses]
    where = f"{assignment or ''} {exercise or ''}".strip()
    for line in lines or [f"{where}: no adjustments" if where else "No adjustments."]:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def final(
    assignments: AssignmentsArgument = None,
    exercises: Annotated[
        bool, typer.Option("--exercises", help="Also write a column for each exercise.")
    ] = False,
    section: SectionOption = None,
    everyone: AllOption = False,
    output: Annotated[
        Path | None,
        typer.Option(help="The file to write (default: exports/final.csv, or final-SECTION.csv)."),
    ] = None,
    course: CourseOption = Path("."),
) -> None:
    """Compute final grades with the settings of c.Final, and write them to exports/final.csv.

    The settings are the lessons' weights, how many of the lowest lessons do not count, the scale, and
    letters. Excused lessons (`gradebox adjust --excuse`) do not count. Grades that are not final are marked.
    """
    from gradebox.course import CourseError
    from gradebox.csv_table import write_csv_table
    from gradebox.lms.export_grades import EXPORT_FOLDER
    from gradebox.reports import final_grades
    from gradebox.reports.terminal_score_tables import MAX_PRINTED_STUDENTS

    here = open_course(course, *(assignments or []))
    chosen = here.select_assignments(assignments)
    found = final_grades.compute_final_grades(here, chosen, select_section(here, section))
    if not found.lessons:
        raise CourseError("no lesson counts: nothing is handed in, or c.Final.weights names no such lesson")
    name = "-".join(filter(None, ("final", make_section_folder(section))))
    path = output or here.root / EXPORT_FOLDER / f"{name}.csv"
    write_csv_table(path, final_grades.build_final_csv(here, found, exercises))
    unfinished = [one for one in found.grades if one.unfinished]
    prints_all = everyone or len(found.grades) <= MAX_PRINTED_STUDENTS
    shown = found.grades if prints_all else unfinished
    if shown:
        console.print(final_grades.build_final_table(found, shown))
    for line in final_grades.describe_rules(found):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    print_waiting(here)
    where = path.relative_to(here.root) if path.is_relative_to(here.root) else path
    rest = format_count(len(found.grades) - len(shown), "student", "students")
    hidden = "" if prints_all else f"; {rest} with final grades are only there (--all prints them)"
    console.print(f"{where} written{hidden}", markup=False, highlight=False, soft_wrap=True)
