"""Recognise the columns of Moodle's grading worksheet, whose headings are in the language of the teacher.

The headings are those of Moodle's language packs: English, German, French, Spanish, Italian, Dutch, and
Portuguese of Portugal and Brazil. In other languages, the content decides where it is certain.
"""

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from gradebox.course import CourseError
from gradebox.csv_table import CsvTable

HEADINGS = {
    # German has "ID", and older Portuguese a word for a student's id: see PARTICIPANT.
    "number": ("identifier", "identifiant", "identificador", "identificativo", "identificatie"),
    "submitted": (
        *("last modified (submission)", "zuletzt geändert (abgabe)", "dernière modification (travail remis)"),
        *("última modificación (entrega)", "ultima modifica (consegna)", "laatst gewijzigd (inzending)"),
        *("última atualização (submissão)", "última modificação (envio)"),
    ),
    "grade": (*("grade", "bewertung", "note", "calificación", "valutazione", "cijfer", "avaliação", "nota"),),
    "maximum": (
        *("maximum grade", "bestwertung", "note maximale", "calificación máxima", "valutazione massima"),
        *("maximaal cijfer", "nota máxima"),
    ),
    "changeable": (
        *("grade can be changed", "bewertung kann geändert werden", "la note peut être modifiée"),
        *("la calificación puede ser cambiada", "la valutazione può essere cambiata"),
        *("het cijfer kan gewijzigd worden", "a nota pode ser alterada.", "nota pode ser alterada"),
    ),
}
# The cells of the column "grade can be changed", if it can't be.
NOT_CHANGEABLE = {"no", "nein", "non", "nee", "não"}
# The cells of the first column: this word and Moodle's number, as in "Participant 123" or "Teilnehmer/in123".
PARTICIPANT = re.compile(r"(?:participante?|teilnehmer/in|partecipante|deelnemer) ?\d+", re.IGNORECASE)
WORD_AND_NUMBER = re.compile(r"(\D*[^\W\d_]\D*)\d+")
# A date in words, in any language.
DATE = re.compile(r"\D+\d.*\b\d{4}\b.*\d:\d\d.*")


def find_participant_column(sheet: CsvTable) -> int | None:
    """Return the column with Moodle's numbers of students, in a worksheet or any other list, or None."""
    cells = sheet.filled_cells()
    found = [place for place, own in cells.items() if all(map(PARTICIPANT.fullmatch, own))]
    return found[0] if len(found) == 1 else sheet.column(["Identifier"])


def find_worksheet_columns(
    path: Path,
    sheet: CsvTable,
    needed: Collection[str],
    chosen: Mapping[str, str],
    examples: Mapping[str, str],
) -> dict[str, int | None]:
    """Return the columns of a worksheet by the keys of HEADINGS; None for a column that is not known.

    needed: the keys of required columns. chosen: headings that the user has named, by key. examples: for the
    message, the names of these columns in the option --column, with an example of a heading. Raises
    CourseError.
    """
    if sheet.is_canvas_gradebook:
        raise CourseError(
            f"{path} is Canvas's gradebook, not Moodle's worksheet: `gradebox grade` and `gradebox export` "
            "take it with --into"
        )
    found = {what: sheet.column(headings) for what, headings in HEADINGS.items()}
    by_content = find_participant_column(sheet)
    if by_content is None and found["number"] is None:
        by_content = find_numbered_words(sheet)
    found["number"] = found["number"] if by_content is None else by_content
    if found["submitted"] is None:
        found["submitted"] = find_submission_dates(sheet)
    for what, heading in chosen.items():
        found[what] = sheet.column([heading])
        if found[what] is None:
            raise CourseError(f"{path} has no column {heading!r} (columns: {', '.join(sheet.headings)})")
    if any(found[what] is None for what in needed):
        options = " ".join(f'--column "{name}={heading}"' for name, heading in examples.items())
        raise CourseError(
            f"{path} is not a Moodle grading worksheet in a known language: name its columns, as in "
            f"{options} (columns: {', '.join(sheet.headings)})"
        )
    return found


def find_numbered_words(sheet: CsvTable) -> int | None:
    """Return the only column in which each cell is the same word with a number, or None."""
    found = []
    for place, cells in sheet.filled_cells().items():
        words = {named[1] if (named := WORD_AND_NUMBER.fullmatch(cell)) else "" for cell in cells}
        if len(words) == 1 and "" not in words and len(set(cells)) == len(cells):
            found.append(place)
    return found[0] if len(found) == 1 else None


def find_submission_dates(sheet: CsvTable) -> int | None:
    """Return the last but one column of dates: the last is the date of the grade. None without two."""
    found = [
        place
        for place, cells in sheet.filled_cells().items()
        if all(cell == "-" or DATE.fullmatch(cell) for cell in cells)
    ]
    return found[-2] if len(found) > 1 else None
