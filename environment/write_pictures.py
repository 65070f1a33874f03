"""Write the pictures of the documentation from today's lessons: `make pictures` (3 minutes).

Chromium shows a notebook in JupyterLab, and the pages of a class of invented students. Each picture is cut to
the part that matters. docs/pictures/shown.json records the exercises, points and advice in each of them, and
tests/test_pictures.py compares the record with today's lessons.
"""

import base64
import io
import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from browser import colours, start, wait_for
from example_students import build_submission
from lab import jupyter
from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_markdown_cell
from PIL import Image
from selenium import webdriver

from gradebox.course import Course
from gradebox.notebook_exercises import extract_reference_solutions, find_grade_id, insert_answers
from gradebox.release.read_answers_folder import read_answers
from gradebox.release.release_lessons import write_student_version
from gradebox.release.write_solutions import execute_notebook

COURSE = Path(__file__).resolve().parents[1]
LESSON, NAME = "01_single_head", "single_head"
PICTURES, GRADER_PICTURES = COURSE / "docs/pictures", COURSE / "packages/gradebox/docs/pictures"
RECORD = PICTURES / "shown.json"
# The exercise that the notebook shows, solved and not: 1.3 Scaled attention weights.
EXERCISE, MISTAKE = "attention-weights", "no scaling"
WRONG, RIGHT = "scaled = scores\n", "scaled = scores / np.sqrt(d_k)\n"
HEATMAPS = "Two heatmaps of queries by keys"
# The kernel of the notebook in JupyterLab waits for code.
IDLE = "window.jupyterapp?.shell.currentWidget?.sessionContext?.kernelDisplayStatus === 'idle'"
# The student whose feedback page is shown.
STUDENT = "yara_silva"
MISTAKES = {
    EXERCISE: MISTAKE,
    "weight-entropy": "nan for a weight of 0",
    "einsum-attention": "only the softmax repaired",
    "why-root-d-k": "says that it gets large, not how large",
}
FIRST_NAMES = (
    "Ada Ben Cleo Dina Emre Fay Gita Hugo Ines Jan Kofi Lea Mila Noor Olga Pia Quinn Rosa Sami Tara Uma"
)
LAST_NAMES = "Silva Okafor Novak Haddad Lindqvist Tanaka Costa"
RUBRIC = (("States the effect on the softmax.", 1), ("Gives the spread that each divisor leaves.", 1))
# The edges of two elements, and the text between them.
VIEW = """
const boxes = [...arguments].map(selector => document.querySelector(selector).getBoundingClientRect());
const [left, top] = ["left", "top"].map(side => Math.min(...boxes.map(box => box[side])));
const [right, bottom] = ["right", "bottom"].map(side => Math.max(...boxes.map(box => box[side])));
const lines = [...document.querySelectorAll("h1, h2, p, tr, pre, .cm-line")].filter(line => {
    const box = line.getBoundingClientRect();
    return box.height && box.top >= top - 1 && box.bottom <= bottom + 1;
});
return [left, top, right, bottom, lines.map(line => line.innerText).join("\\n")];
"""
# Pictures have two pixels for each of the page's, and few colours.
SCALE, COLOURS = 2, 128


@dataclass(frozen=True)
class Lesson:
    """The lesson in the pictures: its notebooks, and the answers of answers/ by exercise."""

    source: NotebookNode
    released: NotebookNode
    answers: list

    def choose(self, exercise: str, right: bool, chance: random.Random) -> str:
        """Return the title of a right or a wrong answer to an exercise."""
        return chance.choice(
            [one.title for one in self.answers if one.exercise == exercise and one.right == right]
        )


def find_headings(released: NotebookNode) -> list[str]:
    """Return the headings of the exercises of a lesson, with their numbers."""
    texts = "\n".join(cell.source for cell in released.cells if cell.cell_type == "markdown")
    return re.findall(r"^## (\d+\.\d+ .+)$", texts, re.MULTILINE)


def read_lesson(course: Course) -> Lesson:
    source = course.source(LESSON, NAME)
    released = nbformat.read(course.release_path(LESSON, NAME), as_version=4)
    return Lesson(source, released, read_answers(course.root / "answers" / LESSON, source))


