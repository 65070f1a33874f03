"""CSV tables of learning platforms and spreadsheets, written back in the format in which they were read.

All tables that gradebox writes are written here. No cell is a formula for a spreadsheet.
"""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gradebox.atomic_write import write_atomically
from gradebox.course import CourseError
from gradebox.spreadsheet_formulas import escape_formulas, unescape_formulas

DELIMITERS = ",;\t"
# Limits: bytes of a table, and characters of a cell, since feedback can be long.
MAX_TABLE_BYTES, MAX_CELL_LENGTH = 100 * 10**6, 10**7
# Headings of the columns in plain lists of students, and in those of Canvas, Gradescope and Moodle. Moodle's
# are in the teacher's language: here English, German, French, Spanish, Italian, Dutch and Portuguese.
FIRST_NAME_HEADINGS = (
    *("first name", "firstname", "first_name", "given name"),
    *("vorname", "prénom", "nombre", "nome", "voornaam"),
)
LAST_NAME_HEADINGS = (
    *("last name", "lastname", "last_name", "surname", "family name", "nachname", "apellido", "apellido(s)"),
    *("apellidos", "cognome", "achternaam", "apelido", "sobrenome", "nom", "nom de famille"),
)
FULL_NAME_HEADINGS = (
    *("student", "full name", "fullname", "name", "vollständiger name", "nom complet"),
    *("nombre completo", "nome completo", "volledige naam"),
)
EMAIL_HEADINGS = (
    *("email address", "email", "e-mail", "e-mail address", "mail", "e-mail-adresse", "adresse de courriel"),
    *("adresse e-mail", "dirección de correo", "indirizzo email", "e-mailadres", "endereço de email"),
    "endereço de e-mail",
)
ID_HEADINGS = (
    *("student_id", "student id", "id number", "sid", "username", "sis login id", "sis user id", "login"),
    *("student number", "matriculation number", "matrikelnummer", "id-nummer", "anmeldename"),
    *("numéro d'identification", "nom d'utilisateur", "número de id", "nombre de usuario", "numero id"),
    *("codice identificativo", "nummer (id)", "gebruikersnaam", "número de identificação"),
    *("número de identificação (id)", "código de identificação", "nome de usuário", "nome de utilizador"),
    "identificação de usuário",
)
SECTION_HEADINGS = (
    *("section", "sections", "group", "groups", "tutorial"),
    *("gruppen", "gruppe", "abschnitt", "groupes", "groupe", "grupos", "grupo", "gruppi", "gruppo"),
    *("groepen", "groep"),
)
# Files inside the workbooks of spreadsheet programs, which are zip archives.
WORKBOOK_PARTS = {
    "xl/workbook.xml": "an Excel workbook",
    "content.xml": "an OpenDocument workbook",
    "Index/Document.iwa": "a Numbers workbook",
}
# Cells that are written without quotation marks: a number is not text, and Canvas distinguishes an empty cell
# from an empty text.
UNQUOTED = re.compile(r"(?:-?\d+(?:\.\d+)?)?")
# PHP, and therefore Moodle, reads a backslash before a quotation mark as an escape character.
PHP_ESCAPE = re.compile(r'\\(?="|\Z)')


@dataclass
class CsvTable:
    """A table with its headings in the first row.

    rows: lists of cells. delimiter, encoding: the format of the file.
    """

    rows: list[list[str]]
    delimiter: str = ","
    encoding: str = "utf-8"

    @property
    def headings(self) -> list[str]:
        return [cell.strip() for cell in self.rows[0]]

    @property
    def is_canvas_gradebook(self) -> bool:
        """True for the table that Canvas exports with *Gradebook → Export*."""
        return self.headings[0] == "Student" and {"ID", "Section"} <= set(self.headings)

    def column(self, names: Iterable[str]) -> int | None:
        """Return the index of the first of these headings that exists, ignoring case; None if none exists."""
        known = [heading.casefold().replace("’", "'") for heading in self.headings]
        return next((known.index(name.casefold()) for name in names if name.casefold() in known), None)

    def email_column(self) -> int | None:
        """Return the column of e-mail addresses, by its heading or else by its content; None without one."""
        named = self.column(EMAIL_HEADINGS)
        if named is not None:
            return named
        found = [place for place, cells in self.filled_cells().items() if all("@" in cell for cell in cells)]
        return found[0] if len(found) == 1 else None

    def filled_cells(self) -> dict[int, list[str]]:
        """Return the cells that are not empty of each column that has some, without the heading."""
        columns = {
            place: [self.cell(row, place) for row in self.rows[1:]] for place in range(len(self.rows[0]))
        }
        return {place: list(filter(None, cells)) for place, cells in columns.items() if any(cells)}

    def cell(self, row: list[str], column: int | None) -> str:
        """Return a row's cell in a column, stripped; "" if the row is too short, or the column is None."""
        return row[column].strip() if column is not None and column < len(row) else ""

    def formulas(self) -> list[str]:
        """Return the cells that are escaped when the table is written."""
        return [cell for row in self.rows for cell in row if escape_formulas(cell) != cell]


