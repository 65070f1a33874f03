"""The command `gradebox new`, which starts a lesson with three worked exercises."""

import re
from pathlib import Path
from typing import Annotated

import typer

from gradebox.console import CourseOption, console

# The files of a new lesson, each with the ending .txt: they are parts of a lesson, not modules.
TEMPLATE = Path(__file__).with_name("lesson_template")
# A lesson's number, and the name of its notebook.
LESSON_NAME = re.compile(r"(?:(\d+)_)?+([^\W_][\w-]*)")


def new(
    lesson: Annotated[str, typer.Argument(help="The name of the lesson, such as 02_averages.")],
    course: CourseOption = Path("."),
) -> None:
    """Start a lesson: write a text with three worked exercises to lessons/, and their answers to answers/.

    The lesson can be released as it is. Replace its exercises with your own.
    """
    from gradebox.course import Course, CourseError

    here = Course(course)
    parts = LESSON_NAME.fullmatch(lesson)
    if not parts or here.is_ignored(lesson):
        what = "the settings ignore this name" if parts else "use letters, digits, _ and -, as in 02_averages"
        raise CourseError(f"a lesson can't be called {lesson!r}: {what}")
    text, answers = here.root / "lessons" / f"{lesson}.py", here.root / "answers" / lesson
    names = f"lessons/{lesson}.py", f"answers/{lesson}", here.describe_source(lesson)
    for name, path in zip(names, (text, answers, here.path("source", lesson)), strict=True):
        if path.exists():
            raise CourseError(f"{name} already exists: choose another name")
    title = re.sub("[_-]", " ", parts[2])
    words = {"LESSON_NUMBER": str(int(parts[1] or 1)), "LESSON_TITLE": title[0].upper() + title[1:]}
    lesson_text = (TEMPLATE / "lesson.py.txt").read_text(encoding="utf-8")
    for word, meaning in words.items():
        lesson_text = lesson_text.replace(word, meaning)
    answers.mkdir(parents=True)
    for path in (TEMPLATE / "answers").iterdir():
        (answers / path.stem).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    text.parent.mkdir(exist_ok=True)
    text.write_text(lesson_text, encoding="utf-8")
    console.print(f"lessons/{lesson}.py written: a lesson with three exercises, for you to replace")
    console.print(f"answers/{lesson}/ written: right and wrong answers to these exercises")
    console.print(f"Next, `gradebox release {lesson}` writes the notebooks.", soft_wrap=True)
    console.print(f"Then `gradebox audit {lesson}` checks the tests.", soft_wrap=True)
