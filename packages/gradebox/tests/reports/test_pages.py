"""In a real browser: the pages that people open show what students did, and run nothing of it."""

import base64
import json
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import urlopen

import lab
import nbformat
import pytest
from browser import needs_browser, start, wait_for
from helpers import gradebox, small_lesson, solves
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, new_raw_cell
from nbgrader.converters import GenerateFeedback
from selenium import webdriver

from gradebox.autograde.discover_submissions import find_submissions
from gradebox.autograde.grade_submissions import autograde_submissions
from gradebox.course import Course

pytestmark = needs_browser

# One pixel.
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
RUN = "document.documentElement.dataset.pwned+='{},'"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="{}"><text y="20">svg</text></svg>'
AWAY = "http://pictures.example/{}.png"
COVERS = "position:fixed;top:0;left:0;width:100%;height:100%;z-index:9999"


def html(name: str) -> str:
    """A picture that can't be had, and what is to run then."""
    return f'<img src="x:" onerror="{RUN.format(name)}">'


def escaped(name: str) -> str:
    return html(name).replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


# What a page of stock nbgrader runs, loads, or is covered by: data and metadata of outputs
OUTPUTS = {
    "width": ({"image/png": PNG}, {"image/png": {"width": f"1 onload={RUN.format('width')}"}}),
    "height": ({"image/jpeg": PNG}, {"image/jpeg": {"height": f"1 onerror={RUN.format('height')}"}}),
    "filenames": ({"image/png": PNG}, {"filenames": {"image/png": AWAY.format("filenames")}}),
    "no-base64": ({"image/png": f'"{html("no-base64")}'}, {}),
    "html": ({"text/html": f"<b>bold</b>{html('html')}<script>{RUN.format('html')}</script>"}, {}),
    "isolated": ({"text/html": html("isolated")}, {"text/html": {"isolated": True}}),
    "picture": ({"text/html": f'<img src="{AWAY.format("html")}" alt="a remote picture">'}, {}),
    "cover": ({"text/html": f'<div class="modal-backdrop jp-Dialog" style="{COVERS}">COVER</div>'}, {}),
    "style": ({"text/html": "<style>body { display: none }</style><p>styled</p>"}, {}),
    "script": ({"application/javascript": RUN.format("script")}, {}),
    "svg": ({"image/svg+xml": SVG.format(RUN.format("svg-output"))}, {}),
    "markdown": ({"text/markdown": f"![]({AWAY.format('output')}) {html('markdown')}"}, {}),
    "latex": ({"text/latex": html("latex") + r"$\href{javascript:alert(1)}{x}$"}, {}),
    "widget": ({"application/vnd.jupyter.widget-view+json": {"model_id": "x"}}, {}),
    "lists": ({"text/html": ["<p>", html("lists")], "text/plain": ["a", 1, ["b"]]}, {"a": [[[]]]}),
    "odd": ({"text/html": {"a": 1}, "text/plain": 7, "image/png": 7}, {"image/png": 7}),
}
PUTS_OUT = """
from IPython import get_ipython
import json
shell = get_ipython()
for data, metadata in json.loads({!r}):
    shell.display_pub.publish(data=data, metadata=metadata)
"""
# As no kernel sends them: a count that is a page, a traceback that is none.
FORGES = """
from IPython import get_ipython
kernel = get_ipython().kernel
def send(kind, **content):
    kernel.session.send(kernel.iopub_socket, kind, content, parent=kernel.get_parent())
plain = {{"data": {{"text/plain": "counted"}}, "metadata": {{}}}}
send("execute_result", execution_count="<img src=x: onerror={mark}>", **plain)
send("execute_result", execution_count=[7], **plain)
send("execute_input", execution_count={{"a": 1}}, code="1")
send("stream", name="stdout", text="printed \\x00 \\x1b[31mred")
send("error", ename="<b>", evalue=7, traceback=["{html}", 7])
deep = "<p>"
for _ in range(300):
    deep = [deep]
send("display_data", data={{"application/json": deep, "text/plain": "deep"}}, metadata={{"deep": deep}})
""".format(mark=RUN.format("count"), html=html("traceback").replace('"', '\\"'))
MARKDOWN = {
    "tag": f"hello <script>{RUN.format('tag')}</script> {html('tag-2')}",
    "block": f"<div>\n<img/src='x:'/onerror={RUN.format('block')}>\n</div>",
    "quoted": f'<b title="x>y" onmouseover="{RUN.format("quoted")}">hello</b>',
    "open": f'<div title="\n\n{html("open")}',
    "svg": SVG.format(RUN.format("svg")),
    "foreign": f"<svg><foreignObject>{html('foreign')}</foreignObject></svg>",
    "animated": f'<svg><animate attributeName="x" dur="1s" onbegin="{RUN.format("animated")}"/></svg>',
    "details": f'<details open ontoggle="{RUN.format("details")}">opened</details>',
    "focus": f'<input autofocus onfocus="{RUN.format("focus")}">',
    "frame": f'<iframe srcdoc="<script>parent.{RUN.format("frame")}</script>"></iframe>',
    "frame-2": f'<iframe src="javascript:parent.{RUN.format("frame-2")}"></iframe>',
    "frame-3": f"<iframe src=\"data:text/html,<script>fetch('{AWAY.format('frame')}')</script>\"></iframe>",
    # What one parser takes for text, and the next for a tag.
    "math": f'<math><mtext><table><mglyph><style><!--</style><img title="--&gt;{escaped("math")}">',
    "noscript": f'<noscript><p title="</noscript>{escaped("noscript")}"></noscript>',
    "noscript-2": f"<noscript><p title='</noscript>{html('noscript-2')}'></noscript>",
    "template": f"<template>{html('template')}</template>",
    "title": f"<title><p title='</title>{html('title')}'></title>",
    "comment": f"<!--> {html('comment')} -->",
    "cdata": f"<svg><![CDATA[><image xlink:href='x:' onerror={RUN.format('cdata')}></image>]]></svg>",
    "entities": f"&lt;img src=x: onerror={RUN.format('entities')}&gt;",
    "code": f'```"><img src=x: onerror={RUN.format("code")}>\n{html("code")}\n```',
    "formula": f"$x </math>{html('formula')}$ $$\\text{{{html('formula-2')}}}$$",
    "alternative": f'![{html("alternative")}](x.png "{html("alternative-2")}")',
    "styles": f"<style>@import '{AWAY.format('styles')}'; body {{ display: none }}</style>",
    "styles-2": f'<link rel="stylesheet" href="{AWAY.format("styles-2")}">',
    "background": f'<p style="background: url({AWAY.format("background")})">background</p>',
    "media": f'<video poster="{AWAY.format("poster")}"></video><audio src="{AWAY.format("audio")}"></audio>',
    "object": f'<object data="{AWAY.format("object")}"></object><embed src="{AWAY.format("embed")}">',
    "set": f'<img srcset="{AWAY.format("set")} 1x"> <input type="image" src="{AWAY.format("button")}">',
    "cover": f'<div class="modal-backdrop jp-Dialog" style="{COVERS}">COVER</div>',
    "cover-2": '<a class="modal-backdrop jp-Dialog" href="https://pictures.example/">COVER</a>',
    "picture": f"![one]({AWAY.format('inline')}) ![]( <{AWAY.format('empty')}> 'title')",
    "picture-2": f"![two][there] ![there]\n\n[there]: {AWAY.format('reference')}",
    "picture-3": f'<p>\n<img src="{AWAY.format("tag")}" alt="three"></p>',
    "picture-4": f"![a [nested] name]({AWAY.format('nested')}) \\\\![x]({AWAY.format('escaped')})",
    "picture-5": "![five](//pictures.example/five.png) ![](\\\\pictures.example/six.png)",
    "hidden": "<details hidden popover><summary>hidden</summary></details>",
    "links": "[a](javascript:alert(1)) [b](data:text/html,<script>) <a href='java&#9;script:alert(2)'>c</a>",
    "page": "[my work](evil.html)",
    "gone": "![gone](attachment:gone.png)",
    "colours": "<p style='color:rgb(" + "color:rgb(" * 2000,
    "nested": "> " * 3000 + "deep",
    "brackets": "[" * 5000 + "*" * 5000,
    "half": "half \ud800 of it \x00",
    "heading": "# notebook-container\n\n## statusmessage",
    "diagram": f"```mermaid\ngraph TD; A[{html('diagram')}]\n```",
}
METADATA = {
    "tags": [f'"{html("tags")}'],
    "transient": {"remove_source": True},
    "magics_language": f'"{html("language")}',
    "raw_mimetype": "text/html",
    "alt": f'"{html("alt")}',
    "jupyter": {"source_hidden": True},
}


