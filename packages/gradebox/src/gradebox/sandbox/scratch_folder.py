"""The scratch folder of one kernel."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

WORK_FOLDER = "work"


@contextmanager
def create_scratch_folder(files: Mapping[str, bytes]) -> Iterator[Path]:
    """A new folder with these files (by relative path) in its folder `work`; removed at the end.

    A path that would leave the folder is left out.
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
    """Remove a folder, whatever student code has left in it.

    Folders that can't be opened, or that are nested too deep for Python, are for the system's own tools.
    """
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        for command in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            subprocess.run([*command, "--", folder], stderr=subprocess.DEVNULL, check=False)


def read_supplementary_files(folder: Path) -> dict[str, bytes]:
    """The files in an instructor's folder that are no notebooks, by relative path: an assignment's data.

    Notebooks stay out: they hold the solutions and the hidden tests. So do links, which may point anywhere.
    (What a student handed in is for `gradebox/submission_files.py`.)
    """
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and not path.is_symlink()
        and path.suffix != ".ipynb"
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }
