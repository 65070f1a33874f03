"""No cell of a table that gradebox writes is a formula, and every cell is read back as it was."""

import ast
import csv
import io
import re
import unicodedata

import pytest
from helpers import PROJECT

from gradebox.csv_table import CsvTable, append_csv_records, read_csv_table, write_csv_table
from gradebox.spreadsheet_formulas import escape_formulas, unescape_formulas

PACKAGE = PROJECT / "src" / "gradebox"
# Names, answers and addresses that some spreadsheet, with some separator, would run or split.
FORMULAS = [
    "=1+1",
    "+1+1",
    "-1+cmd|' /C calc'!A0",
    "@SUM(A1)",
    " =1+1",
    "\u00a0=1+1",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "\ufeff=1+1",
    "\u200b=1+1",
    "\u2060\u00ad@SUM(A1)",
    "＝1+1",
    "＋1+1",
    "－1+1",
    "＠SUM(A1)",
    "﹦1+1",
    "Doe;=cmd|' /C calc'!A0;x",
    "Doe\t=1+1",
    "Doe\r\n=1+1",
    "Doe\u2028 =1+1",
    'Doe"; "=1+1"',
    "Doe, =1+1",
    "=cmd@x.example",
    # What follows a number or a dash belongs to the same formula, until the text is split there.
    "-1,cmd|' /C calc'!A0",
    "Doe;-1,cmd|' /C calc'!A0",
    "-\tHYPERLINK(A1)",
    '=HYPERLINK("http://x.example?"&A1;"Ann")',
    'Doe\\",=1+1',
]
HONEST = [
    *("O'Brien, Siobhán", "Müller-Lüdenscheidt, Ann", "ann@uni.example", "-", "--", "-3", "-2.5", "-1e-05"),
    *("a; b", "two\nlines", "x = y", "1+1", 'J. R. "Bob" Dobbs', "王小明", "", "  Points Possible", "7.5"),
]


def runs(text: str) -> bool:
    """A strict reading: what is left of a text after blanks and marks begins like a formula."""
    shown = [s for s in text if s not in "\"'" and unicodedata.category(s)[0] not in "CMZ"]
    quoted = next((s for s in text if s == "'" or s in shown), "") == "'"
    return bool(shown) and not quoted and unicodedata.normalize("NFKC", shown[0])[0] in "=+-@"


def no_cell_runs(text: str) -> bool:
    """However a program splits a table: at any separator, with quotation marks and without, by lines."""
    numbers = re.compile(r'"?(-*|-?[\d.]+(e-?\d+)?)"?([,;\t][\s\d,;".-]*|[,;\t]".*)?', re.DOTALL)
    for sign in ",;\t":
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=sign)]
        cells = [cell for row in rows for cell in row]
        cells += [cell for line in text.splitlines() for cell in line.split(sign)]
        cells += re.split(r"[,;\t\r\n]", text)
        if found := [cell for cell in cells if runs(cell) and not numbers.fullmatch(cell)]:
            raise AssertionError(found)
    return True


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_table_of_formulas_runs_nowhere_and_is_read_as_it_was(tmp_path, delimiter, encoding):
    cells = [*FORMULAS, *HONEST]
    rows = [["name", "again", "n"], *([cell, f"Ann {cell}", str(n)] for n, cell in enumerate(cells))]
    rows += [["=heading", cell, "1"] for cell in cells]
    path = tmp_path / "t.csv"
    write_csv_table(path, CsvTable(rows, delimiter, encoding))
    written = path.read_bytes().decode(encoding)
    assert no_cell_runs(written)
    sheet = read_csv_table(path)
    # A blank is added where Moodle would misread a backslash.
    assert [[cell.replace('\\ "', '\\"') for cell in row] for row in sheet.rows] == rows
    assert sheet.delimiter == delimiter
    write_csv_table(path, sheet)
    assert path.read_bytes().decode(encoding) == written


@pytest.mark.parametrize("text", HONEST)
def test_honest_text_is_written_as_it_is(text):
    assert escape_formulas(text) == text == unescape_formulas(text)
    assert escape_formulas(escape_formulas(f"={text}")) == f"'={text}"


def test_a_backslash_ends_no_cell_in_moodle(tmp_path):
    """PHP's fgetcsv takes a backslash before a quotation mark for an escape."""
    path = tmp_path / "t.csv"
    write_csv_table(path, CsvTable([["a", "b"], ["Ann\\", '"\\"'], ["C:\\x", "3"]]))
    assert not re.search(r'\\"', path.read_text()) and read_csv_table(path).rows[2] == ["C:\\x", "3"]


def test_records_are_appended_below_one_row_of_headings(tmp_path):
    path = tmp_path / "t.csv"
    for name in ("=1", "Ann"):
        append_csv_records(path, ["name", "points"], [{"name": name, "points": 1.5}])
    assert path.read_text() == '"name","points"\n"\'=1",1.5\n"Ann",1.5\n'


WRITERS = r"csv\.(writer|DictWriter)|.*\.(to_csv|to_excel)"


def test_one_module_writes_tables():
    """Another writer would write formulas."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            used = {ast.unparse(node)} if isinstance(node, ast.Attribute) else set()
            if isinstance(node, ast.ImportFrom):
                used = {f"{node.module}.{alias.name}" for alias in node.names}
            used = {
                one for one in used if re.fullmatch(r"csv\.(writer|DictWriter)|.*\.(to_csv|to_excel)", one)
            }
            assert not used, f"{path}: {used}"
            if isinstance(node, ast.ImportFrom) and "escape_formulas" in {one.name for one in node.names}:
                assert path == PACKAGE / "csv_table.py", path
