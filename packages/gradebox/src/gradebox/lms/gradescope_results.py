"""What Gradescope reads of a graded submission: `results.json`, with a test for each exercise.

Students get to see it: it has the sentences that pages for students have (see
`reports/feedback_preprocessor.py`), and nothing else of a test.
"""

from collections.abc import Iterator
from typing import Any

from gradebox.printable_text import format_count, printable
from gradebox.reports.exercise_results import ExerciseResult
from gradebox.reports.redact_failures import shorten_text

# What is shown as it is written. Gradescope would take other formats for HTML or Markdown.
OUTPUT_FORMAT = "text"


def build_test_entries(exercise: ExerciseResult, points: str, words: str) -> Iterator[dict[str, Any]]:
    """What `results.json` has for an exercise. points, words: when students see these, in Gradescope's words.

    A test has one such word. Where the two differ, what is said is a test of its own, without points.
    """
    about = {"name": exercise.title, "name_format": OUTPUT_FORMAT, "output_format": OUTPUT_FORMAT}
    if exercise.number:
        about["number"] = exercise.number
    said = "\n\n".join(exercise.words)
    if exercise.tests:
        score = {"score": round_points(exercise.score), "max_score": round_points(exercise.possible)}
        with_points = {**about, **score, "visibility": points}
        yield {**with_points, "output": said} if said and points == words else with_points
        if said and points != words:
            status = "failed" if exercise.score < exercise.possible else "passed"
            yield {**about, "output": said, "status": status, "visibility": words}


def build_results(
    found: list[ExerciseResult], noted: list[str], points: str, words: str, for_instructors: Any
) -> dict[str, Any]:
    """`results.json` of a submission that was graded. noted: what was put right, and the like."""
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
    """`results.json` of what can't be graded, by its student's doing. problem: why, in one clause."""
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
    """Points without what sums of fractions leave behind."""
    return round(float(points), 6)
