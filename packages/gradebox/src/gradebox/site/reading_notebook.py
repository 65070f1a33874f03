"""Turn an executed lesson into a notebook to read: text, given code, figures and printed output.

A solution cell becomes its signature and docstring. Tests, the checks cell and outputs that show lines of a
solution are left out.
"""

import re
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from nbgrader import utils
from nbgrader.preprocessors import ClearSolutions
from traitlets.config import Config

from gradebox.notebook_exercises import CHECKS_CELL_ID, LINKS_CELL_ID, TITLE_PATTERN, find_grade_id
from gradebox.sanitize.notebook_cells import sanitize_attachments, sanitize_outputs
from gradebox.site.secret_lines import SecretLines

# Alternative text of a figure whose cell has no `alt` in its metadata.
DEFAULT_ALT = "Figure drawn by the code above"
# The body of a solution on a page.
OMITTED_BODY = "..."
# A line in italics below the title that states the points, as the page itself does.
SUBTITLE_PATTERN = re.compile(r"\s*\*[^*\n]*\bpoints?\b[^*\n]*\*[ \t]*$", re.MULTILINE)
OMITTED_OUTPUT = "[This output shows lines of the solution. Run the notebook to see it.]\n"


def build_reading_notebook(
    released: NotebookNode, executed: NotebookNode, secrets: SecretLines, config: Config
) -> NotebookNode:
    """Return the notebook for a page. The arguments are not changed.

    released: the notebook for students. executed: the same notebook with solutions and outputs. secrets: an
    output with one of these lines is left out.
    """
    stubs = ClearSolutions(config=config).code_stub
    language = released.metadata.get("kernelspec", {}).get("language", "python")
    cells = []
    for cell, run in zip(released.cells, executed.cells, strict=True):
        if cell.cell_type == "markdown" and cell.get("id") != LINKS_CELL_ID:
            cells.append(new_markdown_cell(cell.source))
            if "attachments" in cell:
                cells[-1].attachments = cell.attachments
        elif cell.cell_type == "code" and utils.is_solution(cell):
            cells.append(new_code_cell(omit_body(cell.source, stubs.get(language, ""))))
        elif cell.cell_type == "code" and not utils.is_grade(cell) and find_grade_id(cell) != CHECKS_CELL_ID:
            cells.append(copy_given_cell(cell, run, secrets))
    known = ("kernelspec", "language_info")
    return new_notebook(
        cells=cells, metadata={key: value for key, value in executed.metadata.items() if key in known}
    )


def omit_body(source: str, stub: str) -> str:
    """Return a released solution cell with `...` in place of nbgrader's stub."""
    if not stub:
        return source
    lines = r"\n\1".join(re.escape(line) for line in stub.splitlines())
    return re.sub(rf"^([ \t]*){lines}[ \t]*$", rf"\1{OMITTED_BODY}", source, flags=re.MULTILINE)


def copy_given_cell(cell: NotebookNode, run: NotebookNode, secrets: SecretLines) -> NotebookNode:
    """Return a cell with its outputs, and only the metadata that Sphinx needs."""
    outputs = [omit_secrets(output, secrets) for output in sanitize_outputs(run.outputs)]
    copied = new_code_cell(cell.source, outputs=outputs)
    if cell.metadata.get("jupyter", {}).get("source_hidden"):
        copied.metadata["tags"] = ["hide-input"]
    image = {"alt": cell.metadata.get("alt") or DEFAULT_ALT}
    for output in run.outputs:
        # Sphinx would show a figure with twice the pixels in twice its size.
        if size := output.get("metadata", {}).get("image/png"):
            image["width"] = f"{size['width']}px"
    copied.metadata["mystnb"] = {"image": image}
    return copied


def omit_secrets(output: NotebookNode, secrets: SecretLines) -> NotebookNode:
    """Return an output without its traceback, or a sentence in place of an output with a secret line."""
    if output.output_type == "error":
        # A traceback quotes the solution.
        output.traceback = [f"{output.ename}: {output.evalue}"]
    texts = [output.get("text", ""), *output.get("traceback", []), *output.get("data", {}).values()]
    if any(map(secrets.find, texts)):
        return new_output("stream", name="stdout", text=OMITTED_OUTPUT)
    return output


def insert_after_title(notebook: NotebookNode, text: str, default_title: str) -> None:
    """Replace the subtitle by Markdown, in place. A notebook without a title gets the default."""
    for cell in notebook.cells:
        found = TITLE_PATTERN.search(cell.source) if cell.cell_type == "markdown" else None
        if found:
            before, after = cell.source[: found.end()], cell.source[found.end() :]
            subtitle = SUBTITLE_PATTERN.match(after)
            cell.source = f"{before}\n\n{text}\n{after[subtitle.end() if subtitle else 0 :]}"
            return
    notebook.cells.insert(0, new_markdown_cell(f"# {default_title}\n\n{text}"))


def write_attachments(notebook: NotebookNode, folder: Path) -> None:
    """Write the pictures in Markdown cells to a folder beside the page, and link to these files, in place."""
    for cell in notebook.cells:
        for name, kinds in sanitize_attachments(cell.pop("attachments", {})).items():
            kind, data = next(iter(kinds.items()))
            content = b64decode(data)
            # Sphinx does not decode an address, so a file can't have the name of the attachment.
            path = folder / f"{sha256(content).hexdigest()[:16]}.{kind.partition('/')[2]}"
            folder.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            for written in (name, quote(name)):
                cell.source = cell.source.replace(f"attachment:{written}", f"{folder.name}/{path.name}")
