"""Parse submitted notebook files, and repair small violations of the notebook format.

Used wherever a submission is read: `gradebox autograde`, nbgrader's own command, `gradebox collect`,
Gradescope and feedback. A file that can't be read is refused in one clause that names the likely cause.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode

from gradebox.printable_text import format_count
from gradebox.safe_submission_files import UnreadableSubmissionError
from gradebox.submission_archives import read_submitted_file

# The first bytes of files that students hand in under a notebook's name.
SIGNATURES = {
    b"%PDF": "a PDF file",
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!": "a rar archive",
}
LFS_POINTER = "version https://git-lfs.github.com/spec/"
MERGE_CONFLICT = re.compile(r"^(?:<{7}|>{7})(?:\s|$)", re.MULTILINE)
# An incomplete literal or escape sequence at the end of a file is at most this long.
MAX_LITERAL_LENGTH = 6
BLANKS = b"\0 \t\r\n"
# Limits that bound the time and the memory for a notebook, whose size has a limit, too.
MAX_JSON_VALUES, MAX_CELLS = 2_000_000, 10_000
# The cell types of nbformat 4, and those of nbformat 3, which nbformat converts.
CELL_TYPES = {4: ("code", "markdown", "raw"), 3: ("code", "markdown", "raw", "heading", "html")}
# The newest minor versions of nbformat 4 for cells without ids and with ids.
WITHOUT_IDS, WITH_IDS = 4, 5
# Cells with the same repair are listed up to this number, and only counted beyond.
MAX_LISTED_CELLS = 5
UNREADABLE_STRUCTURE = "is JSON, but not a valid notebook: repair it in Jupyter and hand it in again"
# What the student should do with a file that is not a notebook.
HAND_IN_NOTEBOOK = "hand in the .ipynb file that Jupyter has saved"


def read_notebook(path: Path, folder: Path | None = None) -> NotebookNode:
    """Read and repair a submitted notebook, as nbformat 4. Raises UnreadableSubmissionError.

    folder: as for `read_submitted_file`.
    """
    return read_and_repair(path, folder)[0]


def read_and_repair(path: Path, folder: Path | None = None) -> tuple[NotebookNode, list[str]]:
    """Read a submitted notebook, and return the result of `parse_and_repair`."""
    try:
        raw = read_submitted_file(path, folder=folder)
    except UnreadableSubmissionError as error:
        raise UnreadableSubmissionError(f"{path.name} {error}") from None
    return parse_and_repair(raw, path.name)


def parse_and_repair(raw: bytes, name: str) -> tuple[NotebookNode, list[str]]:
    """Parse and repair the content of a submitted notebook.

    name: the file's name, for messages. Returns the notebook as nbformat 4, and the repairs, one clause each.
    Raises UnreadableSubmissionError.
    """
    try:
        content = parse_notebook_json(raw)
    except UnreadableSubmissionError as error:
        raise UnreadableSubmissionError(f"{name} {error}") from None
    try:
        repairs = fill_in_required_fields(content)
        # nbformat.reads would log each violation that `repair_notebook` removes later.
        version = nbformat.v4 if content["nbformat"] == 4 else nbformat.v3
        return nbformat.convert(version.to_notebook_json(content), 4), repairs
    except Exception:
        raise UnreadableSubmissionError(f"{name} {UNREADABLE_STRUCTURE}") from None


def parse_notebook_json(raw: bytes) -> dict[str, Any]:
    """Parse the JSON of a notebook, without repairs.

    Raises UnreadableSubmissionError, with a message that continues the file's name.
    """
    if raw[:1].strip(BLANKS) == b"" and not raw.translate(None, BLANKS):
        raise UnreadableSubmissionError(f"is empty: {HAND_IN_NOTEBOOK}")
    if raw.count(b"{") + raw.count(b"[") > MAX_JSON_VALUES:
        raise UnreadableSubmissionError(f"has more than {MAX_JSON_VALUES:,} JSON objects and lists")
    text = decode_notebook(raw)
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise UnreadableSubmissionError(explain_json_error(text, error)) from None
    except (ValueError, RecursionError) as error:
        why = "its JSON is nested too deeply" if isinstance(error, RecursionError) else "a number is too long"
        raise UnreadableSubmissionError(f"is not a notebook: {why}: {HAND_IN_NOTEBOOK}") from None
    if not isinstance(content, dict) or not content.keys() & {"nbformat", "cells"}:
        raise UnreadableSubmissionError(f"is JSON, but not a notebook: {HAND_IN_NOTEBOOK}")
    version = find_format_version(content)
    if version not in CELL_TYPES:
        known = "an unknown notebook format" if version is None else f"notebook format {version}"
        raise UnreadableSubmissionError(f"has {known}, not 4: open it in Jupyter and save it again")
    parts = content.get("cells" if version == 4 else "worksheets")
    if not isinstance(parts, list):
        raise UnreadableSubmissionError(f"is a notebook without cells: {HAND_IN_NOTEBOOK}")
    sheets = [one.get("cells") for one in parts if isinstance(one, dict)] if version == 3 else [parts]
    if sum(len(one) for one in sheets if isinstance(one, list)) > MAX_CELLS:
        raise UnreadableSubmissionError(f"has more than {MAX_CELLS:,} cells")
    return content


def decode_notebook(raw: bytes) -> str:
    """Decode the content of a notebook file. Raises UnreadableSubmissionError if it is not UTF-8."""
    for start, kind in SIGNATURES.items():
        if raw.startswith(start):
            raise UnreadableSubmissionError(f"is {kind}, not a notebook: hand in the .ipynb file itself")
    encoding = json.detect_encoding(raw)
    if not encoding.startswith("utf-8") and raw[:100].decode(encoding, "ignore").lstrip().startswith("{"):
        raise UnreadableSubmissionError(
            f"is encoded as {encoding[:6].upper()}, not UTF-8: save it as UTF-8 in an editor"
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if not raw.lstrip().startswith((b"{", b"\xef\xbb\xbf{")):
            raise UnreadableSubmissionError(
                f"is not a notebook: it is not text: {HAND_IN_NOTEBOOK}"
            ) from None
        line = raw.count(b"\n", 0, error.start) + 1
        if error.reason == "unexpected end of data":
            raise UnreadableSubmissionError(format_cut_off(line)) from None
        raise UnreadableSubmissionError(
            f"is not encoded as UTF-8, but perhaps as Windows-1252 (line {line}): "
            "save it as UTF-8 in an editor"
        ) from None


def explain_json_error(text: str, error: json.JSONDecodeError) -> str:
    """Return the likely reason why a text is not JSON, as a clause that continues the file's name."""
    start = text[:1000].lstrip().lower()
    if start.startswith(LFS_POINTER):
        return "is a Git LFS pointer, not the notebook: run `git lfs pull` and hand in the notebook"
    if start.startswith("<") and ("<html" in start or "<!doctype html" in start):
        return "is an HTML page, not a notebook: hand in the .ipynb file itself"
    # A search for a fixed string is much faster in a large file.
    has_marker = "<<<<<<<" in text or ">>>>>>>" in text
    conflict = MERGE_CONFLICT.search(text) if has_marker else None
    if conflict:
        line = text.count("\n", 0, conflict.start()) + 1
        return f"has a Git merge conflict (line {line}): resolve it and hand in the result"
    rest = text.rstrip()[error.pos :]
    at_end = not rest or (
        len(rest) <= MAX_LITERAL_LENGTH and not rest.endswith("}") and error.msg != "Extra data"
    )
    if start.startswith("{") and (at_end or error.msg.startswith("Unterminated string")):
        return format_cut_off(text.count("\n") + 1)
    return f"is not a notebook: it is not JSON (line {error.lineno}): {HAND_IN_NOTEBOOK}"


