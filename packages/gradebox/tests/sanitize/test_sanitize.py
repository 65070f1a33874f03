"""What of a student's a graded copy keeps, and what pages show of it."""

import base64
import html
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import Environment
from nbformat.notebooknode import NotebookNode, from_dict
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, output_from_msg
from PIL import Image

from gradebox.notebook_metadata import RepairRecord, record_repairs
from gradebox.sanitize.html import (
    CONTAINER,
    ImageLinkFilter,
    clean,
    markdown_to_html,
    rendered,
    rendered_cell,
    sanitize_fragment,
)
from gradebox.sanitize.image_types import MAX_ATTACHMENT_SIZE, MAX_PIXELS, validate_image
from gradebox.sanitize.markdown import (
    MAX_BRACKETS,
    MAX_MARKDOWN_LENGTH,
    MAX_PAGE_MARKDOWN,
    MarkdownBudget,
)
from gradebox.sanitize.notebook_cells import (
    MAX_HTML_LENGTH,
    OMITTED_OUTPUT,
    sanitize_content,
    sanitize_notebook,
    sanitize_output,
)

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
DATA = "data:image/png;base64,"
ORDINARY = [
    "",
    "The weights of `<pad>` and <bos> are 0, since $a<b$ and x<y.\n\n    if a <b and c> d: pass\n",
    "| a | b |\n|:--|--:|\n| 1 | <2 |\n\n- [x] done\n\n```python\nx = [1][0] < y\n```",
    "See <https://arxiv.org/abs/1706.03762?a=1>, [this](https://example.org) ![figure](figure.png).",
    '<details><summary>More</summary>\n\n<span style="color:red">red</span> H<sub>2</sub>O<br/>\n</details>',
    '<div style="text-align: center">\n<img src="attachment:a.png" width="50%">\n</div>\n<!-- a note -->',
    "![pasted](attachment:a.png) and ![in Colab](data:image/png;base64," + PNG + ")",
    "Not an image: a![b], f[i](x:y), 5! [1]",
    "$$\n\\begin{aligned} a &< b \\\\ c &> d \\end{aligned}\n$$",
]


# As in the templates of Formgrader and of nbconvert.
CELL = "{% set cell = nb.cells[0] %}{{ cell.source | markdown2html | strip_files_prefix | clean_html }}"
OUTPUT = (
    "{% set cell = nb.cells[0] %}{{ cell.outputs[0].data['text/markdown'] | markdown2html | clean_html }}"
)
BEGIN, END = CONTAINER.split("{}")


def graded(cell: NotebookNode, *released: NotebookNode) -> NotebookNode:
    """The graded copy of a notebook with one cell. released: the released cells."""
    notebook = new_notebook(cells=[cell])
    student_texts = sanitize_notebook(notebook, new_notebook(cells=list(released)))
    record_repairs(notebook, RepairRecord(student_texts=student_texts))
    return notebook


def show(notebook: NotebookNode, template: str = CELL) -> str:
    """What a page shows of the first cell of a notebook."""
    environment = Environment()
    environment.filters |= {"markdown2html": markdown_to_html, "clean_html": clean}
    environment.filters["strip_files_prefix"] = rendered_cell
    made = environment.from_string(template).render(nb=notebook)
    assert made.startswith(BEGIN) and made.endswith(END) and made.count(BEGIN) == 1
    return made[len(BEGIN) : -len(END)].strip()


def page(text: str, attachments: dict | None = None) -> str:
    """What a page shows of a student's text."""
    return show(graded(new_markdown_cell(text, attachments=attachments or {})))


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays_as_it_is(text):
    cell = new_markdown_cell(text, attachments={"a.png": {"image/png": PNG}})
    assert graded(cell).cells[0].source == text


REMOTE = "https://pictures.example/a.png"
PICTURES = [
    (f"![a plot]({REMOTE})", f'<a href="{REMOTE}">a plot</a>'),
    (f"![]({REMOTE})", f'<a href="{REMOTE}">{REMOTE}</a>'),
    (f"![a plot][1]\n\n[1]: {REMOTE}", f'<a href="{REMOTE}">a plot</a>'),
    (f'<img src="{REMOTE}" alt="a plot">', f'<a href="{REMOTE}">a plot</a>'),
    (f"<IMG\nalt='' src={REMOTE} />", f'<a href="{REMOTE}">{REMOTE}</a>'),
    ("![gone](attachment:gone.png)", '<img src="attachment:gone.png" alt="gone">'),
    ("![out](/api/shutdown.png) ![up](../../a.png)", '<img alt="out"> <img alt="up">'),
]


