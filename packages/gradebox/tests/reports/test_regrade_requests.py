"""A student's requests are found where students write them, and their answers stay."""

import os

import pytest
from helpers import cell, small_lesson, write_notebook
from nbformat.v4 import new_code_cell, new_markdown_cell

from gradebox.reports.regrade_requests import (
    MAX_REQUEST_LENGTH,
    MAX_REQUESTS,
    REGRADE_FILE,
    find_regrade_requests,
    read_regrade_replies,
    save_regrade_reply,
)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "submitted" / "ada" / "hw"
    folder.mkdir(parents=True)
    return folder


def found(folder, *notebooks):
    return [(one.number, one.text) for one in find_regrade_requests(folder, notebooks, "ada", "hw")]


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("1.10: it is right", ("1.10", "it is right")),
        ("Regrade 1.2 - please", ("1.2", "please")),
        ("  2.3   see my mail", ("2.3", "see my mail")),
        ("\ufeff1.2: with a mark", ("1.2", "with a mark")),
        ("I don't agree", ("", "I don't agree")),
        ("10 points are right", ("", "10 points are right")),
    ],
)
def test_a_line_of_the_file(folder, line, request_):
    (folder / REGRADE_FILE).write_text(
        f"\n{line}\n\n" if line[0] != "\ufeff" else f"{line}\n", encoding="utf-8"
    )
    assert found(folder) == [request_]


def test_a_line_at_a_cell_is_about_the_exercise_above_it(folder):
    cells = [
        new_markdown_cell("## 1.1 One\n\nRegrade: this is the course's own heading cell"),
        *small_lesson()[:2],
        cell("question", "why", "## 1.2 Why?\nregrade: not from a cell of the course"),
        new_markdown_cell("Because.\n\nREGRADE: it says  why\n\nregrade 1.1: a loop is fine"),
        new_code_cell("# Regrade: no text"),
        new_markdown_cell("I ask you to regrade: it, or not"),
    ]
    path = write_notebook(folder / "hw.ipynb", cells)
    assert found(folder, path)[1:] == [("1.2", "it says why"), ("1.1", "a loop is fine")]


def test_what_can_not_be_read_asks_nothing(folder, tmp_path):
    (tmp_path / "secret").write_text("1.1: a secret")
    os.symlink(tmp_path / "secret", folder / REGRADE_FILE)
    assert found(folder) == []
    (folder / REGRADE_FILE).unlink()
    (folder / REGRADE_FILE).mkdir()
    assert found(folder) == []
    (folder / "hw.ipynb").write_text("{")
    assert found(folder, folder / "hw.ipynb") == []


@pytest.mark.parametrize(
    "cells",
    [
        '[{"cell_type": "markdown", "source": 5}]',
        '[{"source": "regrade: x"}]',
        '[{"cell_type": "markdown"}]',
        "[5]",
    ],
)
def test_a_cell_of_another_kind_asks_nothing_and_stops_nothing(folder, cells):
    about = '"metadata": {"word": "regrade"}, "nbformat": 4, "nbformat_minor": 5'
    (folder / "hw.ipynb").write_text(f'{{"cells": {cells}, {about}}}')
    assert found(folder, folder / "hw.ipynb") == []


def test_blanks_without_end_take_no_time(folder):
    (folder / REGRADE_FILE).write_text("1.1" + " " * 900_000)
    path = write_notebook(
        folder / "hw.ipynb", [new_markdown_cell("\n" * 300_000 + "regrade: me \0\ud800"[:-1])]
    )
    assert found(folder, path) == [("", "1.1"), ("", "me")]


def test_endless_requests_have_an_end(folder):
    (folder / REGRADE_FILE).write_text(
        "\n".join(f"1.{n}: {'x' * 3 * MAX_REQUEST_LENGTH if not n else n}" for n in range(3 * MAX_REQUESTS))
    )
    asked = found(folder)
    assert len(asked) == MAX_REQUESTS and all(len(text) <= MAX_REQUEST_LENGTH for _, text in asked)


def test_an_answer_is_to_the_same_words_and_can_be_changed(folder, small):
    (folder / REGRADE_FILE).write_text("1.1: one\n1.2: two\n")
    one, two = find_regrade_requests(folder, [], "ada", "hw")
    with small.gradebook() as gradebook:
        connection = gradebook.db.connection()
        assert read_regrade_replies(connection, "hw") == {}
        save_regrade_reply(connection, one, "No.", "Zoë")
        save_regrade_reply(connection, one, "Yes.", "Yao")
        save_regrade_reply(connection, two, "Perhaps.", "Zoë")
        save_regrade_reply(connection, two, "", "Zoë")
        (answer,) = read_regrade_replies(connection, "hw", "ada").values()
        assert (answer.text, answer.reader) == ("Yes.", "Yao")
        assert (
            read_regrade_replies(connection, "hw", "ben") == {}
            and read_regrade_replies(connection, "other") == {}
        )
    # In another place of the file, it is still answered.
    (folder / REGRADE_FILE).write_text("1.3: three\n1.1:  one\n")
    assert one in find_regrade_requests(folder, [], "ada", "hw")
