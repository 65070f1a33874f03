"""gradebox's documentation as a website: no warning, and all commands and settings of the code."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from built_site import find_broken_links, read_pages
from documentation import COMMANDS
from helpers import PROJECT, build_once


def build(folder: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", folder / "doctrees"]
    command += ["-c", "docs", ".", folder / "site"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def site() -> Path:
    return build_once("documentation", build) / "site"


def test_links_and_anchors_lead_somewhere(site):
    pages = read_pages(site)
    assert find_broken_links(site) == []
    assert all(page.title and all(page.alts) for page in pages.values())
    assert not [address for page in pages.values() for address in page.loaded if "//" in address]


def test_links_name_pages_and_not_files(site):
    reading = (site / "docs" / "reading.html").read_text(encoding="utf-8")
    assert ">Learning platforms" in reading
    files = [
        path
        for path in read_pages(site)
        if re.search(r"\.md(</span>)?</a>", path.read_text(encoding="utf-8"))
    ]
    assert files == []


def test_the_reference_has_all_commands_and_settings(site):
    commands, settings, names = (
        (site / "docs" / "reference" / f"{name}.html").read_text(encoding="utf-8")
        for name in ("commands", "settings", "names")
    )
    assert all(f'id="gradebox-{name}"' in commands for name in COMMANDS.commands)
    for text in ("c.Execute", "memory_limit", "c.LatePolicy", "grace_minutes"):
        assert text in settings
    assert "gradebox.configure" in names and "SaveAutoGrades" in names
