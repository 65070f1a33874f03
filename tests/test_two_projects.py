"""The course and gradebox are two projects; their pages name commands and files that exist."""

import re

import pytest
from documentation import broken_links, check_commands
from repository import LESSONS, REPOSITORY

from gradebox.release.generate_checks_cell import PLACEHOLDER

GRADEBOX = REPOSITORY / "packages" / "gradebox"
FOLDERS = (".", "docs", "submitted", "autograded")
PAGES = sorted(path for folder in FOLDERS for path in (REPOSITORY / folder).glob("*.md"))


def test_lessons_do_not_name_gradebox():
    texts = [path.read_text(encoding="utf-8") for path in (REPOSITORY / "lessons").glob("*.py")]
    assert len(texts) == len(LESSONS)
    assert not [text for text in texts if "gradebox" in text.replace(PLACEHOLDER, "")]


def test_gradebox_and_its_tests_do_not_need_the_course():
    needed = re.compile("|".join([*LESSONS, "from repository import"]))
    for path in (path for folder in ("src", "tests") for path in (GRADEBOX / folder).rglob("*.py")):
        assert not needed.search(path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_that_is_named_is_one(page):
    check_commands(page)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings_of_this_repository(page):
    assert broken_links(page, REPOSITORY) == []
