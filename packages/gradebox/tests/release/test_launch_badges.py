"""What a release puts around a lesson: links that open it elsewhere, and how it is handed in."""

from urllib.parse import parse_qs, urlsplit

import pytest
from helpers import gradebox, notebook, small_lesson, with_settings, write_notebook
from nbformat.v4 import new_code_cell

from gradebox.autograde.graded_text_hashes import hash_graded_texts
from gradebox.course import Course
from gradebox.release.release_lessons import write_student_version

REPOSITORY = 'c.Links.repository = "somebody/attention"'
HUB = 'c.Links.hub = "https://hub.example.edu/"'
LITE = 'c.Links.lite = "https://example.edu/lite"'


def released(course: Course, *settings: str):
    course = Course(with_settings(course, *settings).root)
    write_student_version(course, "hw")
    return notebook("release", "hw", course.root)


def addresses(course: Course, *settings: str) -> list[str]:
    """Where the links on top of the released notebook go."""
    first = released(course, *settings).cells[0]
    if first.cell_type != "markdown":
        return []
    return [line.rpartition("](")[2].removesuffix(")") for line in first.source.splitlines()]


def test_there_is_nothing_that_nobody_asked_for(small):
    cells = released(small).cells
    assert "open" not in cells[0].source.lower() and "Hand it in" not in cells[-1].source
    assert addresses(small, HUB, "c.Links.binder = True") == []


def test_colab_opens_the_notebook_of_the_public_repository(small):
    (address,) = addresses(small, REPOSITORY, 'c.Links.branch = "2026 autumn"')
    where = urlsplit(address)
    assert (where.scheme, where.netloc) == ("https", "colab.research.google.com")
    assert where.path == "/github/somebody/attention/blob/2026%20autumn/release/hw/hw.ipynb"


def test_binder_builds_the_repository_and_opens_the_notebook_in_jupyterlab(small):
    (address,) = addresses(small, REPOSITORY, "c.Links.colab = False", "c.Links.binder = True")
    where = urlsplit(address)
    assert (where.scheme, where.netloc) == ("https", "mybinder.org")
    assert where.path == "/v2/gh/somebody/attention/main"
    assert parse_qs(where.query) == {"labpath": ["release/hw/hw.ipynb"]}


def test_a_hub_pulls_the_repository_and_opens_the_notebook(small):
    (address,) = addresses(small, REPOSITORY, "c.Links.colab = False", HUB)
    where = urlsplit(address)
    assert (where.scheme, where.netloc) == ("https", "hub.example.edu")
    assert where.path == "/hub/user-redirect/git-pull"
    # As nbgitpuller's handler reads them.
    assert parse_qs(where.query) == {
        "repo": ["https://github.com/somebody/attention"],
        "branch": ["main"],
        "urlpath": ["lab/tree/attention/release/hw/hw.ipynb"],
    }


def test_jupyterlite_opens_lessons_that_need_no_more_than_it_has(small):
    (address,) = addresses(small, LITE)
    where = urlsplit(address)
    assert (where.netloc, where.path) == ("example.edu", "/lite/lab/index.html")
    assert parse_qs(where.query) == {"path": ["hw/hw.ipynb"]}
    path = small.root / "source" / "hw" / "hw.ipynb"
    path.write_text(path.read_text().replace("def double", "import torch\\n\\ndef double"))
    assert addresses(small) == []


def test_all_of_them_stand_in_one_cell(small):
    found = addresses(small, REPOSITORY, HUB, LITE, "c.Links.binder = True")
    assert [urlsplit(address).netloc.split(".")[0] for address in found] == [
        "colab",
        "mybinder",
        "hub",
        "example",
    ]


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ('c.Links.repository = "https://github.com/a/b"', "owner/name"),
        ('c.Links.hub = "hub.example.edu"', "https://"),
        ('c.HandIn.through = "pigeon"', "lms"),
    ],
)
def test_a_setting_that_can_not_be_meant_is_refused_in_words(small, setting, said):
    done = gradebox(with_settings(small, setting), "release")
    told = done.stderr.replace("\n", " ")
    assert done.returncode and said in told and "Traceback" not in told, told


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (['c.HandIn.through = "lms"'], "upload the `.ipynb` file where your course's page asks"),
        (
            ['c.HandIn.through = "lms"', 'c.HandIn.where = "on Moodle"'],
            "upload the `.ipynb` file on Moodle (",
        ),
        (['c.HandIn.through = "exchange"'], "press *Submit* at `hw`."),
        (
            ['c.HandIn.through = "folder"', 'c.HandIn.where = "into /srv/in"'],
            "put the `.ipynb` file into /srv/in.",
        ),
        (
            ['c.HandIn.through = "lms"', 'c.Links.lite = "https://example.edu/lite"'],
            "by *File → Download*, JupyterLite by a right click on it in the list of files, and *Download*;",
        ),
        (['c.HandIn.sentence = "send it to ann@example.edu."'], "send it to ann@example.edu."),
    ],
)
def test_the_end_says_how_the_lesson_is_handed_in(small, settings, said):
    last = released(small, *settings).cells[-1]
    assert last.cell_type == "markdown" and "Save this notebook, and " in last.source
    assert said in last.source and "What the file is called doesn't matter" in last.source


def test_the_end_says_nothing_of_jupyterlite_where_the_lesson_does_not_run_there(small):
    write_notebook(
        small.root / "source" / "hw" / "hw.ipynb", [*small_lesson(), new_code_cell("import torch")]
    )
    last = released(small, 'c.HandIn.through = "lms"', 'c.Links.lite = "https://example.edu/lite"').cells[-1]
    assert "by *File → Download*; on your own computer" in last.source


def test_how_it_is_handed_in_is_no_part_of_an_answer_above_it(small):
    with_it = released(small, 'c.HandIn.through = "lms"')
    question = next(
        n for n, cell in enumerate(with_it.cells) if cell.get("metadata", {}).get("nbgrader", {}).get("task")
    )
    # The question is the last cell of the instructor's.
    del with_it.cells[question + 2 : -1]
    before = hash_graded_texts(with_it)
    del with_it.cells[-1]
    assert hash_graded_texts(with_it) == before
