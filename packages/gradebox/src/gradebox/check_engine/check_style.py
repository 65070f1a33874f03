"""The `check_style` function, with which a graded test requires the style of PEP 8 (van Rossum et al., 2001).

`c.Lessons.style_points` adds such a test to a lesson: see `style_test.py`, which copies the code below the
line into the test. It needs pycodestyle.
"""

import re

from gradebox.check_engine.submitted_texts import submitted_texts

# ------------------------------------------------------------------------------------------------------
# Rules of pycodestyle that count, and exceptions: those that it turns off itself, because PEP 8 leaves them
# open, "###" as nbgrader marks solutions, `l` as the formula of a paper has it, and the end of a file.
RULES = "E1", "E2", "E3", "E5", "E7", "W1", "W2", "W6"
EXCEPTIONS = "E121", "E123", "E126", "E133", "E226", "E241", "E242", "E266", "E704", "E741", "W292"
MAGIC = re.compile(r"^\s*[%!].*", re.MULTILINE)
UNANSWERED = "raise NotImplementedError"
MAX_SHOWN = 5


def check_style(notebook, exercises, max_line_length):
    """Raise AssertionError if answers break rules of PEP 8, as pycodestyle reads it.

    notebook: the test's `globals()`. exercises: grade_ids of solution cells, each with the name of a function
    or class in the cell. Cells that are not answered are not read, but at least half must be answered.
    max_line_length: in characters.
    """
    texts = {name: submitted_texts(name, defined, notebook)[0] for name, defined in exercises.items()}
    answered = {name: text for name, text in texts.items() if text.strip() and UNANSWERED not in text}
    if 2 * len(answered) < len(exercises):
        raise AssertionError(
            f"{len(answered)} of {len(exercises)} exercises are answered: style counts when at least half are"
        )
    problems = [
        f"{name}, line {line}: {message}"
        for name, text in answered.items()
        for line, message in find_style_problems(text, max_line_length)
    ]
    if problems:
        more = len(problems) - MAX_SHOWN
        # One line: of a hidden test's message, students see the first line.
        shown = [*problems[:MAX_SHOWN], *([f"and {more} more places"] if more > 0 else [])]
        raise AssertionError("; ".join(shown))


def find_style_problems(text, max_line_length):
    """Return the places of a cell that break a rule, as (line number, rule and message)."""
    import pycodestyle

    found = []

    class Collector(pycodestyle.BaseReport):
        def error(self, line_number, offset, message, check):
            if message.startswith(RULES) and not message.startswith(EXCEPTIONS):
                found.append((line_number, message))

    style = pycodestyle.StyleGuide(reporter=Collector, select=RULES, max_line_length=max_line_length)
    plain = MAGIC.sub("pass", text).rstrip("\n") + "\n"
    pycodestyle.Checker(lines=plain.splitlines(keepends=True), options=style.options).check_all()
    return sorted(found)