# Texts that lead the page itself elsewhere.
LEAVES = {
    "refresh": f'<meta http-equiv="refresh" content="0; url={AWAY.format("refresh")}">',
    "base": f'<base href="{AWAY.format("base")}"> ![base](base.png)',
    "form": f'<form action="{AWAY.format("form")}"><button autofocus>send</button></form>',
}
# Markers of a page that shows the above as written, without filters.
RUNS_UNFILTERED = {
    *("tag", "tag-2", "block", "svg", "foreign", "animated", "details", "frame", "frame-2", "noscript-2"),
    *("comment", "alternative", "alternative-2", "diagram"),
}


def hostile(course: Course) -> None:
    """Hand in what is to do harm, and, as `honest`, what looks well."""
    texts = [new_markdown_cell(text) for text in (MARKDOWN | LEAVES).values()]
    texts += [new_raw_cell(html("raw")), new_raw_cell(html("raw-html"), metadata={"format": "text/html"})]
    attached = new_markdown_cell(
        f'![a](attachment:a.svg) [b](attachment:b.html) ![c](attachment:x"onerror={RUN.format("name")})\n\n'
        "<img src='attachment:\"><img src=x: onerror=1>'> ![d](<attachment:\"><img src=x: onerror=1>>)"
    )
    attached["attachments"] = {
        "a.svg": {"image/svg+xml": base64.b64encode(SVG.format(RUN.format("attached")).encode()).decode()},
        "b.html": {"text/html": base64.b64encode(html("attached").encode()).decode()},
        '"><img src=x: onerror=1>': {"image/png": f'"{html("attached")}'},
        f'x"onerror={RUN.format("name")}': {"image/png": PNG},
    }
    code = [new_code_cell(PUTS_OUT.format(json.dumps(list(OUTPUTS.values())))), new_code_cell(FORGES)]
    shown = new_code_cell("1 + 1")
    shown.outputs = [
        nbformat.from_dict({"output_type": "display_data", "data": data, "metadata": metadata})
        for data, metadata in OUTPUTS.values()
    ]
    for cell in [*texts, attached, *code, shown]:
        cell.metadata.update(METADATA)
    wrong = f"def double(x):\n    return {html('solution')!r}  # {html('remark')}"
    path = solves(course, "hostile", double=wrong, why="My answer", essay=MARKDOWN["cover"])
    nb = json.loads(path.read_text())
    # The answer goes on in the cells below it, and there are more at the end.
    place = next(number for number, cell in enumerate(nb["cells"]) if cell["source"] == ["My answer"]) + 1
    nb["cells"][place:place] = [*texts, attached]
    copies = [{**cell, "id": f"again-{number}"} for number, cell in enumerate([*texts, attached])]
    nb["cells"] += [*copies, *code, shown]
    nb["metadata"] |= {"title": html("title"), "widgets": {"application/vnd.jupyter.widget-state+json": {}}}
    nb["metadata"]["kernelspec"] = {"name": "python3", "display_name": html("kernel"), "language": "python"}
    path.write_text(json.dumps(nb))
    (path.parent / "evil.html").write_text(html("file"))
    figure = new_code_cell("1 + 2")
    table = "<table><tr><th>head</th></tr><tr><td>a cell</td></tr></table>"
    figure.outputs = [new_output("display_data", data={"image/png": PNG, "text/plain": "<Figure>"})]
    figure.outputs += [new_output("display_data", data={"text/html": table})]
    pasted = new_markdown_cell("![pasted](attachment:image.png)\n\n| a | b |\n|---|--:|\n| $x<y$ | <pad> |")
    pasted["attachments"] = {"image.png": {"image/png": PNG}}
    says = new_code_cell(f"from IPython.display import HTML\nHTML({table!r})")
    solves(course, "honest", pasted, figure, says, double="def double(x):\n    return 1 / 0")


