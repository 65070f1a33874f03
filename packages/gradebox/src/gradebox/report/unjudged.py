"""How many points come from tests that are not judged, as their authors have asked for by a tag."""

from rich.text import Text

from gradebox.course import Course
from gradebox.judge.roles import UNJUDGED, is_unjudged
from gradebox.notebook import grade_id
from gradebox.words import counted


def unjudged(course: Course, assignment: str) -> Text | None:
    """A line about them; None where there are none."""
    cells = [cell for source in course.sources(assignment).values() for cell in source.cells]
    names = [grade_id(cell) for cell in cells if is_unjudged(cell)]
    if not names:
        return None
    points = {cell.grade_id: cell.points for cell in course.graded_cells(assignment)}
    share = f"{sum(points[name] for name in names):g} of {sum(points.values()):g} points"
    tests = counted(len(names), f"test has the tag {UNJUDGED}", f"tests have the tag {UNJUDGED}")
    said = f"{assignment}: {tests} ({', '.join(names)}), {share}: student code can read and bend them"
    return Text(said, style="yellow")
