"""Search of texts for lines that students must not see: solutions, hidden tests and mark schemes."""

import re
from collections.abc import Iterable

# Within a text, fewer letters and digits of a line may occur by accident.
MIN_LENGTH_WITHIN_TEXT = 12


class SecretLines:
    """Lines that students must not see, and that open texts do not contain.

    Lines are compared by their letters and digits, because HTML and Markdown change the other characters. A
    short line is found as a line of a text, a longer one anywhere in the text.
    """

    def __init__(self, secret: Iterable[str], open_texts: Iterable[str]):
        known = squeeze("\n".join(open_texts))
        squeezed = {squeeze(line): line for line in sorted(secret)}
        # Numbers alone are in many tables.
        self.lines = {
            letters: line
            for letters, line in squeezed.items()
            if letters not in known and not letters.isdecimal()
        }

    def find(self, text: str) -> str | None:
        """Return a secret line that the text contains, or None."""
        lines, whole = {squeeze(line) for line in text.splitlines()}, squeeze(text)
        for letters, line in self.lines.items():
            if letters in lines or len(letters) >= MIN_LENGTH_WITHIN_TEXT and letters in whole:
                return line
        return None


def squeeze(text: str) -> str:
    """Return the letters and digits of a text."""
    return re.sub(r"[\W_]+", "", text)
