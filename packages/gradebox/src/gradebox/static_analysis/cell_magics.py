"""Translate the magics of a cell to Python that uses and assigns the same names."""

import keyword
import re

# Cell magics that run the cell in a program, show its text, or run its text as shell commands.
SCRIPT_MAGICS = {"bash", "cmd", "perl", "pypy", "python", "python2", "python3", "ruby", "script", "sh"}
DISPLAY_MAGICS = {"HTML", "SVG", "html", "javascript", "js", "latex", "markdown", "svg"}
COMMAND_MAGICS = {"!", "sx", "system"}
FILE_MAGICS = {"file", "writefile"}
CELL_MAGIC = re.compile(r"%%(\S+)[ \t]*(.*)")
# Options of script magics with the name of a variable: --out, --err and --proc, also abbreviated.
OUTPUT_OPTION = re.compile(r"--(?:o\w*|e\w*|p\w*)(?:=|\s+)(\w+)")
# Variables that IPython inserts into a command: `$name` and `{expression}`.
EXPANSION = re.compile(r"\$(\w+)|\{([^{}]*)\}")


def transform_magics(source: str) -> str:
    """Return the cell as plain Python, with magics transformed to calls.

    A cell magic such as %%time runs the rest of the cell. The rest of others, such as %%bash, is not Python.
    """
    from IPython.core.inputtransformer2 import TransformerManager

    first, _, rest = source.lstrip().partition("\n")
    found = CELL_MAGIC.match(first)
    name, line = found.groups() if found else ("", "")
    used: list[str] = []
    assigned: list[str] = []
    if runs_no_python(name, line):
        # `%%sx` and its synonyms insert variables into the whole cell, the others into their first line.
        for one in EXPANSION.findall(source if name in COMMAND_MAGICS else line):
            used += re.findall(r"\w+", "".join(one))
        assigned = OUTPUT_OPTION.findall(line) if name in SCRIPT_MAGICS else []
    elif found:
        source = rest
        assigned = [word for word in line.split() if word[0] != "-"] if name == "capture" else []
    lines = [*filter(is_name, used), TransformerManager().transform_cell(source)]
    return "\n".join([*lines, *(f"{one} = None" for one in filter(is_name, assigned))])


def runs_no_python(name: str, line: str) -> bool:
    """Return True if a cell magic does not run the rest of its cell as Python.

    A Python file that the cell writes may be run in the notebook (`%run -i`), so it counts as Python.
    """
    writes_text = name in FILE_MAGICS and not line.rstrip().endswith(".py")
    return name in SCRIPT_MAGICS | DISPLAY_MAGICS | COMMAND_MAGICS or writes_text


def is_name(word: str) -> bool:
    """Return True if a word can be the name of a variable."""
    return word.isidentifier() and not keyword.iskeyword(word)
