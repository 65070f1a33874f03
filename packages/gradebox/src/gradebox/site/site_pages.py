"""Write the source files of a course's website: the lessons to read, and a home page. Used by `app.py`.

The course builds the website with Sphinx, which has settings of its own.
"""

import html
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from nbformat.notebooknode import NotebookNode

from gradebox.autograde.due_date_extensions import read_due_date
from gradebox.checks_cell import expand_checks_cell
from gradebox.course import Course
from gradebox.exercise_selection import CORE, EDITION_KEY, select_exercises, split_into_sections
from gradebox.notebook_exercises import find_title, serialize_notebook
from gradebox.printable_text import format_count
from gradebox.release import notebook_requirements
from gradebox.release.launch_badges import GITHUB_URL, JUPYTERLITE_LIBRARIES, Links, encode_query
from gradebox.release.publish_course import (
    ListedLesson,
    build_student_requirements,
    check_folder,
    fill_readme,
    find_secret_lines,
    read_released_notebooks,
)
from gradebox.site.executed_lessons import execute_lesson
from gradebox.site.reading_notebook import build_reading_notebook, insert_after_title, write_attachments
from gradebox.site.secret_lines import SecretLines

# Folders of the site: lessons to read, notebooks to download, and JupyterLite, which the instructor builds.
LESSONS_FOLDER, DOWNLOADS_FOLDER, LITE_FOLDER = "lessons", "notebooks", "lite"
# Folder of the sources that Sphinx copies to the site as it is, by its setting html_extra_path.
EXTRA_FOLDER = "extra"
HOME_FILE = "index.md"
# This file marks a folder that contains sources of a site.
MARKER_FILE = ".gradebox-site-sources"
REQUIREMENTS_FILE = "requirements.txt"
BADGE = re.compile(r"\[!\[([^\]]*)\]\([^)]*\)\]")
CONTENTS = """
```{{toctree}}
:hidden:

{pages}
```
"""


@dataclass(frozen=True)
class SiteLesson:
    """A lesson's notebook, with what the site states about it.

    minutes, core_minutes: 0 if the text states none. due: in the course's time zone, or "".
    """

    assignment: str
    name: str
    title: str
    points: float
    minutes: int
    core_minutes: int
    due: str
    released: NotebookNode

    @property
    def page(self) -> str:
        """The page's path in the site, without the extension."""
        return f"{LESSONS_FOLDER}/{self.assignment}/{self.name}"

    @property
    def label(self) -> str:
        """The title after the number with which the assignment's name begins, if any."""
        number = re.match(r"\d+", self.assignment)
        return f"{number[0]} {self.title}" if number else self.title

    def describe(self) -> str:
        """Return points, minutes and the due date in one line."""
        parts = [f"{self.points:g} {'point' if self.points == 1 else 'points'}"]
        if self.minutes:
            has_shorter_core = 0 < self.core_minutes < self.minutes
            core = f", core {self.core_minutes}" if has_shorter_core else ""
            parts.append(f"about {format_count(self.minutes, 'minute', 'minutes')}{core}")
        return " · ".join([*parts, *([f"due {self.due}"] if self.due else [])])


def write_site_sources(course: Course, folder: Path, lite: bool, done: Callable[[], object]) -> int:
    """Write the sources of a website to a folder, replacing earlier ones. Return the number of pages.

    Other files in a folder with earlier sources are kept. lite: link to JupyterLite in the site. done: called
    after each lesson. Raises CourseError, and leaves the folder as it was, if it contains other files and no
    sources, if a lesson can't be executed, or if a notebook contains text that students must not see.
    """
    has_sources = (folder / MARKER_FILE).is_file()
    check_folder(folder, {path.name for path in folder.glob("*")} if has_sources else set())
    notebooks = read_released_notebooks(course)
    secrets = collect_secret_lines(course, notebooks.values())
    due = read_due_dates(course)
    lessons = []
    with TemporaryDirectory(prefix="gradebox-site-") as scratch:
        for path, released in notebooks.items():
            assignment, name = path.parent.name, path.stem
            lesson = describe_lesson(course, assignment, name, released, due.get(assignment, ""))
            write_lesson(course, lesson, secrets, Path(scratch), lite)
            lessons.append(lesson)
            done()
        Path(scratch, EXTRA_FOLDER, REQUIREMENTS_FILE).write_text(
            build_student_requirements(course, notebooks), encoding="utf-8"
        )
        Path(scratch, HOME_FILE).write_text(build_home_page(course, lessons, lite), encoding="utf-8")
        Path(scratch, MARKER_FILE).touch()
        for name in (LESSONS_FOLDER, EXTRA_FOLDER):
            shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(scratch, folder, dirs_exist_ok=True)
    return len(lessons) + 1


