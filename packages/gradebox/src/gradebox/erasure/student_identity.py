"""Names that a course's files may use for a student, and matching of text against these names."""

import re
import unicodedata
from collections.abc import Collection, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from gradebox.course import Course
from gradebox.erasure.gradebook_rows import read_platform_numbers
from gradebox.printable_text import format_full_name
from gradebox.spreadsheet_formulas import unescape_formulas

# A number in a table with fewer digits may be points instead of an id.
MIN_ID_DIGITS = 5
# Apostrophes and dashes that programs type in place of the plain ones.
PLAIN_SIGNS = str.maketrans({**dict.fromkeys("‘’ʼ´", "'"), **dict.fromkeys("‐‑‒–—―−", "-")})

# Names, and a pattern that finds them, for exact and for folded text.
NamePatterns = list[tuple[Set[str], re.Pattern]]


class NameForms(NamedTuple):
    """Forms of names: normalized for an exact comparison, and folded for one that ignores case."""

    exact: Set[str]
    folded: Set[str]

    def contain(self, value: object, surely: bool) -> bool:
        text = unescape_formulas(str(value)) if isinstance(value, str | int) else ""
        exact, folded = normalize_spelling(text), fold_text(text)
        return (exact in self.exact or folded in self.folded) and (surely or not may_be_points(exact))


@dataclass(frozen=True)
class StudentIdentity:
    """A student of a course, with all known names.

    student: the id, which is the name of the folder. called: the id and all other names of this student: the
    e-mail address, the full name in both orders and in the form of file names, and the numbers in an LMS.
    others: names of the other students. parts: first and last names of this student.

    Names are compared without regard to case, blanks and Unicode form. If another student has the same name
    in other letters (`ann` and `Ann`), case decides. A name that two students share identifies neither.
    """

    student: str
    called: Set[str]
    others: Set[str] = frozenset()
    parts: Set[tuple[str, str]] = frozenset()

    @cached_property
    def own_forms(self) -> NameForms:
        return list_unique_forms(self.called, self.others)

    @cached_property
    def other_forms(self) -> NameForms:
        return list_unique_forms(self.others, self.called)

    def owns(self, value: object, surely: bool = False) -> bool:
        """Return True if an entry of a table is this student.

        surely: True for a column that contains only students; otherwise a short number may be points.
        """
        return self.own_forms.contain(value, surely)

    def is_another(self, value: object, surely: bool = False) -> bool:
        """Return True if an entry of a table is another student."""
        return self.other_forms.contain(value, surely)

    def may_be(self, value: object) -> bool:
        """Return True also for a name that this student shares with another one."""
        return fold_text(str(value)) in set(map(fold_text, self.called))

    def is_split_in(self, values: Collection[object]) -> bool:
        """Return True if one entry of a row is the first name, and another one the last name."""
        known = {fold_text(value) for value in values if isinstance(value, str)}
        return any(known.issuperset(map(fold_text, part)) for part in self.parts)

    def number_may_be_in(self, text: str) -> bool:
        """Return True if a text contains a number that may be this student's short id, or may be points."""
        numbers = [re.escape(name) for name in self.called if may_be_points(name)]
        return bool(numbers) and bool(re.search(rf"(?<![\w.,])(?:{'|'.join(numbers)})(?!\w|[.,]\d)", text))

    def is_in_bytes(self, content: bytes) -> bool:
        """Return True if a binary file contains a name in UTF-8 that is no common word or number.

        The names need not be whole words: in a database, entries follow each other without a separator.
        """
        mine = [name for name in self.called if not may_be_word(name) and not is_numeric_text(name)]
        for other in sorted(self.others, key=len, reverse=True):
            if any(name in other for name in mine):
                content = content.replace(other.encode(), b"")
        forms = {unicodedata.normalize(form, name) for name in mine for form in ("NFC", "NFD")}
        return any(name.encode(errors="replace") in content for name in forms if len(name) >= MIN_ID_DIGITS)

    @cached_property
    def own_patterns(self) -> NamePatterns:
        return compile_names(self.own_forms, self.other_forms)

    @cached_property
    def shared_patterns(self) -> NamePatterns:
        shared = {name for name in self.called if normalize_spelling(name) not in self.own_forms.exact}
        return compile_names(NameForms(set(), set(map(fold_text, shared))), self.other_forms)

    def is_named_in(self, text: str, words: bool = True) -> bool:
        """Return True if a text (such as a file name) has one of this student's names as a whole word.

        words: also search names that may be a common word, such as the id `max`.
        """
        return search_names(self.own_patterns, text, words)

    def may_be_named_in(self, text: str, words: bool = True) -> bool:
        """Return True also for a name that this student shares with another one."""
        return self.is_named_in(text, words) or search_names(self.shared_patterns, text, words)

    def is_named_in_path(self, path: str) -> bool:
        """Return True if a file's relative path contains one of this student's names.

        A short number may be a lesson's, so it matches only the whole name of a file or folder.
        """
        parts = Path(path).parts if may_be_points(self.student) else ()
        return self.is_named_in(path) or any(self.student in (part, Path(part).stem) for part in parts)