def format_cut_off(line: int) -> str:
    return f"is cut off: its JSON ends early (line {line}): hand in the complete file"


def find_format_version(content: dict[str, Any]) -> int | None:
    """Return the major version of a notebook's format, also if stored as text; None if invalid."""
    found = content.get("nbformat")
    if found is None and isinstance(content.get("cells"), list):
        return 4
    return parse_version(found)


def parse_version(found: Any) -> int | None:
    try:
        # JSON allows 4.0, and other programs write "4".
        return int(float(str(found)))
    except (ValueError, OverflowError):
        return None


def fill_in_required_fields(content: dict[str, Any]) -> list[str]:
    """Repair missing and invalid fields in place, and drop cells that are not JSON objects.

    content: a result of `parse_notebook_json`. Returns the repairs, one clause each.
    """
    version = find_format_version(content) or 4
    fields = list(fill_in_notebook_fields(content, version))
    repairs = [f"the notebook had no valid {field}, and has been repaired" for field in fields]
    faults: dict[str, list[int]] = {}
    number = 0
    for sheet in [content] if version == 4 else content["worksheets"]:
        kept = []
        for cell in sheet["cells"]:
            number += 1
            if isinstance(cell, dict):
                kept.append(cell)
                for field in fill_in_cell_fields(cell, version):
                    faults.setdefault(field, []).append(number)
            else:
                faults.setdefault("", []).append(number)
        sheet["cells"] = kept
    return repairs + [format_repair(field, numbers) for field, numbers in faults.items()]


