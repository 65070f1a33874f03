"""Which modules are imported ahead of all submissions. Only the standard library is imported here."""

import re
from collections.abc import Iterable
from functools import lru_cache

from gradebox.judge import MODULES


def select_preload_modules(preload: Iterable[str], texts: Iterable[str]) -> tuple[str, ...]:
    """The modules of a course's list that lessons with these texts need, with all that takes to import.

    A module is needed where its package is named; one that is listed as "torch._dynamo if meta", where that
    word stands. All are if there is no text. And what the judge needs always is.
    """
    words = extract_words(tuple(texts))
    entries = [entry.partition(" if ") for entry in preload]
    wanted = [m for m, _, word in entries if not words or (word or m.split(".")[0]).strip() in words]
    return (*wanted, *MODULES)


@lru_cache(maxsize=8)
def extract_words(texts: tuple[str, ...]) -> frozenset[str]:
    """All words of a lesson: each of its sessions asks for some."""
    return frozenset(word for text in texts for word in re.findall(r"\w+", text))