@pytest.fixture(scope="module")
def graded(small_released, tmp_path_factory) -> Course:
    course = Course(shutil.copytree(small_released, tmp_path_factory.mktemp("pages") / "course"))
    hostile(course)
    outcomes = autograde_submissions(course, list(find_submissions(course, ["hw"], ["hostile", "honest"])))
    assert [outcome.problem for outcome in outcomes] == [None, None]
    for student in ("hostile", "honest"):
        assert course.convert(GenerateFeedback, "hw", student) is None
    return course


@pytest.fixture(scope="module")
def asked() -> Iterator[tuple[int, list[str]]]:
    """A server whose port all of *.example is at, and what was asked of it."""
    paths: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # noqa: N802
            paths.append(self.path)
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port, paths
    server.shutdown()


@pytest.fixture(scope="module")
def browser(asked, tmp_path_factory) -> Iterator[webdriver.Chrome]:
    hosts = f"MAP *.example 127.0.0.1:{asked[0]}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    driver = start(tmp_path_factory.mktemp("browser"), hosts)
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def jupyter(graded, tmp_path_factory) -> Iterator[str]:
    """The address of a Jupyter server in the course's folder, with Formgrader."""
    home = tmp_path_factory.mktemp("jupyter")
    with lab.jupyter(graded.root, home, instructor=True) as url:
        yield url


