"""Copy the parts of a course that students may see to a separate folder for publication (`gradebox publish`).

The course's own repository can't be published: it contains solutions, hidden tests and mark schemes.
"""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode

from gradebox.checks_cell import expand_checks_cell
from gradebox.course import Course, CourseError
from gradebox.notebook_exercises import TITLE_PATTERN, find_title
from gradebox.release import notebook_requirements
from gradebox.release.launch_badges import Links
from gradebox.release.notebook_lint import REMOVAL_STEPS, get_delimiters
from gradebox.release.submission_instructions import HandIn

README_TEMPLATE = """# {title}

{lessons}

## How to work

- **On your own computer**, with Python 3.11 or newer: {computer}.
- **In Colab**: {colab}. *File → Save a copy in Drive* keeps your work.
- Run the cells from the top. Where a cell says `YOUR CODE HERE`, write your own; the tests below it tell you
  at once what is still wrong. Hidden tests check more cases when your notebook is graded.
- Leave the other cells as they are: they are put back before grading.

## How to hand in

Save the notebook, and {how} Hand in one file per lesson; the file name doesn't matter.
"""
# A row of a table in the course's README.md: a link to a released notebook, and a description of the lesson.
DESCRIPTION_PATTERN = re.compile(r"^\|[^|]*\]\(\w+/([^/)]+)/[^)]*\)[^|]*\|([^|]*)\|", re.MULTILINE)


# A course's own list of packages that students install.
STUDENT_REQUIREMENTS_FILE = "requirements-student.txt"
DEFAULT_HAND_IN_STEP = "hand in the `.ipynb` file where your teacher asks for it."


@dataclass(frozen=True)
class ListedLesson:
    """A lesson in a README.md or on a home page, in Markdown. launches: links that open it in a browser."""

    assignment: str
    link: str
    facts: list[str]
    launches: list[str]


def write_public_folder(course: Course, folder: Path) -> list[str]:
    """Write only files that students may see to `folder`. Return the relative paths of these files.

    An earlier publication in the folder is replaced; `.git` and other names that begin with a dot are kept.
    Raises CourseError if the folder contains other files or belongs to the course, or if a released notebook
    contains text that students must not see.
    """
    folder, release = folder.resolve(), course.path("release", "x").parent
    if folder.is_relative_to(course.root) or course.root.is_relative_to(folder):
        raise CourseError(f"{folder} is part of the course, or contains the course: name a folder outside")
    ours = {release.name, "README.md", "requirements.txt", "LICENSE"}
    check_folder(folder, ours)
    notebooks = read_released_notebooks(course)
    texts = {
        "README.md": build_readme(course, notebooks),
        "requirements.txt": build_student_requirements(course, notebooks),
    }
    licence = course.root / "LICENSE"
    if licence.is_file():
        texts["LICENSE"] = licence.read_text(encoding="utf-8")
    shutil.rmtree(folder / release.name, ignore_errors=True)
    for assignment in course.assignments:
        hidden = shutil.ignore_patterns(".*", "__pycache__")
        shutil.copytree(course.path("release", assignment), folder / release.name / assignment, ignore=hidden)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    written = [p for p in folder.rglob("*") if p.is_file() and p.relative_to(folder).parts[0] in ours]
    return sorted(str(path.relative_to(folder)) for path in written)


def check_folder(folder: Path, ours: set[str]) -> None:
    """Raise CourseError if a folder is a file, or contains files whose names are not in `ours`."""
    if folder.exists() and not folder.is_dir():
        raise CourseError(f"{folder} is a file: name a folder")
    others = sorted(p.name for p in folder.glob("*") if p.name not in ours and not p.name.startswith("."))
    if others:
        raise CourseError(f"{folder} contains other files ({', '.join(others[:3])}): name an empty folder")


