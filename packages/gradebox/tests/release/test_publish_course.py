"""What is made public holds what students may see, and nothing else."""

import subprocess

import nbformat
import pytest
from helpers import cell, gradebox, small_lesson, with_settings, write_notebook

from gradebox.course import Course, CourseError
from gradebox.release.notebook_requirements import find_imported_modules
from gradebox.release.publish_course import write_public_folder

SECRET = "assert double(7) == 14, 'the hidden one'"


@pytest.fixture
def secretive(small) -> Course:
    """The small course with a hidden test and a mark scheme, released."""
    solution, _, question, *rest = small_lesson()
    hidden = f"import numpy as np\nimport json\n### BEGIN HIDDEN TESTS\n{SECRET}\n### END HIDDEN TESTS"
    question.source += "\n### BEGIN MARK SCHEME\nOne point for a reason.\n### END MARK SCHEME"
    cells = [solution, cell("test", "double-test", hidden), question, *rest]
    write_notebook(small.root / "source" / "hw" / "hw.ipynb", cells)
    (small.root / "requirements.txt").write_text("# pinned\nnumpy==2.4.6\npytest==9.2.0\n")
    (small.root / "README.md").write_text("# A small course\n\nHow to grade it.\n")
    assert gradebox(small, "release").returncode == 0
    return Course(small.root)


def test_there_is_the_release_a_readme_and_what_the_notebooks_import(secretive, tmp_path):
    folder = tmp_path / "public"
    run = gradebox(secretive, "publish", str(folder))
    assert run.returncode == 0 and "ready to push" in run.stdout, run.stderr
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert found == {"README.md", "requirements.txt", "release/hw/hw.ipynb"}
    assert (folder / "requirements.txt").read_text() == "numpy==2.4.6\njupyterlab\n"
    page = (folder / "README.md").read_text()
    assert page.startswith("# A small course\n") and "(release/hw/hw.ipynb)" in page
    everything = "".join(path.read_text() for path in folder.rglob("*") if path.is_file())
    for secret in (SECRET, "return 2 * x", "One point for a reason", "BEGIN"):
        assert secret not in everything
    released = secretive.path("release", "hw") / "hw.ipynb"
    assert (folder / "release" / "hw" / "hw.ipynb").read_bytes() == released.read_bytes()


def test_it_is_written_again_into_a_repository_and_what_is_gone_goes(secretive, tmp_path):
    folder = tmp_path / "public"
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    (folder / ".gitignore").write_text(".ipynb_checkpoints\n")
    write_public_folder(secretive, folder)
    (folder / "release" / "old" / "lesson.ipynb").parent.mkdir()
    (folder / "release" / "old" / "lesson.ipynb").write_text("{}")
    assert write_public_folder(secretive, folder) == ["README.md", "release/hw/hw.ipynb", "requirements.txt"]
    assert not (folder / "release" / "old").exists()
    assert (folder / ".git").is_dir() and (folder / ".gitignore").is_file()


def test_it_is_refused_in_one_sentence_where_something_could_be_lost_or_told(secretive, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("years of work")
    for folder, why in {
        other: "contains other files (thesis.tex)",
        other / "thesis.tex": "is a file",
        secretive.root / "public": "part of the course",
        secretive.root.parent: "part of the course, or contains the course",
    }.items():
        run = gradebox(secretive, "publish", str(folder))
        assert run.returncode == 2 and why in run.stderr.replace("\n", ""), run.stderr
        assert len(run.stderr.splitlines()) == 1
    assert (other / "thesis.tex").read_text() == "years of work"


@pytest.mark.parametrize(
    "leak", [SECRET, "    return 2 * x", "### BEGIN SOLUTION", "One point for a reason."]
)
def test_a_released_notebook_that_tells_too_much_is_not_published(secretive, tmp_path, leak):
    path = secretive.path("release", "hw") / "hw.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[0].source += f"\n{leak}"
    nbformat.write(notebook, path)
    with pytest.raises(CourseError, match="must not see"):
        write_public_folder(secretive, tmp_path / "public")
    assert not (tmp_path / "public").exists()
    path.unlink()
    with pytest.raises(CourseError, match="not released"):
        write_public_folder(secretive, tmp_path / "public")


def test_each_lesson_has_its_description_and_a_badge_if_there_is_a_repository(secretive, tmp_path):
    (secretive.root / "README.md").write_text(
        "# A course\n\n| hw | what |\n|---|---|\n| [`hw`](release/hw/hw.ipynb) | to double numbers |\n"
    )
    write_public_folder(secretive, tmp_path / "public")
    plain = (tmp_path / "public" / "README.md").read_text()
    assert "(release/hw/hw.ipynb)**\\\n  To double numbers\n" in plain
    assert "colab.research" not in plain and "github.com" not in plain and "in the browser" not in plain
    write_public_folder(
        with_settings(secretive, 'c.Links.repository = "somebody/course"'), tmp_path / "public"
    )
    linked = (tmp_path / "public" / "README.md").read_text()
    badge = "https://colab.research.google.com/github/somebody/course/blob/main/release/hw/hw.ipynb"
    assert linked.count(badge) == 2 and "**Try the first lesson in the browser:** [![Open in Colab]" in linked


def test_libraries_are_those_of_every_import():
    text = (
        "from sklearn import datasets\nfrom torchvision import datasets\nfrom .own import f\nimport os\n%ls"
    )
    inner = "def f():\n    import yaml as y, pandas.testing"
    cells = [
        nbformat.v4.new_code_cell(text),
        nbformat.v4.new_code_cell(inner),
        nbformat.v4.new_code_cell("f = ("),
    ]
    assert find_imported_modules([nbformat.v4.new_notebook(cells=cells)]) == {
        "sklearn",
        "torchvision",
        "yaml",
        "pandas",
    }