def read_csv_table(path: Path) -> CsvTable:
    """Read a CSV file, without the apostrophes that gradebox writes before formulas.

    Raises CourseError if the file is not a table with a row of headings.
    """
    if (kind := find_zip_kind(path)) is not None:
        what = "save it there as CSV" if kind else "a class list, a worksheet or a gradebook is a CSV file"
        raise CourseError(f"{path} is {kind or 'a zip archive, not a table'}: {what}")
    try:
        if path.stat().st_size > MAX_TABLE_BYTES:
            raise CourseError(
                f"{path} has more than {MAX_TABLE_BYTES / 10**6:g} MB: too large for the table of a class"
            )
        raw = path.read_bytes()
    except OSError as error:
        raise CourseError(f"{path} can't be read: {error.strerror}") from None
    encoding = detect_encoding(raw)
    text = raw.decode(encoding)
    csv.field_size_limit(MAX_CELL_LENGTH)
    found = [(sign, rows) for sign in DELIMITERS if len((rows := parse_csv_rows(text, sign) or [[]])[0]) > 1]
    if not found or "\0" in text:
        raise CourseError(f"{path} is not a table in CSV format with a row of headings: export it as CSV")
    # With a wrong delimiter, the rows of a table have different lengths, or are short.
    delimiter, rows = max(found, key=lambda one: (measure_row_consistency(one[1]), len(one[1][0])))
    return CsvTable([list(map(unescape_formulas, row)) for row in rows], delimiter, encoding)


def find_zip_kind(path: Path) -> str | None:
    """Return the kind of workbook that a zip archive is; "" for any other archive, None for another file."""
    try:
        with zipfile.ZipFile(path) as archive:
            return find_workbook_kind(archive.namelist())
    except Exception:
        # A damaged archive raises errors of many types, and so does a file that can't be read.
        return None


def find_workbook_kind(names: Iterable[str]) -> str:
    """Return the kind of workbook that an archive with these file names is; "" for another archive."""
    known = set(names)
    return next((kind for part, kind in WORKBOOK_PARTS.items() if part in known), "")


def parse_csv_rows(text: str, delimiter: str) -> list[list[str]] | None:
    """Return the rows of a table that are not empty; None if parsing with this delimiter fails."""
    try:
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        return [row for row in lines if row]
    except csv.Error:
        return None


def measure_row_consistency(rows: list[list[str]]) -> float:
    """Return the fraction of rows that are as long as the first."""
    return sum(len(row) == len(rows[0]) for row in rows) / len(rows)


def detect_encoding(raw: bytes) -> str:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif raw.startswith(b"\xef\xbb\xbf"):
        encoding = "utf-8-sig"
    else:
        encoding = "utf-8"
    # Then try the encoding that Excel uses in Western Europe; latin-1 decodes any bytes.
    for one in (encoding, "cp1252"):
        try:
            raw.decode(one)
        except UnicodeError:
            continue
        return one
    return "latin-1"


def format_csv_rows(rows: Iterable[Iterable[str]], delimiter: str = ",") -> str:
    """Return the lines of a table, with all text quoted and no formulas."""
    return "".join(delimiter.join(map(format_csv_cell, row)) + "\r\n" for row in rows)


def format_csv_cell(text: str) -> str:
    if UNQUOTED.fullmatch(text):
        return text
    text = PHP_ESCAPE.sub(r"\\ ", escape_formulas(text)).replace('"', '""')
    return f'"{text}"'


def format_csv_value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}" if abs(value) < 10**5 else repr(value)
    return "" if value is None else str(value)


def write_csv_table(path: Path, sheet: CsvTable) -> None:
    """Write a table atomically. Raises CourseError if the file can't be written."""
    text = format_csv_rows(sheet.rows, sheet.delimiter)
    write_bytes(path, text.encode(sheet.encoding, errors="replace"))


def append_csv_records(path: Path, headings: list[str], records: Iterable[Mapping[str, object]]) -> None:
    """Append records to a table, which is created with these headings if necessary. Raises OSError."""
    sheet = build_csv_table(headings, records)
    rows = sheet.rows[1:] if path.exists() else sheet.rows
    with path.open("a", newline="", encoding="utf-8") as file:
        file.write(format_csv_rows(rows))


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file atomically. Raises CourseError if the file can't be written."""
    try:
        with write_atomically(path) as new:
            new.write_bytes(content)
    except OSError as error:
        raise CourseError(f"{path} can't be written: {error.strerror}") from None


def build_csv_table(headings: list[str], records: Iterable[Mapping[str, object]]) -> CsvTable:
    """Return a table of records, in the given order of headings."""
    rows = [[format_csv_value(record.get(heading)) for heading in headings] for record in records]
    return CsvTable([headings, *rows], encoding="utf-8-sig")