def read_markers(browser: webdriver.Chrome) -> set[str]:
    """The names of what has run on the page that is open."""
    time.sleep(0.2)
    found = browser.execute_script("return document.documentElement.dataset.pwned")
    return set(filter(None, (found or "").removeprefix("undefined").split(",")))


def harmless_page(browser: webdriver.Chrome, asked: tuple[int, list[str]]) -> None:
    """Nothing of a student's ran, was fetched from elsewhere, or covers the page that is open."""
    assert read_markers(browser) == set()
    assert asked[1] == []
    large = browser.execute_script(
        "return [...document.querySelectorAll('*')].filter(e => e.textContent.trim() == 'COVER').filter("
        "e => getComputedStyle(e).position == 'fixed'"
        " || e.getBoundingClientRect().height > innerHeight / 2).length"
    )
    assert large == 0
    words = ("javascript:", "data:text", "evil.html")
    links = browser.execute_script(
        "return [...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))"
    )
    assert not [link for link in links if link.strip().lower().startswith(words)]
    assert browser.execute_script("return getComputedStyle(document.body).display") != "none"


def formgrader(jupyter: str, course: Course, student: str) -> str:
    with course.gradebook() as gradebook:
        number = gradebook.find_submission_notebook("hw", "hw", student).id
    return f"{jupyter}formgrader/submissions/{number}/?index=0"


def test_formgrader_runs_nothing(graded, browser, jupyter, asked):
    page = formgrader(jupyter, graded, "hostile")
    with urlopen(page) as answer:
        assert answer.status == 200
    browser.get(page)
    wait_for(browser, "window.jQuery && document.querySelector('#essay')")
    harmless_page(browser, asked)
    text = browser.find_element("tag name", "body").text
    for words in (
        "hello",
        "a remote picture",
        "styled",
        "counted",
        "red",
        "half ? of it",
        "Student's answer",
    ):
        assert words in text, words
    # The instructor's own controls are where their scripts look for them.
    assert browser.execute_script("return document.getElementById('statusmessage').closest('.cell')") is None


def test_formgrader_of_a_server_above_the_course_runs_nothing(graded, browser, asked, tmp_path):
    (tmp_path / "CONFIG").mkdir()
    settings = f"c = get_config()\nc.CourseDirectory.root = {str(graded.root)!r}\n"
    (tmp_path / "CONFIG" / "nbgrader_config.py").write_text(settings)
    with lab.jupyter(graded.root.parent, tmp_path, instructor=True) as url:
        browser.get(formgrader(url, graded, "hostile"))
        wait_for(browser, "window.jQuery && document.querySelector('#essay')")
        harmless_page(browser, asked)
        assert "hello" in browser.find_element("tag name", "body").text


def test_formgrader_shows_honest_work(graded, browser, jupyter):
    browser.get(formgrader(jupyter, graded, "honest"))
    wait_for(browser, "window.jQuery && document.querySelector('#essay')")
    pictures = "[...document.querySelectorAll('#notebook-container img')].filter(i => i.naturalWidth).length"
    assert browser.execute_script(f"return {pictures}") >= 1
    text = browser.find_element("tag name", "body").text
    for words in ("a cell", "ZeroDivisionError", "<pad>"):
        assert words in text, words


