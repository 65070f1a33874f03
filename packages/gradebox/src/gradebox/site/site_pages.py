"""Write the source files of a course's website, which Sphinx then builds: the lessons and other pages."""

import html
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from nbformat.notebooknode import NotebookNode

from gradebox.autograde.due_date_extensions import read_due_date
from gradebox.course import Course
from gradebox.exercise_selection import CORE, EDITION_KEY, select_exercises, split_into_sections
from gradebox.notebook_exercises import TITLE_PATTERN, find_title, serialize_notebook
from gradebox.printable_text import format_count
from gradebox.release import notebook_requirements
from gradebox.release.launch_badges import JUPYTERLITE_LIBRARIES, Links, encode_query
from gradebox.release.publish_course import (
    DEFAULT_HAND_IN_STEP,
    README_TEMPLATE,
    build_readme,
    build_student_requirements,
)
from gradebox.release.submission_instructions import HandIn
from gradebox.site.executed_lessons import execute_lesson
from gradebox.site.find_leaks import SecretLines
from gradebox.site.reading_notebook import build_reading_notebook, insert_after_title, write_attachments
from gradebox.site.site_settings import Site

# Folders of the site: lessons to read, notebooks to download, and JupyterLite, which the instructor builds.
LESSONS_FOLDER, DOWNLOADS_FOLDER, LITE_FOLDER = "lessons", "notebooks", "lite"
# Folder of Sphinx's source files that is copied to the site as it is.
EXTRA_FOLDER = "extra"
REQUIREMENTS_FILE = "requirements.txt"
BADGE = re.compile(r"\[!\[([^\]]*)\]\([^)]*\)\]")
LOCAL_PICTURE = re.compile(r"!\[[^\]]*\]\((?![a-z]+:)([^)\s]+)\)")
# What students do wherever they work, and how they submit. It is the end of the published README.md.
WORKING_RULES = README_TEMPLATE[README_TEMPLATE.index("- Run the cells") :]
HOME_PAGE = """# {title}

{description}

## Lessons

{lessons}

```{{toctree}}
:hidden:

{pages}
```

## How to work

- **On your own computer**, with Python 3.11 or newer: download a notebook and
  <a href="requirements.txt" download>requirements.txt</a>, then run `pip install -r requirements.txt` and
  `jupyter lab`.
- **In Colab**: *File → Upload notebook*. *File → Save a copy in Drive* keeps your work.
{rules}"""


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
    libraries: frozenset[str]

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
            core = f" (core exercises: {self.core_minutes})" if has_shorter_core else ""
            parts.append(f"about {format_count(self.minutes, 'minute', 'minutes')}{core}")
        return " · ".join([*parts, *([f"due {self.due}"] if self.due else [])])


def write_sources(
    course: Course,
    settings: Site,
    notebooks: Mapping[Path, NotebookNode],
    secrets: SecretLines,
    folder: Path,
    lite: bool,
    done: Callable[[], object],
) -> list[str]:
    """Write the source files of a site to an empty folder. Return the pages, without the extension.

    notebooks: the released ones, by path. secrets: lines that no page may contain. lite: link to JupyterLite
    in the site. done: called after each lesson. Raises CourseError if a lesson can't be executed.
    """
    due = read_due_dates(course)
    lessons = []
    for path, released in notebooks.items():
        assignment, name = path.parent.name, path.stem
        lesson = describe_lesson(course, assignment, name, released, due.get(assignment, ""))
        write_lesson(course, lesson, released, secrets, folder, lite)
        lessons.append(lesson)
        done()
    for page in settings.pages:
        copy_page(course, page, folder)
    (folder / EXTRA_FOLDER / REQUIREMENTS_FILE).write_text(
        build_student_requirements(course, dict(notebooks)), encoding="utf-8"
    )
    pages = [page.removesuffix(".md") for page in settings.pages]
    how = HandIn(config=course.app.config).format_instructions("the lesson")
    text = HOME_PAGE.format(
        title=find_course_title(course, notebooks),
        description=settings.description,
        lessons=format_lesson_table(lessons),
        pages="\n".join([*(f"{lesson.label} <{lesson.page}>" for lesson in lessons), *pages]),
        rules=WORKING_RULES.format(how=how or DEFAULT_HAND_IN_STEP),
    )
    (folder / "index.md").write_text(text, encoding="utf-8")
    return ["index", *(lesson.page for lesson in lessons), *pages]


def find_course_title(course: Course, notebooks: Mapping[Path, NotebookNode]) -> str:
    """Return the title of the published README.md. notebooks: the released ones, by path."""
    return TITLE_PATTERN.findall(build_readme(course, dict(notebooks)))[0].strip()


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
        libraries=frozenset(notebook_requirements.find_libraries([released])),
    )


def write_lesson(
    course: Course, lesson: SiteLesson, released: NotebookNode, secrets: SecretLines, folder: Path, lite: bool
) -> None:
    """Write the page of a lesson, and the files of its release to download."""
    executed = execute_lesson(course, lesson.assignment, lesson.name, released)
    notebook = build_reading_notebook(released, executed, secrets, course.app.config)
    links = find_links(course, lesson, released, lite)
    facts = f"```{{container}} lesson-facts\n{lesson.describe()}\n\n{' · '.join(links)}\n```"
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


def find_links(course: Course, lesson: SiteLesson, released: NotebookNode, lite: bool) -> list[str]:
    """Return links to download a lesson and to open it elsewhere, in Markdown."""
    top, path = "../../", f"{lesson.assignment}/{lesson.name}.ipynb"
    links = [format_link(f"{top}{DOWNLOADS_FOLDER}/{quote(path)}", "Download the notebook", " download")]
    launchers = Links(config=course.app.config)
    if lite:
        launchers.lite = ""
        if lesson.libraries <= JUPYTERLITE_LIBRARIES:
            address = f"{top}{LITE_FOLDER}/lab/index.html?{encode_query(path=path)}"
            links.append(format_link(address, "Open in JupyterLite, without installing anything"))
    # A badge is a picture at another host.
    return [*links, *(BADGE.sub(r"[\1]", link) for link in launchers.links(released, path))]


def format_link(address: str, words: str, attribute: str = "") -> str:
    """Return a link to a file that Sphinx does not know, as HTML."""
    return f'<a href="{html.escape(address)}"{attribute}>{words}</a>'


def format_lesson_table(lessons: list[SiteLesson]) -> str:
    """Return the table of the lessons, in Markdown, without columns that would be empty."""
    columns: dict[str, list[str]] = {
        "lesson": [f"[{lesson.label}]({quote(lesson.page)}.ipynb)" for lesson in lessons],
        "points": [f"{lesson.points:g}" for lesson in lessons],
        "minutes": [str(lesson.minutes or "") for lesson in lessons],
        "core minutes": [str(lesson.core_minutes or "") for lesson in lessons],
        "due": [lesson.due for lesson in lessons],
    }
    shown = {name: cells for name, cells in columns.items() if any(cells)}
    rows = [[*shown], ["---"] * len(shown), *zip(*shown.values(), strict=True)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def copy_page(course: Course, page: str, folder: Path) -> None:
    """Copy a Markdown file of the course, and its pictures, to the same places below `folder`."""
    source = course.root / page
    for link in LOCAL_PICTURE.findall(source.read_text(encoding="utf-8")):
        picture = (source.parent / link).resolve()
        if picture.is_file() and picture.is_relative_to(course.root):
            copy_file(picture, folder / picture.relative_to(course.root))
    copy_file(source, folder / page)


def copy_file(source: Path, target: Path) -> None:
    """Copy a file into a folder that may not exist yet."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
