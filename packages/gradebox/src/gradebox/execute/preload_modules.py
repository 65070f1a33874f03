"""Selection of the modules to preload before all submissions. Imports only the standard library."""

import re
from collections.abc import Iterable
from functools import lru_cache

from gradebox.judge import MODULES


def select_preload_modules(preload: Iterable[str], texts: Iterable[str]) -> tuple[str, ...]:
    """Return the modules of a course's preload list that lessons with these texts need.

    A module is needed if a text contains the name of its package; an entry such as "torch._dynamo if meta" if
    a text contains the word after "if". Without texts, all modules are needed. The judge's modules are always
    included.
    """
    words = extract_words(tuple(texts))
    entries = [entry.partition(" if ") for entry in preload]
    wanted = [m for m, _, word in entries if not words or (word or m.split(".")[0]).strip() in words]
    return (*wanted, *MODULES)


@lru_cache(maxsize=8)
def extract_words(texts: tuple[str, ...]) -> frozenset[str]:
    """Return all words of a lesson; cached, since each session of the lesson needs them."""
    return frozenset(word for text in texts for word in re.findall(r"\w+", text))