def test_jupyterlab_runs_nothing_of_a_copy_that_nobody_trusts(graded, browser, jupyter, asked):
    browser.get(f"{jupyter}lab/tree/autograded/hostile/hw/hw.ipynb?reset")
    wait_for(browser, "document.querySelector('.jp-Notebook .jp-MarkdownCell')")
    # It renders what is in sight.
    for part in range(4):
        browser.execute_script(
            "const n = document.querySelector('.jp-WindowedPanel-outer');"
            f"if (n) n.scrollTop = n.scrollHeight * {part} / 3"
        )
        assert read_markers(browser) == set()
    assert "hello" in browser.execute_script("return document.body.textContent")
    # Its own sanitizer keeps remote pictures.
    browser.get("about:blank")
    time.sleep(1)
    asked[1].clear()


def test_a_feedback_page_runs_nothing(graded, browser, asked):
    browser.get((graded.path("feedback", "hw", "hostile") / "hw.html").as_uri())
    harmless_page(browser, asked)
    assert "styled" in browser.find_element("tag name", "body").text


def test_the_reading_page_runs_nothing(graded, browser, asked):
    command = [Path(sys.executable).with_name("gradebox"), "read", "--no-browser"]
    with subprocess.Popen(command, cwd=graded.root, stdout=subprocess.PIPE, text=True) as server:
        try:
            browser.get(server.stdout.readline().split()[2])
            student = "document.getElementById('who').textContent"
            wait_for(browser, student)
            if browser.execute_script(f"return {student}") != "hostile":
                browser.find_element("tag name", "body").send_keys("j")
                wait_for(browser, f"{student} == 'hostile'")
            # The answer has all the texts.
            shown = browser.find_element("id", "text").text
            assert all(words in shown for words in ("My answer", "hello", "half ? of it", "picture"))
            harmless_page(browser, asked)
        finally:
            server.terminate()


def test_the_class_report_runs_nothing(graded, browser, asked):
    assert gradebox(graded, "report").returncode == 0
    browser.get((graded.root / "exports" / "class.html").as_uri())
    browser.execute_script("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    harmless_page(browser, asked)
    text = browser.find_element("tag name", "body").text
    assert html("remark") in text and "hostile" in text


def test_the_site_of_a_course_has_nothing_of_submissions(graded, tmp_path):
    done = gradebox(graded, "publish", "--site", str(tmp_path / "site"))
    assert done.returncode == 0, done.stderr
    pages = [path for path in (tmp_path / "site").rglob("*") if path.is_file()]
    assert any("YOUR ANSWER HERE" in path.read_text() for path in pages if path.suffix == ".ipynb")
    assert not [path for path in pages if b"pwned" in path.read_bytes() or b"hostile" in path.read_bytes()]


@pytest.mark.parametrize("copy", ["submitted", "autograded"])
def test_without_filters_the_same_texts_run(graded, browser, asked, tmp_path, copy):
    """The tests above can fail: a page of nbconvert's own runs the texts, also those of the graded copy."""
    (path,) = graded.path(copy, "hw", "hostile").glob("*.ipynb")
    # Without its attachment, a picture is an error in nbconvert.
    texts = [text for text in MARKDOWN.values() if len(text) < 1_000 and "attachment:" not in text]
    written = {"".join(cell["source"]) for cell in json.loads(path.read_text())["cells"]}
    cells = [new_markdown_cell(text) for text in texts if text in written]
    assert len(cells) >= len(texts) - 1
    page = tmp_path / "page.html"
    stock = HTMLExporter(template_name="basic")
    pages = [stock.from_notebook_node(new_notebook(cells=[cell]))[0] for cell in cells]
    markers = set()
    for text in pages:
        page.write_text(text, errors="replace")
        browser.get(page.as_uri())
        markers |= read_markers(browser)
    assert markers >= RUNS_UNFILTERED, RUNS_UNFILTERED - markers
    assert {"/inline.png", "/reference.png", "/styles.png", "/poster.png"} <= set(asked[1])
    asked[1].clear()


def test_a_graded_copy_is_a_notebook_and_holds_no_settings_of_a_students(graded):
    (path,) = graded.path("autograded", "hw", "hostile").glob("*.ipynb")
    nb = nbformat.read(path, as_version=4)
    nbformat.validate(nb)
    known = {"nbgrader", "gradebox", "execution", "editable", "deletable"}
    assert {key for cell in nb.cells for key in cell.metadata} <= known
    assert [c.metadata.nbgrader.grade_id for c in nb.cells if "nbgrader" in c.metadata] == [
        cell.metadata.nbgrader.grade_id for cell in small_lesson() if "nbgrader" in cell.metadata
    ]
