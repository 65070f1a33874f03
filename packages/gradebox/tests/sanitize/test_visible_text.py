"""In a real browser: readers see all the text of an answer, and the mark scheme's box is the instructor's."""

import re
import shutil
from importlib.resources import files
from itertools import count

import nbformat
import pytest
from browser import colours, needs_browser, tab
from helpers import cell, small_lesson, solves, write_notebook
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from nbgrader.converters import GenerateFeedback
from nbgrader.server_extensions.formgrader import handlers
from traitlets.config import Config

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.course import Course
from gradebox.manual_grading.grading_service import ReadingService
from gradebox.release.release_lessons import write_student_version
from gradebox.reports.page_theme import build_page_styles

# Ways to hide text. `secret` becomes a word with a number.
HIDDEN = [
    '<span style="color:white">secret</span> and <span style="color: #ffffff">secret</span>',
    '<span style="color:black">secret</span> and <b style="color: rgb(20, 25, 31)">secret</b>',
    '<span style="color: transparent">secret</span> <i style="color: rgba(255, 0, 0, 0.01)">secret</i>',
    '<span style="color:red; background-color:red">secret</span>',
    '<div style="background-color: #808080">\n<span style="color: #7f7f7f">secret</span>\n</div>',
    '<p style="background-color:black">secret</p>\n\n<p style="background-color:white">secret</p>',
    '<p style="COLOR:white;color :white">secret</p> <p style="c\\6flor: white">secret</p>',
    '<font color="white" size="1">secret</font> <big><tt>secret</tt></big>',
    '<span style="font-size:0">secret</span> <span style="opacity:0">secret</span>',
    '<div style="display:none">secret</div> <div style="visibility:hidden">secret</div>',
    '<div style="position:absolute;left:-999px">secret</div> <p style="text-indent:-999px">secret</p>',
    '<p style="clip-path:inset(50%)">secret</p> <p style="transform:scale(0)">secret</p>',
    '<p hidden>secret</p> <p hidden="">secret</p> <p hidden=until-found>secret</p>',
    '<a class="anchor-link" href="#x">secret</a> <span class="hidden sr-only">secret</span>',
    '<div class="highlight"><pre><span class="w">secret</span> <span class="c1">secret</span></pre></div>',
    f"{'<sup>' * 20}secret{'</sup>' * 20} and {'<sub><sup>' * 12}secret{'</sup></sub>' * 12}",
    f"{'<h6><div>' * 12}secret{'</div></h6>' * 12}",
    f"{'<code><kbd>' * 12}secret{'</kbd></code>' * 12}",
    f"{'<h6><sub><code>' * 6}secret{'</code></sub></h6>' * 6}",
    "$\\color{white}{\\text{secret}}$ and $\\textcolor{white}{\\text{secret}}$",
    "$\\phantom{\\text{secret}}$ and $\\hphantom{\\text{secret}}$ and $\\vphantom{\\text{secret}}$",
    "$x" + "^{y" * 12 + "\\text{secret}" + "}" * 12 + "$",
    "$" + "\\frac{1}{" * 12 + "\\text{secret}" + "}" * 12 + "$",
    "$\\scriptscriptstyle{x^{y^{\\text{secret}}}}$ $\\sqrt[\\sqrt[\\text{secret}]{2}]{2}$",
    "$" + "\\hspace{-4em}" * 30 + "\\text{secret}$ and $" + "\\!" * 200 + "\\text{secret}$",
    "$\\mathrlap{\\text{secret}}\\rule{4em}{1em}$ $\\tiny{\\text{secret}}$ $\\smash{\\text{secret}}$",
    "<svg><text fill='white'>secret</text></svg> <math><mphantom>secret</mphantom></math>",
    "<template>secret</template> <noscript>secret</noscript> <textarea hidden>secret</textarea>",
    '<details><summary></summary>secret</details> <mark style="color:yellow">secret</mark>',
    "<!-- secret --> [//]: # (secret) <style>p { color: white }</style> <script>secret</script>",
    '<table><tr><td width="0" height="0">secret</td><td width="9999">secret</td></tr></table>',
    "<dialog>secret</dialog> <ruby>a<rp>secret</rp></ruby> <select><option>secret</option></select>",
    "\u202esecret\u202c &#8238;secret &rlo; \u2066secret\u2069 \U000e0041secret sec\u200bret",
]
# Codes of colours in printed text.
ANSI = [
    "38;2;255;255;255",
    "38;5;231",
    "97",
    "37",
    "30;40",
    "7",
    "31;41",
    "38;2;9;9;9;48;2;9;9;9",
    "8",
    "1;32",
]
SCHEMES = [
    "# BEGIN MARK SCHEME\n\n3 points for all\n\n### END MARK SCHEME",
    "<h1>BEGIN MARK&#32;SCHEME</h1>\n\n3 points\n\n<h3>END M&#65;RK SCHEME</h3>",
    "<h1>BEGIN MARK<!-- --> SCHEME</h1>3 points<h3>END MARK SCHEME</h3>",
    '<details open class="mark-scheme" style="border: 4px double #c98a00"><summary><strong>Mark scheme of '
    "the instructor</strong></summary>3 points</details>",
]
# For each text with a secret: is it large enough, on top, inside its page, and of another colour than it?
LOOK = r"""
const parse = (text) => (text.match(/[\d.]+/g) || []).map(Number);
const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
const luminance = (rgb) => {
  const [red, green, blue] = rgb.slice(0, 3).map((v) => linear(v / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const background = (element) => {
  for (; element; element = element.parentElement) {
    const found = parse(getComputedStyle(element).backgroundColor);
    if (found[3] !== 0) return found;
  }
  return [255, 255, 255];
};
const examine = (node, begin, end) => {
  const parent = node.parentElement, range = document.createRange();
  range.setStart(node, begin); range.setEnd(node, end);
  parent.scrollIntoView({block: "center", inline: "center"});
  const box = range.getBoundingClientRect(), style = getComputedStyle(parent);
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  if (!top || !(parent.contains(top) || top.contains(parent))) return "covered or outside";
  const size = parseFloat(style.fontSize);
  const area = Math.min(box.height, box.width) < 5 ? 0 : box.height * box.width;
  if (area < 150 || size < 6) return `small: ${size} px`;
  const levels = [luminance(parse(style.color)), luminance(background(parent))].sort((a, b) => a - b);
  if ((levels[1] + 0.05) / (levels[0] + 0.05) < 1.7) return `pale: ${style.color}`;
  return style.visibility === "visible" && style.opacity === "1" ? "" : "not visible";
};
document.querySelectorAll("details").forEach((one) => { one.open = true; });
const walker = document.createTreeWalker(document.querySelector(arguments[0]), NodeFilter.SHOW_TEXT);
const faults = [], seen = [];
while (walker.nextNode()) {
  const node = walker.currentNode;
  for (const found of node.data.matchAll(/secret\d+/g)) {
    seen.push(found[0]);
    const why = /[\u202a-\u202e\u2066-\u2069]/.test(node.data) ? "out of order"
      : examine(node, found.index, found.index + found[0].length);
    if (why) faults.push(`${found[0]}: ${why}`);
  }
}
return [faults, seen];
"""