def grade_class(root: Path, lesson: Lesson) -> None:
    """Make a course with graded submissions, feedback pages and a class report."""
    for folder in ("source", "release", "answers"):
        shutil.copytree(COURSE / folder / LESSON, root / folder / LESSON)
    shutil.copy(COURSE / "nbgrader_config.py", root)
    chance, plans = random.Random(1), {STUDENT: {"start": "right", "answers": {LESSON: MISTAKES}}}
    exercises = sorted({one.exercise for one in lesson.answers})
    for first in FIRST_NAMES.split():
        skill = chance.uniform(0.35, 1)
        chosen = {name: lesson.choose(name, chance.random() < skill, chance) for name in exercises}
        plans[f"{first}_{chance.choice(LAST_NAMES.split())}".lower()] = {
            "start": "right",
            "answers": {LESSON: chosen},
        }
    for student, plan in plans.items():
        path = root / "submitted" / student / LESSON / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(build_submission(lesson.source, lesson.released, lesson.answers, LESSON, plan))
    write_student_version(Course(root), LESSON)
    gradebox(root, "autograde")
    with Course(root).gradebook() as gradebook:
        for student in plans:
            first, last = student.title().split("_")
            gradebook.update_or_create_student(student, first_name=first, last_name=last)
    gradebox(root, "feedback")
    gradebox(root, "report")


def gradebox(root: Path, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "gradebox", *arguments], cwd=root, check=True, capture_output=True)


class Camera:
    """A browser that takes pictures of parts of pages, and records what they show."""

    def __init__(self, driver: webdriver.Chrome, lesson: Lesson) -> None:
        self.driver, self.lesson, self.record = driver, lesson, {}

    def open(self, address: str, width: int, scheme: str) -> None:
        screen = {"width": width, "height": 2400, "deviceScaleFactor": SCALE, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        colours(self.driver, scheme)
        self.driver.get(address)

    def take(self, path: Path, first: str, last: str, margin: int = 16, below: int = 16) -> None:
        """Save the part of the page from one element to another, and record its text.

        first, last: selectors. margin, below: pixels around the elements, and below the last one.
        """
        left, top, right, bottom, text = self.driver.execute_script(VIEW, first, last)
        clip = {"x": left - margin, "y": top - margin, "scale": 1}
        clip |= {"width": right - left + 2 * margin, "height": bottom - top + margin + below}
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})
        self.save(path, base64.b64decode(shot["data"]), text)

    def save(self, path: Path, content: bytes, text: str) -> None:
        with Image.open(io.BytesIO(content)) as picture:
            few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
            few.save(path, optimize=True)
        text = " ".join(text.split())
        shown = []
        for heading in find_headings(self.lesson.released):
            number = heading.partition(" ")[0]
            shown += [heading] if heading in text else [number] if number in text.split() else []
        self.record[path.relative_to(COURSE).as_posix()] = {
            "exercises": shown,
            "points": [int(points) for points in re.findall(r"of (\d+) points", text)],
            "advice": sorted(
                {one.advice for one in self.lesson.answers if one.advice and one.advice in text}
            ),
        }


def take_heatmaps(camera: Camera, course: Course) -> None:
    """Save the figure of two heads, as the solved lesson draws it."""
    solved = insert_answers(
        deepcopy(camera.lesson.released), extract_reference_solutions(camera.lesson.source)
    )
    number = next(
        n for n, cell in enumerate(solved.cells) if cell.metadata.get("alt", "").startswith(HEATMAPS)
    )
    solved.cells = solved.cells[: number + 1]
    solved.cells[2].source += '\n%config InlineBackend.figure_formats = ["retina"]'
    (output,) = execute_notebook(solved, course.release_path(LESSON, NAME)).cells[number].outputs
    heading = next(cell.source for cell in reversed(solved.cells[:number]) if re.match(r"## \d", cell.source))
    camera.save(PICTURES / "heatmap.png", base64.b64decode(output.data["image/png"]), heading)