def normalize_spelling(text: str) -> str:
    """Return a text in one Unicode form, with plain blanks, without invisible characters."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(PLAIN_SIGNS))
        text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return re.sub(r" ?, ?", ", ", " ".join(text.split())).strip()


def fold_text(text: str) -> str:
    """Return a normalized text in a form that is the same in capitals."""
    return unicodedata.normalize("NFKC", normalize_spelling(text).casefold())


def list_unique_forms(names: Collection[str], others: Collection[str]) -> NameForms:
    """Return the forms of names, without those that are also forms of `others`."""
    exact, folded = ({form(name) for name in names} for form in (normalize_spelling, fold_text))
    return NameForms(exact - set(map(normalize_spelling, others)), folded - set(map(fold_text, others)))


def compile_names(own: NameForms, other: NameForms) -> NamePatterns:
    """Return patterns for these names as whole words. A longer name of another student matches first.

    `ada` must not match in `ada-maria`, and not in the name Ada Stone. A short number is rarely an id.
    """
    found: NamePatterns = []
    inexact = {name for name in own.folded if not may_be_word(name)}
    for mine, others in ((own.exact, other.exact), (inexact, other.folded)):
        mine = {name for name in mine if name and not may_be_points(name)}
        longer = {one for one in others for name in mine if name in one and name != one}
        names = sorted({*mine, *longer}, key=len, reverse=True)
        pattern = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, names))})(?![^\W_])")
        found.append((mine, pattern))
    return found


def search_names(patterns: NamePatterns, text: str, words: bool) -> bool:
    for (mine, pattern), form in zip(patterns, (normalize_spelling, fold_text), strict=True):
        if mine and any(
            found.group() in mine and (words or not may_be_word(found.group()))
            for found in pattern.finditer(form(text))
        ):
            return True
    return False


def is_numeric_text(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def may_be_points(text: str) -> bool:
    """Return True if a text may be a number of points or of a lesson instead of an id."""
    return is_numeric_text(text) and len(text) < MIN_ID_DIGITS


def may_be_word(text: str) -> bool:
    """Return True if a name consists of letters only, as an id may, and may be a common word."""
    return text.isalpha()


def load_student_identity(course: Course, student: str) -> StudentIdentity:
    """Return the identity of the student with this id, using the names in the gradebook."""
    names = {name: {name} for name in {student, *course.students}}
    parts = set()
    with course.gradebook() as gradebook:
        for known in gradebook.students:
            mine = names.setdefault(known.id, {known.id})
            mine |= build_name_variants(known.first_name, known.last_name)
            mine |= {known.email or "", known.lms_user_id or ""}
            if known.first_name and known.last_name and known.id in find_spellings(student, [known.id]):
                parts.add((known.first_name, known.last_name))
        for one, numbers in read_platform_numbers(gradebook.db.connection()).items():
            names.setdefault(one, {one}).update(numbers)
    spellings = find_spellings(student, names)
    mine = set().union(*(names.pop(one) for one in spellings))
    others = set().union(*names.values())
    return StudentIdentity(
        student, frozenset(filter(None, mine)), frozenset(filter(None, others)), frozenset(parts)
    )


def find_spellings(student: str, names: Collection[str]) -> set[str]:
    """Return the ids in `names` with the same letters, which may be composed (NFC) or decomposed (NFD)."""
    same = unicodedata.normalize("NFC", student)
    return {name for name in {student, *names} if unicodedata.normalize("NFC", name) == same}


def build_name_variants(first: str | None, last: str | None) -> set[str]:
    """Return a full name in the forms used in tables and in archives from an LMS."""
    if not first or not last:
        return {format_full_name(first, last).strip()}
    squeezed = re.sub(r"[\W_]", "", last + first).lower()
    return {f"{first} {last}", f"{last} {first}", f"{last}, {first}", squeezed}
