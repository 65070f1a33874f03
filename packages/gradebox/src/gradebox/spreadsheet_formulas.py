"""Text that a spreadsheet would run as a formula: detection, escape with an apostrophe, and the inverse.

For `csv_table.py`, which escapes every cell that it writes, and for ids of students.
"""

import re
import unicodedata

# Some programs split a text at these characters, even a quoted one: a spreadsheet that expects another
# separator, and any program that reads line by line. Each part may then become a cell.
CELL_SEPARATORS = re.compile(r"([,;\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029])")
# Dashes, as in an empty cell, and negative numbers.
HARMLESS = re.compile(r"-+|-\d[\d.]*(?:[eE]-?\d+)?%?")


def begins_formula(text: str) -> bool:
    """Return True if the first visible character, other than a quotation mark, is =, +, - or @.

    Spreadsheets read some full-width and small forms of these characters alike, so all forms are compared.
    """
    for sign in text:
        if sign != '"' and unicodedata.category(sign)[0] not in "CMZ":
            return unicodedata.normalize("NFKC", sign)[0] in "=+-@"
    return False


def is_formula(part: str) -> bool:
    return begins_formula(part) and not HARMLESS.fullmatch(part.strip())


def escape_formulas(text: str) -> str:
    """Return the text of a cell, with an apostrophe before each part that may be run as a formula."""
    return "".join(f"'{part}" if is_formula(part) else part for part in CELL_SEPARATORS.split(text))


def unescape_formulas(text: str) -> str:
    """Return the text of a cell without the apostrophes of `escape_formulas`."""
    parts = CELL_SEPARATORS.split(text)
    return "".join(part[1:] if part[:1] == "'" and is_formula(part[1:]) else part for part in parts)