def take_notebooks(camera: Camera, folder: Path) -> None:
    """Save an exercise in JupyterLab with its test: wrong, and right."""
    lesson, served = camera.lesson, folder / "homework"
    served.mkdir()
    (wrong,) = (one.source for one in lesson.answers if (one.exercise, one.title) == (EXERCISE, MISTAKE))
    solutions = extract_reference_solutions(lesson.source)
    end = next(n for n, cell in enumerate(lesson.released.cells) if find_grade_id(cell) == f"{EXERCISE}-test")
    needed = {"imports", "messages", "softmax", EXERCISE, f"{EXERCISE}-test"}
    with jupyter(served, folder / "jupyter", False, "--LabApp.expose_app_in_browser=True") as url:
        for name, answer in (("failed", wrong), ("passed", wrong.replace(WRONG, RIGHT))):
            notebook = insert_answers(deepcopy(lesson.released), solutions | {EXERCISE: answer})
            notebook.cells = [cell for cell in notebook.cells[: end + 1] if find_grade_id(cell) in needed]
            # The last cell has a frame.
            notebook.cells.append(new_markdown_cell("…"))
            nbformat.write(notebook, served / f"{name}.ipynb")
            camera.open(f"{url}doc/tree/{name}.ipynb?reset", 900, "light")
            wait_for(camera.driver, IDLE)
            camera.driver.execute_script("jupyterapp.commands.execute('notebook:run-all-cells')")
            exercise, test = (f'[data-windowed-list-index="{len(notebook.cells) - n}"]' for n in (3, 2))
            output, mark = f"document.querySelector('{test} .jp-OutputArea-output')", "✗✓"[name == "passed"]
            wait_for(camera.driver, f"{output}?.innerText.includes('{mark}')")
            camera.take(PICTURES / f"{name}.png", exercise, test, margin=0, below=-1)


def take_pages(camera: Camera, root: Path) -> None:
    """Save a student's feedback page, the class report and the page to read answers, light and dark."""
    for scheme in ("light", "dark"):
        camera.open((root / "feedback" / STUDENT / LESSON / f"{NAME}.html").as_uri(), 900, scheme)
        camera.take(GRADER_PICTURES / f"student-{scheme}.png", "header", "table.exercises")
        if scheme == "light":
            camera.take(PICTURES / "feedback.png", "header", "table.exercises tbody tr:nth-child(6)", below=0)
        camera.open((root / "exports/class.html").as_uri(), 900, scheme)
        exercises = f"[aria-labelledby='exercises-{LESSON}']"
        camera.take(GRADER_PICTURES / f"class-{scheme}.png", f"[id='{LESSON}']", exercises)
    with read_page(root) as address:
        for scheme in ("light", "dark"):
            camera.open(address, 1000, scheme)
            wait_for(camera.driver, "document.getElementById('who').textContent")
            if scheme == "light":
                write_rubric(camera.driver)
            wait_for(camera.driver, "document.querySelectorAll('#items button').length")
            camera.driver.execute_script(
                "document.querySelectorAll('#items > * > button:first-child')[0].click()"
            )
            camera.take(GRADER_PICTURES / f"reading-{scheme}.png", "header", "#marks")


@contextmanager
def read_page(root: Path) -> Iterator[str]:
    """Serve the page on which answers are read, and return its address."""
    command = [sys.executable, "-m", "gradebox", "read", "--no-browser"]
    server = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True)
    try:
        yield server.stdout.readline().split()[2]
    finally:
        server.terminate()
        server.communicate()


def write_rubric(driver: webdriver.Chrome) -> None:
    """Enter the reader's name and the items of the rubric."""
    driver.execute_script(
        """const enter = (id, text) => { const field = document.getElementById(id); field.value = text;
            field.dispatchEvent(new Event("input")); field.dispatchEvent(new Event("change")); };
        enter("reader", "Zoë");
        document.getElementById("rubricbox").open = true;"""
    )
    for number, (sentence, points) in enumerate(RUBRIC, start=1):
        driver.find_element("id", "itempoints").send_keys(str(points))
        driver.find_element("id", "itemtext").send_keys(sentence, "\n")
        wait_for(driver, f"document.querySelectorAll('#items > *').length >= {number}")
    driver.execute_script("document.getElementById('rubricbox').open = false")


def main() -> None:
    with TemporaryDirectory(prefix="gradebox-pictures-") as scratch:
        folder, root = Path(scratch), Path(scratch) / "course"
        course = Course(COURSE)
        camera = Camera(start(folder / "browser"), read_lesson(course))
        try:
            take_heatmaps(camera, course)
            take_notebooks(camera, folder)
            grade_class(root, camera.lesson)
            take_pages(camera, root)
        finally:
            camera.driver.quit()
    RECORD.write_text(json.dumps(camera.record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
