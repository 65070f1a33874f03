"""Pages of documentation: the commands that they name, and their links."""

import re
import shlex
from pathlib import Path

import typer

from gradebox.app import app

COMMANDS = typer.main.get_command(app)
# A placeholder for a number, and optional parts.
NUMBER, OPTIONAL = re.compile(r"\bN\b"), re.compile(r"\[[^\]]*\]|…")


def commands_in(page: Path) -> list[str]:
    """Return the `gradebox` commands that a page has in code."""
    text = page.read_text(encoding="utf-8")
    inline = re.findall(r"`(gradebox [^`\n]+)`", text)
    lines = re.findall(r"^(?: {4}|\$ |\| `)(gradebox [^\n|`]+)", text, re.MULTILINE)
    return [re.split(r"\s#\s|\s{3,}|\|\|", one)[0].strip("` ") for one in (*inline, *lines)]


def check_commands(page: Path) -> None:
    """Assert that all commands that a page names exist, with their options."""
    for command in commands_in(page):
        _, *words = shlex.split(OPTIONAL.sub("", NUMBER.sub("1", command)))
        if words and words[0].isupper():
            continue
        found = COMMANDS
        while hasattr(found, "commands") and words and not words[0].startswith("-"):
            found = found.commands[words.pop(0)]
        options = {
            option for parameter in found.params for option in (*parameter.opts, *parameter.secondary_opts)
        }
        given = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert given <= options | {"--help"}, f"{command}: {given - options}"


def broken_links(page: Path, root: Path) -> list[str]:
    """Return the relative links of a page that lead to no file below `root`, or to no heading."""
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code(page)):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        exists = target.exists() and target.is_relative_to(root)
        if not exists or (heading and heading not in headings(target)):
            broken.append(link)
    return broken


def without_code(page: Path) -> str:
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def headings(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles}
