"""What is published of gradebox holds nothing of the course that students must not see."""

import subprocess
import sys
import tarfile
import zipfile

from repository import LESSONS, REPOSITORY, notebook

from gradebox.notebook_exercises import extract_reference_solutions

HIDDEN = "### BEGIN HIDDEN TESTS"


def passages(text: str) -> set[str]:
    """Return each three lines of a text that follow each other and are long enough to be nobody else's."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    threes = ("\n".join(lines[start : start + 3]) for start in range(len(lines) - 2))
    return {three for three in threes if len(three) >= 80}


def secrets() -> set[str]:
    """Return the passages of the solutions and of the hidden tests."""
    found = set()
    for lesson in LESSONS:
        source = notebook("source", lesson)
        texts = list(extract_reference_solutions(source).values())
        texts += [cell.source.partition(HIDDEN)[2] for cell in source.cells if HIDDEN in cell.source]
        found |= set().union(*map(passages, texts))
    return found


def test_the_sdist_and_the_wheel_hold_no_solution_and_no_hidden_test_of_the_course(tmp_path):
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=REPOSITORY / "packages" / "gradebox", check=True, capture_output=True)
    published = {}
    for path in tmp_path.glob("*.tar.gz"):
        with tarfile.open(path) as archive:
            published |= {
                member.name: archive.extractfile(member).read() for member in archive if member.isfile()
            }
    for path in tmp_path.glob("*.whl"):
        with zipfile.ZipFile(path) as archive:
            published |= {name: archive.read(name) for name in archive.namelist()}
    hidden = secrets()
    assert len(hidden) > 100 and len(published) > 500
    for name, content in published.items():
        # A notebook would have its lines in quotes.
        assert not name.endswith(".ipynb") and not any(lesson in name for lesson in LESSONS), name
        assert passages(content.decode(errors="replace")) & hidden == set(), name
