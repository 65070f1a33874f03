"""Scratch folder of one kernel: creation, data files and removal."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

WORK_FOLDER = "work"


@contextmanager
def create_scratch_folder(files: Mapping[str, bytes]) -> Iterator[Path]:
    """Create a folder with these files (by relative path) in its folder `work`; remove the folder at the end.

    Paths outside of `work` are skipped.
    """
    folder = Path(tempfile.mkdtemp(prefix="gradebox-"))
    try:
        work = folder / WORK_FOLDER
        work.mkdir()
        for name, content in files.items():
            path = work / name
            if path.resolve().is_relative_to(work.resolve()):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
        yield folder
    finally:
        remove_folder(folder)


def remove_folder(folder: Path) -> None:
    """Remove a folder with any content that student code has created.

    Folders that can't be opened, or are nested too deeply for Python, are removed by the system's tools.
    """
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*command, "--", folder], stderr=subprocess.DEVNULL, check=False)


def read_supplementary_files(folder: Path) -> dict[str, bytes]:
    """Return the data files in an instructor's assignment folder, by relative path.

    Notebooks are skipped because they contain the solutions and the hidden tests. Links are skipped because
    they may point anywhere. (For submitted files, see `gradebox/safe_submission_files.py`.)
    """
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not path.is_symlink()
        and path.suffix != ".ipynb"
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }
