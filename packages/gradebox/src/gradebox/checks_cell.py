"""The checks cell of a released notebook: the code that its test cells call, compressed into one literal.

`gradebox release` writes the cell (`release/generate_checks.py`). Static analysis reads the code that it
runs.
"""

import re
import textwrap
import zlib
from base64 import b85decode, b85encode
from collections.abc import Iterable

# Code that is longer is not unpacked: nobody but an attacker has any.
MAX_CODE_LENGTH = 2**23
PACKED_CODE = re.compile(
    r'^checks_text = decompress\(b85decode\("([^"\n]+)"\)\)\.decode\(\)\n'
    r'exec\(compile\(checks_text, "checks", "exec"\)\)$',
    re.MULTILINE,
)
# What is around the part of the code that a course writes by hand.
HELPERS_HEADING, DEFINITIONS_HEADING = "# Helper functions and small examples", "# What this cell defines"
CELL_HEADER = """\
# Checks for the tests below: helper functions, expected results, and the results of common mistakes.
# Made by `gradebox release` from answers/{assignment}. Run this cell; there is no need to read it{how}.
"""
DECOMPRESS_IMPORTS = "from base64 import b85decode\nfrom zlib import decompress\n"


def build_checks_cell(assignment: str, text: str, names: Iterable[str], plain: bool = False) -> str:
    """Return the source of a checks cell that runs this code.

    names: what the code defines for the notebook, in the order of its tuple `checks`. plain: whether the cell
    holds the code as it is.
    """
    unpacking = textwrap.fill(f"{', '.join(names)} = checks", 100, break_long_words=False)
    unpacking = unpacking.replace("\n", " \\\n    ")
    if plain:
        return f"{CELL_HEADER.format(assignment=assignment, how='')}{text}\n{unpacking}"
    literal = b85encode(zlib.compress(text.encode(), 9)).decode()
    return (
        f"{CELL_HEADER.format(assignment=assignment, how=', but print(checks_text) shows it')}"
        f"{DECOMPRESS_IMPORTS}\n"
        f'checks_text = decompress(b85decode("{literal}")).decode()\n'
        f'exec(compile(checks_text, "checks", "exec"))\n{unpacking}'
    )


def is_generated(source: str) -> bool:
    """Return True if this is a checks cell that `gradebox release` has written."""
    return source.startswith(CELL_HEADER.partition("\n")[0])


def unpack_code(source: str) -> str | None:
    """Return the code that a checks cell runs; None if this is not one that holds it compressed."""
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
    """Return a cell's source with the code of a checks cell in the place of its literal."""
    code = unpack_code(source)
    return source if code is None else PACKED_CODE.sub(lambda _: code, source, count=1)


def extract_helpers(source: str) -> str:
    """Return the part of a checks cell's code that the course has written by hand."""
    return (
        expand_checks_cell(source)
        .partition(f"\n{HELPERS_HEADING}")[2]
        .partition(f"\n{DEFINITIONS_HEADING}")[0]
        .partition("\n")[2]
    )
