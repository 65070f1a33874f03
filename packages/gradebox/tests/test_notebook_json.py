"""A submitted notebook is repaired if little is missing, or refused in one clause with the likely cause."""

import json
import re
from copy import deepcopy

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from gradebox.notebook_json import fill_in_required_fields, parse_and_repair, parse_notebook_json
from gradebox.safe_submission_files import UnreadableSubmissionError

MISSING = object()
CODE, TEXT = 1, 2


def content() -> dict:
    """A valid notebook: a text, a code cell with two outputs, and a text with a picture."""
    outputs = [new_output("display_data", {"text/plain": "shown"}), new_output("stream", text="printed")]
    cells = [
        new_markdown_cell("# Title"),
        new_code_cell("1 + 1", outputs=outputs),
        new_markdown_cell("![](attachment:a.png)", attachments={"a.png": {"image/png": "aGk="}}),
    ]
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
    return json.loads(nbformat.writes(new_notebook(cells=cells)))


WHOLE = json.dumps(content(), indent=1, ensure_ascii=False)


def change(value: object, *path: str | int) -> dict:
    """Return the notebook with another value at this place."""
    made = place = content()
    for key in path[:-1]:
        place = place[key]
    if value is MISSING:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return made


CELL = ("cells", CODE)
OUTPUT = (*CELL, "outputs", 0)
FAULTS = [
    (change(MISSING, "metadata"), "the notebook had no valid metadata, and has been repaired"),
    (change(None, "metadata"), "the notebook had no valid metadata, and has been repaired"),
    (change("4", "nbformat"), "the notebook had no valid nbformat, and has been repaired"),
    (change(4.0, "nbformat"), "the notebook had no valid nbformat, and has been repaired"),
    (change(MISSING, "nbformat"), "the notebook had no valid nbformat, and has been repaired"),
    (change("5", "nbformat_minor"), "the notebook had no valid nbformat_minor, and has been repaired"),
    (change(MISSING, "nbformat_minor"), "the notebook had no valid nbformat_minor, and has been repaired"),
    (change(MISSING, *CELL, "metadata"), "cell 2 had no valid metadata, and has been repaired"),
    (change(None, *CELL, "metadata"), "cell 2 had no valid metadata, and has been repaired"),
    (change([], *CELL, "metadata"), "cell 2 had no valid metadata, and has been repaired"),
    (change(MISSING, *CELL, "source"), "cell 2 had no valid source, and has been repaired"),
    (change(None, *CELL, "source"), "cell 2 had no valid source, and has been repaired"),
    (change(["1", None], *CELL, "source"), "cell 2 had no valid source, and has been repaired"),
    (change(MISSING, *CELL, "outputs"), "cell 2 had no valid outputs, and has been repaired"),
    (change(None, *CELL, "outputs"), "cell 2 had no valid outputs, and has been repaired"),
    (change(None, *OUTPUT), "cell 2 had no valid outputs, and has been repaired"),
    (change(["shown"], *OUTPUT, "data"), "cell 2 had no valid outputs, and has been repaired"),
    (change(MISSING, *OUTPUT, "metadata"), "cell 2 had no valid outputs, and has been repaired"),
    (change([1], *CELL, "outputs", 1, "text"), "cell 2 had no valid outputs, and has been repaired"),
    (change(MISSING, *CELL, "execution_count"), "cell 2 had no valid execution_count, and has been repaired"),
    (change(None, *CELL, "id"), "cell 2 had no valid id, and has been repaired"),
    (change(MISSING, *CELL, "outputs", 1, "text"), "cell 2 had no valid outputs, and has been repaired"),
    (change(MISSING, *CELL, "cell_type"), "cell 2 had no valid cell_type, and has been repaired"),
    (change(None, "cells", TEXT, "attachments"), "cell 3 had no valid attachments, and has been repaired"),
    (
        change(None, "cells", TEXT, "attachments", "a.png"),
        "cell 3 had no valid attachments, and has been repaired",
    ),
    (change(None, "cells", 0), "cell 1 was not a valid cell, and has been dropped"),
    (change("# Title", "cells", 0), "cell 1 was not a valid cell, and has been dropped"),
]


@pytest.mark.parametrize("broken, said", FAULTS, ids=map(str, range(len(FAULTS))))
def test_a_small_fault_is_repaired_and_the_result_is_valid(broken, said):
    assert fill_in_required_fields(deepcopy(broken)) == [said]
    notebook, repairs = parse_and_repair(json.dumps(broken).encode(), "hw.ipynb")
    assert repairs == [said]
    nbformat.validate(notebook)
    sources = [cell.source for cell in notebook.cells]
    whole = ["# Title", "1 + 1", "![](attachment:a.png)"]
    for source, text in zip(reversed(sources), reversed(whole), strict=False):
        assert source in (text, "1", "")
    assert len(sources) == len(whole) - ("dropped" in said)


def test_a_valid_notebook_is_left_as_it_is():
    made = content()
    assert fill_in_required_fields(made) == [] and made == content()


def test_data_of_an_output_that_are_a_list_are_its_text():
    made = change(["sho", "wn"], *OUTPUT, "data")
    notebook, _ = parse_and_repair(json.dumps(made).encode(), "hw.ipynb")
    assert notebook.cells[CODE].outputs[0].data == {"text/plain": "shown"}