@pytest.mark.parametrize(("text", "wanted"), PICTURES)
def test_a_picture_that_is_not_here_becomes_a_link(text, wanted):
    assert wanted in page(text)
    output = new_output("display_data", data={"text/markdown": text})
    assert wanted in show(graded(new_code_cell("1", outputs=[output])), OUTPUT)


@pytest.mark.parametrize("text", [f"Look: ![a plot]({REMOTE})", f'Look: <img src="{REMOTE}" alt="a plot">'])
def test_a_picture_of_the_courses_is_shown_from_where_it_is(text):
    assert f'<img src="{REMOTE}" alt="a plot">' in show(
        graded(new_markdown_cell(text), new_markdown_cell(text))
    )
    assert "<img" not in show(graded(new_markdown_cell(f"{text} Yes."), new_markdown_cell(text)))


def test_a_formula_is_shown_in_text_and_in_an_output():
    output = new_output("display_data", data={"text/latex": "$x^2$"})
    for made in (page("$x^2$"), show(graded(new_code_cell("1", outputs=[output])), OUTPUT)):
        assert made.startswith("<p><math") and "<msup>" in made


NAMES = [
    ("image.png", "attachment:image.png"),
    ("foto 1.png", "attachment:foto%201.png"),
    ("foto 1.png", "<attachment:foto 1.png>"),
    # JupyterLab 3, after a file was dragged into the cell.
    ("Screenshot 1 (2).png", "attachment:Screenshot 1 (2).png"),
    (
        "Bildschirmfoto 2026-11-20 um 10.00.00.png",
        "attachment:Bildschirmfoto%202026-11-20%20um%2010.00.00.png",
    ),
    ("Übung.png", "attachment:%C3%9Cbung.png"),
    ("Übung.png", "attachment:Übung.png"),
    # macOS decomposes accents in file names.
    ("U\u0308bung.png", "attachment:%c3%9cbung.png"),
    ("a (1).png", "attachment:a%20(1).png"),
    ("a & b's #1.png", "attachment:a%20&amp;%20b's%20%231.png"),
    ("50%.png", "attachment:50%25.png"),
    ("图.png", "attachment:图.png"),
]


@pytest.mark.parametrize(("name", "address"), NAMES)
def test_an_attachment_is_shown_whatever_its_name(name, address):
    """On Formgrader's page and on the student's, and with the names that a URL encodes."""
    nearly = {"foto_1.png": {"image/png": PNG}} if name == "foto 1.png" else {}
    text = f"Here ![the [first] drawing]({address}) it is."
    notebook = graded(new_markdown_cell(text, attachments={name: {"image/png": PNG}, **nearly}))
    (cell,) = notebook.cells
    assert len(cell.attachments) == 1 + len(nearly) and cell.source == text
    made = show(notebook)
    assert made.count(f'src="data:image/png;base64,{PNG}"') == 1 and "it is." in made


def test_a_picture_in_html_and_in_a_definition_is_shown_too():
    text = "<img src=\"attachment:foto 1.png\"> <img src='attachment:foto%201.png'> ![defined][1]\n"
    text += "\n[1]: attachment:foto%201.png\n"
    assert page(text, {"foto 1.png": {"image/png": PNG}}).count(f'src="{DATA}{PNG}"') == 3


def test_a_picture_that_is_pasted_as_text_is_kept_up_to_the_limit_of_pictures():
    large = base64.b64encode(base64.b64decode(PNG) + bytes(MAX_ATTACHMENT_SIZE - 200)).decode()
    assert f'src="{DATA}{large}"' in page(f"![]({DATA}{large})")
    over = base64.b64encode(base64.b64decode(PNG) + bytes(MAX_ATTACHMENT_SIZE)).decode()
    for left_out in (
        f"{DATA}{over}",
        f"{DATA}AAAA",
        f"data:image/webp;base64,{PNG}",
        "data:image/svg+xml;base64,PHN2Zy8+",
    ):
        assert page(f"See ![it]({left_out}).") == '<p>See <img alt="it">.</p>'