def collect_secret_lines(course: Course, released: Iterable[NotebookNode]) -> SecretLines:
    """Return what students must not see in any lesson of the course."""
    sources = [source for name in course.assignments for source in course.sources(name).values()]
    secret = set[str]().union(*(find_secret_lines(course, source) for source in sources))
    open_texts = (expand_checks_cell(cell.source) for notebook in released for cell in notebook.cells)
    return SecretLines(secret, open_texts)


def build_home_page(course: Course, lessons: list[SiteLesson], lite: bool) -> str:
    """Return the home page in Markdown."""
    items = []
    for lesson in lessons:
        download, *launches = find_links(course, lesson, lite, "")
        link = f"[{lesson.label}]({quote(lesson.page)}.ipynb)"
        items.append(
            ListedLesson(lesson.assignment, link, [lesson.describe(), *launches, download], launches)
        )
    repository = Links(config=course.app.config).repository
    every = f", or [all of them]({GITHUB_URL}/{repository})," if repository else ""
    file = format_link(REQUIREMENTS_FILE, REQUIREMENTS_FILE, " download")
    install = f"run `pip install -r {REQUIREMENTS_FILE}` and `jupyter lab`"
    pages = "\n".join(f"{lesson.label} <{lesson.page}>" for lesson in lessons)
    home = fill_readme(course, items, f"download a notebook{every} and {file}, then {install}")
    return home + CONTENTS.format(pages=pages)


def read_due_dates(course: Course) -> dict[str, str]:
    """Return the due dates in the gradebook, by assignment, without creating a gradebook."""
    if not course.check_gradebook():
        return {}
    with course.gradebook() as gradebook:
        found = {assignment: read_due_date(gradebook, assignment) for assignment in course.assignments}
    return {assignment: course.dates.describe(when) for assignment, when in found.items() if when}


def describe_lesson(
    course: Course, assignment: str, name: str, released: NotebookNode, due: str
) -> SiteLesson:
    """Return what the site states about a lesson."""
    source = course.source(assignment, name)
    core = select_exercises(source, lambda _, cell: cell.metadata.get(EDITION_KEY) == CORE)
    return SiteLesson(
        assignment,
        name,
        title=find_title(released) or name,
        points=sum(cell.points for cell in course.graded_cells(assignment) if cell.notebook == name),
        minutes=sum(section.minutes for section in split_into_sections(source)),
        core_minutes=sum(section.minutes for section in split_into_sections(core)),
        due=due,
        released=released,
    )


def write_lesson(course: Course, lesson: SiteLesson, secrets: SecretLines, folder: Path, lite: bool) -> None:
    """Write the page of a lesson, and the files of its release to download."""
    executed = execute_lesson(course, lesson.assignment, lesson.name, lesson.released)
    notebook = build_reading_notebook(lesson.released, executed, secrets, course.app.config)
    download, *launches = find_links(course, lesson, lite, "../../")
    links = " ".join([*launches, download])
    facts = f"```{{container}} lesson-facts\n{lesson.describe()}\n\n{links}\n```"
    insert_after_title(notebook, facts, lesson.title)
    page = folder / f"{lesson.page}.ipynb"
    files = course.path("release", lesson.assignment)
    hidden = shutil.ignore_patterns(".*", "__pycache__")
    # Pictures are beside the notebook.
    shutil.copytree(files, page.parent, ignore=hidden, dirs_exist_ok=True)
    downloads = folder / EXTRA_FOLDER / DOWNLOADS_FOLDER / lesson.assignment
    shutil.copytree(files, downloads, ignore=hidden, dirs_exist_ok=True)
    write_attachments(notebook, page.parent / "attachments")
    page.write_text(serialize_notebook(notebook), encoding="utf-8")


def find_links(course: Course, lesson: SiteLesson, lite: bool, top: str) -> list[str]:
    """Return links in Markdown: first to download a lesson, then to open it elsewhere.

    top: the path from the page to the home page.
    """
    path = f"{lesson.assignment}/{lesson.name}.ipynb"
    links = [format_link(f"{top}{DOWNLOADS_FOLDER}/{quote(path)}", "Download", " download")]
    launchers = Links(config=course.app.config)
    if lite:
        launchers.lite = ""
        if notebook_requirements.find_libraries([lesson.released]) <= JUPYTERLITE_LIBRARIES:
            address = f"{top}{LITE_FOLDER}/lab/index.html?{encode_query(path=path)}"
            links.append(format_link(address, "Open in JupyterLite"))
    # A badge is a picture at another host.
    return [*links, *(BADGE.sub(r"[\1]", link) for link in launchers.links(lesson.released, path))]


def format_link(address: str, words: str, attribute: str = "") -> str:
    """Return a link to a file that Sphinx does not know, as HTML."""
    return f'<a href="{html.escape(address)}"{attribute}>{words}</a>'
