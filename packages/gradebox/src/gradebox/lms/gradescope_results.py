"""Content of Gradescope's `results.json` for a submission, with a test entry for each exercise.

Students can see the file. So it contains only the messages of the feedback pages (see
`reports/feedback_preprocessor.py`), and nothing else from a test.
"""

from collections.abc import Iterator
from typing import Any

from gradebox.printable_text import format_count, printable
from gradebox.reports.exercise_results import ExerciseResult
from gradebox.reports.redact_failures import shorten_text

# Show text literally. Gradescope's other formats interpret HTML or Markdown.
OUTPUT_FORMAT = "text"


def build_test_entries(exercise: ExerciseResult, points: str, words: str) -> Iterator[dict[str, Any]]:
    """Yield the test entries of an exercise. points, words: visibility of points and of messages.

    An entry has a single visibility. If the two differ, the messages are in a separate entry without points.
    """
    about = {"name": exercise.title, "name_format": OUTPUT_FORMAT, "output_format": OUTPUT_FORMAT}
    if exercise.number:
        about["number"] = exercise.number
    said = "\n\n".join(exercise.words)
    if exercise.tests:
        score = {"score": round_points(exercise.score), "max_score": round_points(exercise.possible)}
        # Gradescope would show an exercise without points as 0/0.
        score = score if exercise.possible else {}
        with_points = {**about, **score, "visibility": points}
        yield {**with_points, "output": said} if said and points == words else with_points
        if said and points != words:
            status = "failed" if exercise.score < exercise.possible else "passed"
            yield {**about, "output": said, "status": status, "visibility": words}


def build_results(
    found: list[ExerciseResult], noted: list[str], points: str, words: str, for_instructors: Any
) -> dict[str, Any]:
    """Return `results.json` of a graded submission. noted: notes, such as repairs of the notebook."""
    tested = [exercise.called for exercise in found if exercise.tests]
    said = [f"{format_count(len(tested), 'exercise', 'exercises')} graded by tests: {', '.join(tested)}."]
    written = [exercise for exercise in found if exercise.written]
    if written:
        some, points_for = sum(one.written for one in written), ", ".join(one.called for one in written)
        said.append(f"A person reads {points_for}: {some:g} points that are not part of this score.")
    if noted:
        said.append(f"Noted: {'; '.join(noted)}.")
    return {
        "score": round_points(sum(exercise.score for exercise in found)),
        "tests": [line for exercise in found for line in build_test_entries(exercise, points, words)],
        **build_common_fields(" ".join(said), for_instructors),
    }


def build_ungraded_results(problem: str, for_instructors: Any) -> dict[str, Any]:
    """Return `results.json` of a submission that can't be graded. problem: the reason, in one clause."""
    said = f"Nothing could be graded, so the score is 0: {problem}."
    return {"score": 0, "tests": [], **build_common_fields(said, for_instructors)}


def build_common_fields(output: str, for_instructors: Any) -> dict[str, Any]:
    return {
        "output": shorten_text(printable(output)),
        "output_format": OUTPUT_FORMAT,
        "stdout_visibility": "hidden",
        "extra_data": {"gradebox": for_instructors},
    }


def round_points(points: float) -> float:
    """Round points to remove floating-point errors of sums."""
    return round(float(points), 6)