def test_one_repair_names_all_its_cells():
    made = content()
    for cell in made["cells"]:
        del cell["metadata"]
    assert fill_in_required_fields(made) == ["cells 1, 2 and 3 had no valid metadata, and have been repaired"]
    made["cells"] = [{"cell_type": "markdown", "source": ""} for _ in range(30)]
    assert fill_in_required_fields(made) == ["30 cells had no valid metadata, and have been repaired"]


def test_a_notebook_of_format_3_is_repaired_too():
    cells = [{"cell_type": "code", "input": "1 + 1"}, None, {"cell_type": "heading", "source": ["Title"]}]
    made = {"nbformat": "3", "worksheets": [{"cells": cells}, None]}
    notebook, repairs = parse_and_repair(json.dumps(made).encode(), "hw.ipynb")
    assert [cell.source for cell in notebook.cells] == ["1 + 1", "# Title"]
    assert "cell 2 was not a valid cell, and has been dropped" in repairs
    assert "cell 1 had no valid outputs, and has been repaired" in repairs


CONFLICT = WHOLE.replace('   "metadata": {}', "<<<<<<< HEAD\n =======\n>>>>>>> main", 1)
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
CUT_OFF = "is cut off: its JSON ends early"
NOT_UTF8 = "is not encoded as UTF-8, but perhaps as Windows-1252 (line 8): save it as UTF-8 in an editor"
AS_UTF8 = "not UTF-8: save it as UTF-8 in an editor"
UMLAUT = WHOLE.replace("Title", "\N{LATIN CAPITAL LETTER U WITH DIAERESIS}bung")
UNREADABLE = [
    (b"", "is empty"),
    (b" \r\n", "is empty"),
    (b"\0" * 4096, "is empty"),
    (CONFLICT.encode(), "has a Git merge conflict (line 6): resolve it and hand in the result"),
    (CONFLICT.replace("\n", "\r\n").encode(), "has a Git merge conflict (line 6)"),
    (LFS.encode(), "is a Git LFS pointer, not the notebook: run `git lfs pull` and hand in the notebook"),
    (b"\n\n<!DOCTYPE html>\n<html>", "is an HTML page, not a notebook: hand in the .ipynb file itself"),
    (b"PK\x03\x04\x14\0\0\0", "is a zip archive, not a notebook: hand in the .ipynb file itself"),
    (b"%PDF-1.4\n\xe2\xe3", "is a PDF file, not a notebook: hand in the .ipynb file itself"),
    (WHOLE.encode("utf-16"), f"is encoded as UTF-16, {AS_UTF8}"),
    (WHOLE.encode("utf-16-le"), f"is encoded as UTF-16, {AS_UTF8}"),
    (WHOLE.encode("utf-16-be"), f"is encoded as UTF-16, {AS_UTF8}"),
    (WHOLE.encode("utf-32"), f"is encoded as UTF-32, {AS_UTF8}"),
    (UMLAUT.encode("cp1252"), NOT_UTF8),
    (UMLAUT[: UMLAUT.index("bung")].encode()[:-1], CUT_OFF),
    (b"\x89PNG\r\n\x1a\n\xff\xfe", "is not a notebook: it is not text"),
    (b"\0\0\0\1binary", "is not a notebook: it is not JSON (line 1)"),
    (WHOLE.replace(",", "", 1).encode(), "is not a notebook: it is not JSON (line 5)"),
    ((WHOLE + "\n}").encode(), "is not a notebook: it is not JSON"),
    (b'{"nbformat": 5, "cells": []}', "has notebook format 5, not 4: open it in Jupyter and save it again"),
    (b'{"nbformat": null, "a": 1}', "has an unknown notebook format, not 4"),
    (b'{"nbformat": 4, "cells": {}}', "is a notebook without cells"),
    (b'"text"', "is JSON, but not a notebook"),
    (b"[" * 100_000, "is not a notebook: its JSON is nested too deeply"),
    (b'{"nbformat": ' + b"4" * 5000 + b"}", "is not a notebook: a number is too long"),
]


@pytest.mark.parametrize("raw, said", UNREADABLE, ids=map(str, range(len(UNREADABLE))))
def test_a_file_that_is_not_a_notebook_is_refused_with_the_cause(raw, said):
    with pytest.raises(UnreadableSubmissionError) as refusal:
        parse_notebook_json(raw)
    assert str(refusal.value).startswith(said) and "\n" not in str(refusal.value)
    # Each refusal ends with what the student should do.
    assert re.search(r": (?:hand in|save it|open it|resolve it|run) \S", str(refusal.value))
    with pytest.raises(UnreadableSubmissionError, match=r"^hw\.ipynb (is|has) "):
        parse_and_repair(raw, "hw.ipynb")


def test_a_file_that_is_cut_off_anywhere_is_refused_as_such():
    for end in range(1, len(WHOLE) - 1):
        with pytest.raises(UnreadableSubmissionError, match=f"^{CUT_OFF}"):
            parse_notebook_json(WHOLE[:end].encode())


def test_conflict_markers_in_the_text_of_a_cell_are_not_a_conflict():
    made = change("<<<<<<< HEAD", *CELL, "source")
    assert parse_notebook_json(json.dumps(made).encode()) == made


def test_a_structure_that_nbformat_can_not_convert_is_refused_in_our_words():
    deep: list = []
    for _ in range(700):
        deep = [deep]
    with pytest.raises(UnreadableSubmissionError) as refusal:
        parse_and_repair(json.dumps(change(deep, "metadata", "x")).encode(), "hw.ipynb")
    said = "hw.ipynb is JSON, but not a valid notebook: repair it in Jupyter and hand it in again"
    assert str(refusal.value) == said
