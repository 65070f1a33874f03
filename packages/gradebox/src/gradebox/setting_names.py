"""Check of the names of gradebox's settings in a course's configuration. Used by `course.py`.

For an unknown name, traitlets only logs a warning, and the default applies. An unknown section has no effect.
"""

from difflib import get_close_matches
from importlib import import_module

from traitlets.config import Config

from gradebox.withdrawn_features import describe_removed_setting

# The module of each section, which is imported only if the configuration has the section.
SECTIONS = {
    "Collect": "lms.ignored_people",
    "Dates": "dates",
    "Execute": "execute.execute_preprocessor",
    "Final": "reports.final_grades",
    "HandIn": "release.submission_instructions",
    "LatePolicy": "autograde.late_policy",
    "Lessons": "exercise_selection",
    "Links": "release.launch_badges",
    "MatchNotebooks": "autograde.match_notebooks",
}


# A section this similar to one of gradebox's is misspelt. Of Jupyter's and nbgrader's sections, CollectApp is
# the nearest, with 0.82.
SIMILARITY = 0.85


def find_unknown_setting(config: Config) -> str | None:
    """Return a message about the first section or setting that is removed, misspelt or unknown, or None."""
    for section, values in config.items():
        for name in ("", *(values if isinstance(values, Config) else ())):
            if removed := describe_removed_setting(section, name):
                return removed
    sections = {section.lower(): section for section in SECTIONS}
    for other in config.keys() - SECTIONS.keys():
        similar = get_close_matches(other.lower(), sections, 1, SIMILARITY)
        if similar:
            return f"there is no section c.{other}: did you mean c.{sections[similar[0]]}?"
    for section, module in SECTIONS.items():
        own = config.get(section)
        if not own:
            continue
        known = getattr(import_module(f"gradebox.{module}"), section).class_trait_names(config=True)
        for name in own:
            if name not in known:
                similar = get_close_matches(name, known, 1)
                what = f"did you mean {similar[0]!r}?" if similar else "correct or remove it"
                return f"c.{section} has no setting {name!r}: {what}"
    return None
