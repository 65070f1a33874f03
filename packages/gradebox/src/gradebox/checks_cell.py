"""Build and parse the checks cell of a released notebook, which holds the code that test cells call.

`gradebox release` writes the cell (`release/generate_checks_cell.py`), with the code compressed into one
literal. Static analysis reads the uncompressed code. During grading, only the judge runs this code; the
student's process runs the cell without its expected results.
"""

from __future__ import annotations

import re
import textwrap
import zlib
from base64 import b85decode, b85encode
from collections.abc import Iterable

# Limit in bytes for decompressed code, against decompression bombs.
MAX_CODE_LENGTH = 2**23
PACKED_CODE = re.compile(
    r'^checks_text = decompress\(b85decode\("([^"\n]+)"\)\)\.decode\(\)\n'
    r'exec\(compile\(checks_text, "checks", "exec"\)\)$',
    re.MULTILINE,
)
# Comments before and after the part of the code that the course writes by hand.
HELPERS_HEADING, DEFINITIONS_HEADING = "# Helper functions and small examples", "# What this cell defines"
# The lines of the code that define `returns`, `check` and `show_points`, and the start of the table.
CHECK_DEFINITION = "returns, check, show_points, display_results = make_checks()\ndisplay_results(globals())"
TABLE_MARKER = "MESSAGES = "
# The same names in the student's process during grading.
INERT_CHECK = '''def check(*arguments, **options):
    """Do nothing: tests run in another process."""


returns = show_points = check
checks_text = ""
'''
CELL_HEADER = """\
# Checks for the tests below: helper functions, expected results, and the results of common mistakes.
# Made by `gradebox release` from answers/{assignment}. Run this cell; there is no need to read it, \
but print(checks_text) shows it.
"""
DECOMPRESS_IMPORTS = "from base64 import b85decode\nfrom zlib import decompress\n"


def build_checks_cell(assignment: str, text: str, names: Iterable[str]) -> str:
    """Return the source of a checks cell that runs this code.

    names: names that the code defines for the notebook, in the order of its tuple `checks`.
    """
    unpacking = textwrap.fill(f"{', '.join(names)} = checks", 100, break_long_words=False)
    unpacking = unpacking.replace("\n", " \\\n    ")
    literal = b85encode(zlib.compress(text.encode(), 9)).decode()
    return (
        f"{CELL_HEADER.format(assignment=assignment)}"
        f"{DECOMPRESS_IMPORTS}\n"
        f'checks_text = decompress(b85decode("{literal}")).decode()\n'
        f'exec(compile(checks_text, "checks", "exec"))\n{unpacking}'
    )


def is_generated(source: str) -> bool:
    """Return True if `source` is a checks cell written by `gradebox release`."""
    return source.startswith(CELL_HEADER.partition("\n")[0])


def unpack_code(source: str) -> str | None:
    """Return the decompressed code of a checks cell; None if `source` is not a compressed checks cell."""
    found = PACKED_CODE.search(source)
    if not found:
        return None
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(b85decode(found[1]), MAX_CODE_LENGTH)
        return text.decode() if unpacker.eof else None
    except (ValueError, zlib.error):
        return None


def expand_checks_cell(source: str) -> str:
    """Return a cell's source, with the compressed literal of a checks cell replaced by the code."""
    code = unpack_code(source)
    return source if code is None else PACKED_CODE.sub(lambda _: code, source, count=1)


def remove_expected_results(source: str) -> str:
    """Return the code of a checks cell with a `check` that does nothing, and without the table.

    The helpers stay, because students may call them. Other cells are returned unchanged.
    """
    _, definition, rest = expand_checks_cell(source).partition(f"\n{CHECK_DEFINITION}\n")
    helpers, marker, _ = rest.partition(f"\n{TABLE_MARKER}")
    return INERT_CHECK + helpers if is_generated(source) and definition and marker else source


def extract_helpers(source: str) -> str:
    """Return the handwritten part of a checks cell's code."""
    return (
        expand_checks_cell(source)
        .partition(f"\n{HELPERS_HEADING}")[2]
        .partition(f"\n{DEFINITIONS_HEADING}")[0]
        .partition("\n")[2]
    )