def read_released_notebooks(course: Course) -> dict[Path, NotebookNode]:
    """Return the released notebooks, by path.

    Raises CourseError if a notebook is missing or contains text that students must not see.
    """
    found = {}
    if not course.assignments:
        raise CourseError("the course has no assignments to publish")
    for assignment in course.assignments:
        for name, source in course.sources(assignment).items():
            path = course.release_path(assignment, name)
            found[path] = nbformat.read(path, as_version=4)
            secret = find_secret_lines(course, source)
            texts = [expand_checks_cell(cell.source) for cell in found[path].cells]
            lines = [line.strip() for text in texts for line in text.splitlines()]
            told = [line for line in lines if line in secret]
            if told:
                raise CourseError(
                    f"{path.relative_to(course.root)} contains what students must not see ({told[0]!r}): "
                    f"run `gradebox release {assignment}` first"
                )
    return found


def find_secret_lines(course: Course, source: NotebookNode) -> set[str]:
    """Return the markers of an instructor's notebook, and the lines that occur only between markers."""
    pairs = [get_delimiters(step(config=course.app.config)) for step in REMOVAL_STEPS]
    hidden: set[str] = set()
    open_: set[str] = set()
    for cell in source.cells:
        end = None
        for line in map(str.strip, expand_checks_cell(cell.source).splitlines()):
            begun = [last for first, last in pairs if first in line]
            if begun or end:
                hidden.add(line)
            else:
                open_.add(line)
            if begun:
                end = begun[0]
            elif end and end in line:
                end = None
    return hidden - open_ - {""}


def build_readme(course: Course, notebooks: dict[Path, NotebookNode]) -> str:
    """Return the README.md for students: the lessons, each with its launch links."""
    lessons = []
    for path, notebook in notebooks.items():
        link = f"[{find_title(notebook) or path.stem}]({path.relative_to(course.root).as_posix()})"
        launches = Links(config=course.app.config).links(notebook, f"{path.parent.name}/{path.name}")
        lessons.append(ListedLesson(path.parent.name, link, launches, launches))
    start = "run `pip install -r requirements.txt` and `jupyter lab`, and open a notebook"
    return fill_readme(course, lessons, f"{start} in `{course.path('release', 'x').parent.name}/`")


def fill_readme(course: Course, lessons: list[ListedLesson], computer: str) -> str:
    """Return the text of a README.md, or of a website's home page.

    The title and the descriptions of lessons come from the course's README.md. computer: what students do on
    their own computers.
    """
    own = course.root / "README.md"
    text = own.read_text(encoding="utf-8") if own.is_file() else ""
    title, descriptions = TITLE_PATTERN.search(text), dict(DESCRIPTION_PATTERN.findall(text))
    items = []
    for lesson in lessons:
        description = descriptions.get(lesson.assignment, "").strip()
        lines = [f"**{lesson.link}**", description[:1].upper() + description[1:], " · ".join(lesson.facts)]
        items.append("- " + "\\\n  ".join(filter(None, lines)))
    launches, upload = " · ".join(lessons[0].launches), "*File → Upload notebook*"
    trial = f"**Try the first lesson in the browser:** {launches}\n\n" if launches else ""
    return README_TEMPLATE.format(
        title=title[1].strip() if title else course.directory().course_id or "Notebooks",
        lessons=trial + "\n".join(items),
        computer=computer,
        colab=f"*Open in Colab* beside a lesson, or {upload}" if "Open in Colab" in launches else upload,
        how=HandIn(config=course.app.config).format_instructions("the lesson") or DEFAULT_HAND_IN_STEP,
    )


def build_student_requirements(course: Course, notebooks: dict[Path, NotebookNode]) -> str:
    """Return the requirements.txt for students.

    Use the course's own list if present, otherwise the libraries that the notebooks import, and JupyterLab.
    """
    own = course.root / STUDENT_REQUIREMENTS_FILE
    if own.is_file():
        return own.read_text(encoding="utf-8")
    pins = notebook_requirements.read_pinned_versions(course)
    wanted = [*sorted(notebook_requirements.find_libraries(notebooks.values())), "jupyterlab"]
    return "".join(f"{pins.get(name, name)}\n" for name in wanted)
