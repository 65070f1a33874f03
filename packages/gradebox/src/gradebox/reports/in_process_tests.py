"""List the tests that run in the student's process, where student code can read and change them."""

from collections.abc import Mapping

from rich.text import Text

from gradebox.course import Course
from gradebox.execute.detect_test_modes import attach_known_record
from gradebox.execute.test_modes import find_in_process_tests
from gradebox.printable_text import format_count, printable


def describe_in_process_tests(course: Course, assignment: str) -> Text | None:
    """Return a line about the in-process tests of an assignment; None if the assignment has none."""
    reasons = {
        name: why
        for source in course.sources(assignment).values()
        for name, why in find_in_process_tests(attach_known_record(source, course.root)).items()
    }
    points = {cell.grade_id: cell.points for cell in course.graded_cells(assignment)}
    return format_in_process_line(assignment, reasons, points)


def format_in_process_line(
    assignment: str, reasons: Mapping[str, str], points: Mapping[str, float]
) -> Text | None:
    """Format the line about in-process tests; None without such tests.

    reasons: by test. points: of all cells of the assignment.
    """
    if not reasons:
        return None
    share = f"{sum(points.get(name, 0) for name in reasons):g} of {sum(points.values()):g} points"
    tests = format_count(len(reasons), "test runs", "tests run")
    said = f"{assignment}: {tests} in the student's process, {share}: student code can read and change them"
    each = "".join(f"\n  {name}: {printable(why)}" for name, why in reasons.items())
    return Text(said + each, style="yellow")