HARMFUL = [
    "[a](javascript:alert(1))",
    "[a](java&#115;cript:alert(1)) <a href='&#1;javascript:x'>b</a>",
    "[a]: data:text/html,x\n\n[a]",
    "> " * 3000 + "deep",
    "<b>" * 100,
    "\\begin{a} " * MAX_MARKDOWN_LENGTH,
]


@pytest.mark.parametrize("text", HARMFUL, ids=range(len(HARMFUL)))
def test_a_harmful_text_does_no_harm_on_a_page(text):
    made = page(text)
    assert not harm(made) and re.sub(r"\W", "", html.unescape(made))


@pytest.mark.parametrize("opening", ["[", "![", "[[](", "\\\\(", "[x][y]", "[a]("])
def test_many_brackets_are_shown_as_plain_text(opening):
    few = opening * (MAX_BRACKETS // opening.replace("\\(", "[").count("["))
    many = f"first\r{few}\nlast [ ["
    shown = MarkdownBudget().limit(many)
    assert MarkdownBudget().limit(few) == few and MarkdownBudget().limit(shown) == shown
    assert MarkdownBudget().limit(f"    first\r{few}[ [") != f"    first\r{few}[ ["
    made = page(many)
    assert made.count("<pre><code>") == 1 and "<a" not in made and "<p>" not in made
    assert few in html.unescape(made) and "first\n" in made and "last [ [" in made


def test_a_page_renders_a_limited_number_of_characters():
    text = "word" * (MAX_MARKDOWN_LENGTH // 4)
    cells = [new_markdown_cell(text) for _ in range(MAX_PAGE_MARKDOWN // len(text) + 2)]
    notebook = new_notebook(cells=cells)
    sanitize_notebook(notebook, new_notebook())
    budget = MarkdownBudget()
    for shown in ([cell.source for cell in notebook.cells], [budget.limit(text) for _ in cells]):
        assert shown.count(text) * len(text) == MAX_PAGE_MARKDOWN
        assert shown[-2:] == [f"    {text}"] * 2


def test_brackets_on_a_page_are_not_searched_for_links():
    """`strip_files_prefix` of nbconvert does so, in a time that is quadratic in their number."""
    assert "[a](/files/b)" in rendered("<code>[a](/files/b)</code>")


class Seen(HTMLParser):
    """Elements and attributes that would do harm."""

    SCRIPTS = ("javascript:", "data:text", "vbscript:")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            where = "".join((value or "").split()).lower()
            remote = name == "src" and where.startswith(("http", "//", "\\\\"))
            if name.startswith("on") or remote or (name == "href" and where.startswith(self.SCRIPTS)):
                self.found.append(f"{tag} {name}={value}")
        if tag in ("script", "iframe", "svg", "style", "object", "embed", "form", "meta", "link", "base"):
            self.found.append(tag)


def harm(text: str) -> list[str]:
    return Seen(text).found


PIECES = [
    *(
        "<",
        ">",
        "</",
        "/>",
        '"',
        "'",
        "=",
        " ",
        "\n",
        "\n\n",
        "\t",
        "`",
        "```\n",
        "    ",
        "> ",
        "- ",
        "\\",
        "$",
        "&lt;",
    ),
    *(
        "![",
        "[",
        "]",
        "(",
        ")",
        "](",
        "]: ",
        "!",
        "a",
        "1. ",
        "<!--",
        "-->",
        "<![CDATA[",
        "<?",
        "<div>\n",
        "</div>",
    ),
    *(
        "img",
        "script",
        "svg",
        "a href",
        "src",
        "onerror",
        "style",
        "b",
        "pre",
        "math",
        "x",
        "|",
        "\x00",
        "\u200b",
    ),
    *(
        "javascript:x",
        REMOTE,
        "//pictures.example/a",
        "data:text/html,x",
        "<b title='",
        "<img src=",
        " onload=x ",
    ),
]


@settings(max_examples=60)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_no_text_makes_a_harmful_page(text):
    assert not harm(page(text))
    assert not harm(sanitize_fragment(text, ImageLinkFilter))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda x: st.lists(x) | st.dictionaries(st.text(), x),
)
MIMES = st.sampled_from(
    ["text/plain", "text/html", "text/markdown", "text/latex", "image/png", "application/javascript"]
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "data": JSON | st.dictionaries(MIMES, JSON | st.text()),
        "metadata": JSON
        | st.dictionaries(MIMES, st.dictionaries(st.sampled_from(["width", "height"]), JSON)),
        **dict.fromkeys(["execution_count", "name", "text", "ename", "evalue", "traceback"], JSON),
    },
)
KINDS = ["stream", "error", "display_data", "execute_result"]


@settings(max_examples=20)
@given(st.sampled_from(KINDS), FIELDS)
def test_whatever_a_kernel_says_becomes_an_output_that_a_notebook_can_hold(kind, found):
    # It is validated as it is made.
    made = output_from_msg({"header": {"msg_type": kind}, "content": sanitize_content(kind, found)})
    assert sanitize_output(made) == made


def test_an_output_keeps_what_is_known():
    found = {
        "data": {
            "text/plain": "a",
            "application/javascript": "x",
            "image/png": PNG,
            "image/svg+xml": "<svg/>",
        },
        "metadata": {"image/png": {"width": 7, "height": True, "alt": "x"}, "filenames": {"image/png": "x"}},
        "execution_count": "7",
    }
    assert sanitize_content("execute_result", found) == {
        "data": {"text/plain": "a", "image/png": PNG},
        "metadata": {"image/png": {"width": 7}},
        "execution_count": None,
    }
    assert sanitize_content("display_data", {"data": {"x": 1}})["data"] == {"text/plain": OMITTED_OUTPUT}
    large = {"text/html": "<p>" + "a" * MAX_HTML_LENGTH, "text/plain": "a table"}
    assert sanitize_content("display_data", {"data": large})["data"] == {"text/plain": "a table"}


def test_a_table_stays_a_table():
    """As pandas writes it."""
    table = '<table class="dataframe">\n<tbody><tr>\n<th>a</th>\n</tr>\n</tbody></table>'
    made = sanitize_content(
        "display_data", {"data": {"text/html": f"<style scoped>\n.x {{}}\n</style>{table}"}}
    )
    assert made["data"]["text/html"] == table


def test_a_picture_is_one(tmp_path):
    bomb = tmp_path / "bomb.png"
    Image.new("1", (20_000, MAX_PIXELS // 20_000 + 1)).save(bomb)
    assert validate_image(PNG) == validate_image([PNG[:9], PNG[9:]]) == PNG
    assert validate_image(base64.b64encode(bomb.read_bytes()).decode()) is None
    assert validate_image(PNG, "image/jpeg") is None
    assert validate_image("<b>") is None and validate_image(7) is None and validate_image(PNG[:40]) is None


def test_cells_as_released_keep_what_is_theirs():
    picture_of_ours = {"a.svg": {"image/svg+xml": "<svg/>"}}
    ours = new_markdown_cell(
        f"<b class='modal'>![]({REMOTE})", attachments=picture_of_ours, metadata={"x": 1}
    )
    released = new_notebook(
        cells=[ours], metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    )
    same = new_markdown_cell(ours.source, metadata={"y": 1})
    other = new_markdown_cell(ours.source + " ", attachments=picture_of_ours)
    odd = from_dict({"id": "a", "cell_type": "sql", "source": ["a", "b"], "metadata": {"x": 1}, "outputs": 7})
    notebook = new_notebook(cells=[same, other])
    notebook.cells.append(odd)
    notebook.metadata = from_dict({"title": "<b>", "widgets": {}})
    sanitize_notebook(notebook, released)
    same, other, odd = notebook.cells
    assert (same.source, same.metadata, same.attachments) == (ours.source, ours.metadata, picture_of_ours)
    assert other.source == f"{ours.source} " and "attachments" not in other and not other.metadata
    assert odd == {"id": "a", "cell_type": "raw", "source": "ab", "metadata": {}}
    assert notebook.metadata == released.metadata