def format_repair(field: str, numbers: list[int]) -> str:
    """Format the repair of a field in these cells. field: "" if the cells have been dropped."""
    *others, last = map(str, numbers)
    listed = ", ".join(others) + (" and " if others else "") + last
    cells = format_count(len(numbers), "cell", "cells")
    if len(numbers) <= MAX_LISTED_CELLS:
        cells = f"cells {listed}" if others else f"cell {listed}"
    have = "have" if others else "has"
    if not field:
        was = "were not valid cells" if others else "was not a valid cell"
        return f"{cells} {was}, and {have} been dropped"
    return f"{cells} had no valid {field}, and {have} been repaired"


def fill_in_notebook_fields(content: dict[str, Any], version: int) -> Iterator[str]:
    """Repair the fields of a notebook. Yield the name of each repaired field."""
    if type(content.get("nbformat")) is not int:
        content["nbformat"] = version
        yield "nbformat"
    minor = content.get("nbformat_minor")
    if version == 3 and minor != 0:
        content["nbformat_minor"] = 0
        yield "nbformat_minor"
    elif version == 4 and (type(minor) is not int or minor < 0):
        found = parse_version(minor)
        if found is None or found < 0:
            has_ids = any(isinstance(one, dict) and "id" in one for one in content["cells"])
            found = WITH_IDS if has_ids else WITHOUT_IDS
        content["nbformat_minor"] = found
        yield "nbformat_minor"
    if not isinstance(content.get("metadata"), dict):
        content["metadata"] = {}
        yield "metadata"
    if version == 3:
        sheets = content["worksheets"]
        sound = [one for one in sheets if isinstance(one, dict) and isinstance(one.get("cells"), list)]
        if len(sound) < len(sheets):
            content["worksheets"] = sound
            yield "worksheets"


def fill_in_cell_fields(cell: dict[str, Any], version: int) -> Iterator[str]:
    """Repair the fields of a cell. Yield the name of each repaired field."""
    if cell.get("cell_type") not in CELL_TYPES[version]:
        # `repair_notebook` restores the types of released cells.
        cell["cell_type"] = "code" if cell.keys() & {"outputs", "execution_count"} else "raw"
        yield "cell_type"
    if not isinstance(cell.get("metadata"), dict):
        cell["metadata"] = {}
        yield "metadata"
    if not isinstance(cell.get("id", ""), str):
        # `repair_notebook` gives the cell a valid id.
        del cell["id"]
        yield "id"
    is_code = cell["cell_type"] == "code"
    text = "input" if version == 3 and is_code else "source"
    if not is_text(cell.get(text)):
        cell[text] = to_text(cell.get(text))
        yield "source"
    attachments = cell.get("attachments", {})
    if not isinstance(attachments, dict):
        del cell["attachments"]
        yield "attachments"
    elif not all(isinstance(one, dict) for one in attachments.values()):
        cell["attachments"] = {name: one for name, one in attachments.items() if isinstance(one, dict)}
        yield "attachments"
    if is_code:
        outputs = cell.get("outputs")
        found = [repair_output(one, version) for one in outputs] if isinstance(outputs, list) else []
        cell["outputs"] = [one for one in found if one is not None]
        if cell["outputs"] != outputs:
            yield "outputs"
    if is_code and version == 4 and "execution_count" not in cell:
        cell["execution_count"] = None
        yield "execution_count"


def is_text(found: Any) -> bool:
    """Return True if a value is a text as nbformat stores it: a string or a list of strings."""
    return isinstance(found, str) or (
        isinstance(found, list) and all(isinstance(line, str) for line in found)
    )


def to_text(found: Any) -> str:
    """Return a value as text; "" for None."""
    lines = found if isinstance(found, list) else [found]
    return "".join(str(line) for line in lines if line is not None)


def repair_output(output: Any, version: int) -> dict[str, Any] | None:
    """Return an output with valid fields; None if it has no type, so that no program could show it."""
    if not isinstance(output, dict) or not isinstance(output.get("output_type"), str):
        return None
    made = dict(output)
    # In nbformat 3, the data are fields of the output.
    has_data = version == 4 and made["output_type"] in ("display_data", "execute_result")
    if ("text" in made or made["output_type"] == "stream") and not is_text(made.get("text")):
        made["text"] = to_text(made.get("text"))
    if ("metadata" in made or has_data) and not isinstance(made.get("metadata"), dict):
        made["metadata"] = {}
    if has_data and not isinstance(made.get("data"), dict):
        made["data"] = {"text/plain": to_text(made["data"])} if made.get("data") else {}
    return made
