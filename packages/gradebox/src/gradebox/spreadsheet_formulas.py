"""Text that a spreadsheet would run as a formula: detection, escape with an apostrophe, and the inverse.

For `csv_table.py`, which escapes every cell that it writes, and for ids of students.
"""

import re
import unicodedata

# Some programs split a text at these characters, even a quoted one: a spreadsheet that expects another
# separator, and any program that reads line by line. Each part may then become a cell.
CELL_SEPARATORS = re.compile(r"([,;\t\r\n\v\f\x1c-\x1e\x85\u2028\u2029])")
# Dashes, as in an empty cell, and negative numbers.
HARMLESS = re.compile(r"-*|-?\d[\d.]*(?:[eE]-?\d+)?%?")


def begins_formula(text: str) -> bool:
    """Return True if the first visible character, other than a quotation mark, is =, +, - or @.

    Spreadsheets read some full-width and small forms of these characters alike, so all forms are compared.
    """
    for sign in text:
        if sign != '"' and unicodedata.category(sign)[0] not in "CMZ":
            return unicodedata.normalize("NFKC", sign)[0] in "=+-@"
    return False


def is_harmless(part: str) -> bool:
    return HARMLESS.fullmatch(part.strip()) is not None


def escape_formulas(text: str) -> str:
    """Return the text of a cell, with an apostrophe before each part that may be run as a formula."""
    parts = CELL_SEPARATORS.split(text)
    # A formula continues after a separator, until the text is split there. So all later parts count.
    harmless = True
    for n in reversed(range(0, len(parts), 2)):
        harmless = harmless and is_harmless(parts[n])
        if begins_formula(parts[n]) and not harmless:
            parts[n] = f"'{parts[n]}"
    return "".join(parts)


def unescape_formulas(text: str) -> str:
    """Return the text of a cell without the apostrophes of `escape_formulas`."""
    parts = CELL_SEPARATORS.split(text)
    harmless = True
    for n in reversed(range(0, len(parts), 2)):
        bare = parts[n].removeprefix("'")
        if begins_formula(bare) and not (harmless and is_harmless(bare)):
            parts[n] = bare
        harmless = harmless and is_harmless(parts[n])
    return "".join(parts)
