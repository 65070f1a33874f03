"""A course that still uses a removed setting, command or table gets one sentence, and loses nothing."""

import sqlite3
from contextlib import closing

import pytest
from helpers import gradebox, quickstart
from traitlets.config import Config

from gradebox.setting_names import find_unknown_setting
from gradebox.withdrawn_features import COMMANDS, REMOVED_ON, SETTINGS, TABLES


@pytest.mark.parametrize("name", SETTINGS)
def test_removed_settings_are_explained(name):
    section, _, setting = name.partition(".")
    sentence = find_unknown_setting(Config({section: {setting or "any": 1}}))
    assert sentence == f"`c.{name}` was removed on {REMOVED_ON}: {SETTINGS[name]}"


@pytest.mark.parametrize("name", COMMANDS)
def test_removed_commands_and_options_are_explained(tmp_path, name):
    run = gradebox(tmp_path, *name.split())
    assert run.returncode == 2
    assert run.stderr == f"gradebox: `gradebox {name}` was removed on {REMOVED_ON}: {COMMANDS[name]}\n"


def test_removed_tables_are_dropped_after_a_copy_of_the_gradebook(tmp_path):
    root = quickstart(tmp_path)
    gradebook = root / "gradebook.db"
    assert gradebox(root, "due").returncode == 0
    with closing(sqlite3.connect(gradebook)) as connection:
        for table in TABLES:
            connection.execute(f"CREATE TABLE IF NOT EXISTS {table} (student_id TEXT)")
        connection.execute(f"INSERT INTO {TABLES[0]} (student_id) VALUES ('bitdiddle')")
        connection.commit()
    run = gradebox(root, "due")
    assert run.returncode == 0, run
    (copy,) = root.glob("gradebook.db.*")
    assert str(copy) in run.stderr
    assert not set(TABLES) & list_tables(gradebook) and set(TABLES) <= list_tables(copy)
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute(f"SELECT * FROM {TABLES[0]}").fetchall() == [("bitdiddle",)]
    # The second command has nothing to drop, and copies nothing.
    assert gradebox(root, "due").stderr == ""


def list_tables(gradebook):
    with closing(sqlite3.connect(gradebook)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
