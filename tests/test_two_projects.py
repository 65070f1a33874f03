"""The course and gradebox are two projects; their pages name commands and files that exist."""

import re

import pytest
from documentation import broken_links, check_commands
from repository import LESSONS, REPOSITORY

GRADEBOX = REPOSITORY / "packages" / "gradebox"
FOLDERS = (".", "docs", "submitted", "autograded")
PAGES = sorted(path for folder in FOLDERS for path in (REPOSITORY / folder).glob("*.md"))


def test_lessons_do_not_name_gradebox():
    lessons = [path for lesson in LESSONS for path in (REPOSITORY / "lessons" / lesson).glob("*.py")]
    assert not [path for path in lessons if "gradebox" in path.read_text(encoding="utf-8")]


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
