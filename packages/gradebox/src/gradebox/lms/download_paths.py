"""Locate the part of each path in a download that can identify the owner of the file.

Only the platform writes the outer parts of a path. Everything below is the content of a submission, which a
student can name at will, and which must not change whose file it is, or how other files are read.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from os.path import commonprefix

from gradebox.lms.download_archive import DownloadEntry
from gradebox.submission_archives import normalize_path


@dataclass(frozen=True)
class DownloadPath:
    """Path of a file, divided where the submission begins.

    parts: the folders and the file's name. common: the indices of the folders that contain all files of the
    download. outer: the index of the first other part, which is the file's name if there is no other folder.
    Folders that are named after an assignment count as neither.
    """

    entry: DownloadEntry
    parts: tuple[str, ...]
    common: tuple[int, ...]
    outer: int

    @property
    def in_folder(self) -> bool:
        """Return True if a folder is the outer part."""
        return self.outer < len(self.parts) - 1

    @property
    def outer_indices(self) -> tuple[int, ...]:
        """Return the indices of the parts that a platform may have written, from the outside."""
        return (*self.common, self.outer)

    @property
    def common_names(self) -> tuple[str, ...]:
        return tuple(self.parts[index] for index in self.common)

    def below(self, index: int) -> str:
        """Return the path below a part; for the last part, the file's name.

        The student has written this path, possibly with the backslashes of Windows.
        """
        return normalize_path("/".join(self.parts[index + 1 :])) or self.parts[-1]


def locate_paths(entries: Sequence[DownloadEntry], assignments: Collection[str]) -> list[DownloadPath]:
    """Return the path of each file of a download. assignments: the names of the course's assignments."""
    divided = [tuple(entry.path.split("/")) for entry in entries]
    folders = [
        [index for index, part in enumerate(parts[:-1]) if part not in assignments] for parts in divided
    ]
    names = [[parts[index] for index in own] for parts, own in zip(divided, folders, strict=True)]
    common = len(commonprefix(names))
    return [
        DownloadPath(entry, parts, tuple(own[:common]), next(iter(own[common:]), len(parts) - 1))
        for entry, parts, own in zip(entries, divided, folders, strict=True)
    ]