@pytest.fixture(scope="module")
def pages(small_released, tmp_path_factory) -> dict[str, str]:
    """The pages on which instructors and students see a student's answer."""
    course = Course(shutil.copytree(small_released, tmp_path_factory.mktemp("visible") / "course"))
    scheme = "Why?\n\n### BEGIN MARK SCHEME\n\nOne point for each reason.\n\n### END MARK SCHEME"
    scheme = scheme.replace("### BEGIN", "# BEGIN")
    lesson = small_lesson()
    lesson[2] = cell("question", "why", scheme)
    write_notebook(course.path("source", "hw") / "hw.ipynb", lesson)
    write_student_version(course, "hw")
    path = solves(course, "ada", why="My answer", essay=SCHEMES[0])
    notebook = nbformat.read(path, as_version=4)
    numbers = count(1)
    texts = [re.sub("secret", lambda _: f"secret{next(numbers)}", text) for text in (*HIDDEN, *SCHEMES)]
    place = next(number for number, one in enumerate(notebook.cells) if one.source == "My answer")
    notebook.cells[place + 1 : place + 1] = map(new_markdown_cell, texts)
    printed = " ".join(f"\x1b[{code}msecret{next(numbers)}\x1b[0m" for code in ANSI)
    output = new_output("stream", text=printed)
    notebook.cells.append(new_code_cell(f"print({printed!r})", outputs=[output]))
    write_notebook(path, notebook.cells)
    autograde_submissions(course, list(find_submissions(course, ["hw"], ["ada"])))
    assert course.convert(GenerateFeedback, "hw", "ada") is None
    desk = ReadingService(course, ["hw"])
    shown = desk.answers(desk.overview()[0]["id"])
    page, styles = (
        files("gradebox.manual_grading").joinpath(name).read_text() for name in ("page.html", "page.css")
    )
    styles = f"{build_page_styles()}\n{styles}"
    page = page.replace('<link rel="stylesheet" href="page.css">', f"<style>{styles}</style>")
    page = page.replace('<div id="question" hidden>', '<div id="question">')
    page = page.replace('<div id="scheme">', f'<div id="scheme">{shown["scheme"]}')
    page = page.replace('<div id="text">', f'<div id="text">{shown["answers"][0]["html"]}')
    config = Config(course.app.config)
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    copy = course.path("autograded", "hw", "ada") / "hw.ipynb"
    about = dict.fromkeys(("assignment_id", "notebook_id", "submission_id", "student", "notebook_path"), "x")
    about |= {"base_url": "", "index": 0, "total": 1, "first_name": "", "last_name": ""}
    formgrader, _ = HTMLExporter(config=config).from_filename(str(copy), resources=about)
    return {
        "reading": page,
        "feedback": (course.path("feedback", "hw", "ada") / "hw.html").read_text(),
        "formgrader": formgrader,
    }


@needs_browser
@pytest.mark.parametrize(
    ("page", "where"), [("reading", "#text"), ("feedback", "main"), ("formgrader", "body")]
)
def test_no_text_of_an_answer_is_hidden(pages, tmp_path, page, where):
    path = tmp_path / "page.html"
    path.write_text(pages[page])
    with tab() as driver:
        for scheme in ("light", "dark"):
            colours(driver, scheme)
            driver.get(path.as_uri())
            faults, seen = driver.execute_script(LOOK, where)
            assert len(seen) > 40 and not faults, (scheme, faults)


def test_only_the_instructor_makes_the_box_of_a_mark_scheme(pages):
    assert pages["formgrader"].count('class="mark-scheme"') == 1
    box = pages["formgrader"].partition('class="mark-scheme"')[2]
    assert "One point for each reason." in box.partition("</details>")[0]
    for page in ("reading", "feedback"):
        assert 'class="mark-scheme"' not in pages[page] and "4px double" not in pages[page]
