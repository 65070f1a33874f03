"""Removed settings, commands and tables, for `app.py`, `setting_names.py` and `gradebook_transactions.py`.

Each setting and command has one sentence: what there is instead. The date says since when it is gone.
"""

from collections.abc import Mapping, Sequence

REMOVED_ON = "2026-11-29"
# What there is instead, by section or by section and setting.
SETTINGS: Mapping[str, str] = {
    "Site": "a website has the settings of Sphinx, in a conf.py: see website.md",
    "Watch": "`gradebox watch` releases the feedback page of each submission at once",
    "Lessons.style_points": "points for style are a rubric item now, see authoring.md",
    "Lessons.max_line_length": "points for style are a rubric item now, see authoring.md",
}
# What there is instead, by command, or by command and option as in "init --remove".
COMMANDS: Mapping[str, str] = {
    "examples": "the course Attention, Graded has a script for example students, example_students.py",
    "init --yes": "`gradebox init --remove` keeps all data, and needs no confirmation",
    "audit --judge": "`gradebox check` compares the points of the solutions with those of stock nbgrader",
    "collect --all": "downloaded/collected.csv lists all files",
    "export --output": "a lesson has one table for each platform, in exports/",
    "watch --folder": "`gradebox collect` and `gradebox grade` take the files of a folder",
}
# Tables of nbgrader's gradebook that nothing reads any more.
TABLES: Sequence[str] = ("gradebox_answer", "gradebox_taken")


def describe_removed_setting(section: str, setting: str = "") -> str | None:
    """Return the sentence about a section or setting that was removed, or None."""
    name = f"{section}.{setting}" if setting else section
    return describe_removal(f"c.{name}", SETTINGS.get(name))


def describe_removed_command(arguments: Sequence[str]) -> str | None:
    """Return the sentence about the first removed command or option in a command line, or None."""
    command, *options = arguments or [""]
    names = [command, *(f"{command} {option.partition('=')[0]}" for option in options)]
    return next(
        (describe_removal(f"gradebox {name}", COMMANDS[name]) for name in names if name in COMMANDS), None
    )


def describe_removal(name: str, replacement: str | None) -> str | None:
    return replacement and f"`{name}` was removed on {REMOVED_ON}: {replacement}"
