"""What the documentation shows is what the commands do."""

import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from documentation import COMMANDS, broken_links, check_commands
from helpers import ACTIVATED, PROJECT, gradebox, quickstart

PAGES = sorted(
    [*PROJECT.glob("*.md"), *(PROJECT / "docs").glob("*.md"), *(PROJECT / "benchmarks").glob("*.md")]
)


def examples(page: Path) -> list[tuple[str, list[str]]]:
    """The commands of a page's consoles, and the lines that stand below each."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def run(command: str, place: Path, interrupt: bool) -> str:
    """What a command prints in a folder. interrupt: whether Ctrl-C stops it once it has said something."""
    program, _, otherwise = command.partition(" || ")
    if program.startswith("gradebox ") and not interrupt:
        done = gradebox(place, *shlex.split(program)[1:])
        assert done.returncode == 0 or otherwise == "true", f"{command}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr
    env = ACTIVATED | {"PYTHONUNBUFFERED": "1"}
    how = {"cwd": place, "env": env, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    # Where tests run in the background, Ctrl-C is passed over unless somebody says otherwise.
    heard = "import os, signal, sys; signal.signal(2, signal.SIG_DFL); os.execvp('bash', sys.argv[1:])"
    shell = ["bash", "-c", f"exec {command}" if interrupt else command]
    begun = subprocess.Popen([sys.executable, "-c", heard, *shell], **how)
    first = begun.stdout.readline() if interrupt else ""
    if interrupt:
        begun.send_signal(signal.SIGINT)
    printed = first + begun.communicate()[0]
    assert begun.returncode == 0, f"{command}\n{printed}"
    return printed


def follows(shown: list[str], printed: str) -> bool:
    """Whether a text has these lines in their order, where … stands for anything."""
    parts = "\n".join(line for line in shown if line != "^C").split("…")
    pattern = ".*?".join(re.escape(" ".join(part.split())) for part in parts)
    return bool(re.search(pattern.replace(r"\ ", r"\s*"), " ".join(printed.split()), re.DOTALL))


@pytest.mark.long
def test_the_page_of_commands_does_what_it_shows(tmp_path):
    place = tmp_path
    for command, shown in examples(PROJECT / "docs" / "commands.md"):
        if command.startswith("nbgrader quickstart "):
            quickstart(place, command.split()[-1])
            assert shown == ["…"]
            continue
        if command.startswith("cd "):
            place = place / command[3:]
            continue
        printed = run(command, place, interrupt="^C" in shown)
        assert follows(shown, printed), f"{command}\n{printed}"


def test_the_page_of_commands_has_all_of_them():
    shown = {
        command.split()[1]
        for command, _ in examples(PROJECT / "docs" / "commands.md")
        if command.startswith("gradebox ")
    }
    assert shown == set(COMMANDS.commands)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_that_is_named_is_one(page):
    check_commands(page)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings_of_this_project(page):
    assert broken_links(page, PROJECT) == []


# Paths that are written from the project's folder.
PATH = re.compile(r"(?<![\w./-])(?:docs|tests|benchmarks|src)/[\w./-]*\w")


def test_files_that_pages_and_code_name_exist():
    texts = [*PAGES, *(PROJECT / "src").rglob("*.py"), *(PROJECT / "tests").rglob("*.py")]
    named = {(text.name, path) for text in texts for path in PATH.findall(text.read_text(encoding="utf-8"))}
    missing = {(text, path) for text, path in named if not (PROJECT / path).exists()}
    assert missing == set()
