"""Moodle's grading worksheets in the languages of teachers are read, and filled with grades.

The headings and words are those of Moodle's language packs.
"""

import csv
import io
import shutil
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from downloads import Upload, moodle
from helpers import LESSON, gradebox, hand_in, sample_released, sample_solved
from nbgrader.api import Grade

from gradebox.course import Course, CourseError
from gradebox.lms.export_grades import GradeExport
from gradebox.lms.moodle_dates import parse_moodle_date
from gradebox.lms.moodle_submission_owners import read_worksheet
from gradebox.lms.roster import import_roster
from gradebox.notebook_exercises import serialize_notebook

# By language: the headings, the word before a participant's number, yes, no, and 16 October 2026, 23:59.
WORKSHEETS = {
    "en": (
        "Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
        "Last modified (submission),Last modified (grade),Feedback comments",
        *("Participant ", "Yes", "No", "Friday, 16 October 2026, 11:59 PM"),
    ),
    "de": (
        "ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,Bewertung kann geändert werden,"
        "Zuletzt geändert (Abgabe),Zuletzt geändert (Bewertung),Feedback als Kommentar",
        *("Teilnehmer/in", "Ja", "Nein", "Freitag, 16. Oktober 2026, 23:59"),
    ),
    "fr": (
        "Identifiant,Nom complet,Adresse de courriel,Statut,Note,Note maximale,La note peut être modifiée,"
        "Dernière modification (travail remis),Dernière modification (note),Feedback par commentaires",
        *("Participant", "Oui", "Non", "vendredi 16 octobre 2026, 23:59"),
    ),
    "es": (
        "Identificador,Nombre completo,Dirección de correo,Estado,Calificación,Calificación máxima,"
        "La calificación puede ser cambiada,Última modificación (entrega),Última modificación (calificación),"
        "Comentarios de retroalimentación",
        *("Participante", "Sí", "No", "viernes, 16 de octubre de 2026, 23:59"),
    ),
    "it": (
        "Identificativo,Nome,Indirizzo email,Stato,Valutazione,Valutazione massima,"
        "La valutazione può essere cambiata,Ultima modifica (consegna),"
        "Ultima modifica (valutazione),Commenti",
        *("Partecipante", "Sì", "No", "venerdì, 16 ottobre 2026, 23:59"),
    ),
    "nl": (
        "Identificatie,Volledige naam,E-mailadres,Status,Cijfer,Maximaal cijfer,"
        "Het cijfer kan gewijzigd worden,Laatst gewijzigd (inzending),Laatst gewijzigd (beoordeling),"
        "Feedback tekstvak",
        *("Deelnemer", "Ja", "Nee", "vrijdag, 16 oktober 2026, 23:59"),
    ),
    "pt": (
        "Identificador,Nome completo,E-mail,Estado,Avaliação,Nota máxima,A nota pode ser alterada.,"
        "Última atualização (submissão),Última atualização (avaliação),Comentários de feedback",
        *("Participante", "Sim", "Não", "sexta-feira, 16 de outubro de 2026 às 23:59"),
    ),
    "pt_br": (
        "Identificador,Nome completo,Endereço de email,Status,Nota,Nota máxima,Nota pode ser alterada,"
        "Última modificação (envio),Última modificação (nota),Comentários de feedback",
        *("Participante", "Sim", "Não", "sexta-feira, 16 out. 2026, 23:59"),
    ),
    # Older packs, which have the heading of a student's id.
    "old pt": (
        "Número de identificação,Nome completo,Endereço de e-mail,Estado,Nota,Nota máxima,"
        "A nota pode ser alterada.,Última atualização (submissão),Última atualização (avaliação),Comentários",
        *("Participante", "Sim", "Não", "sexta-feira, 16 outubro 2026, 23:59"),
    ),
    # A language that is not known. The columns are recognised by their content, but not the date.
    "pl": (
        "Identyfikator,Pełna nazwa,Adres e-mail,Status,Ocena,Ocena maksymalna,Ocena może być zmieniona,"
        "Ostatnia modyfikacja (zadanie),Ostatnia modyfikacja (ocena),Komentarz zwrotny",
        *("Uczestnik", "Tak", "Nie", "piątek, 16 października 2026, 23:59"),
    ),
}
KNOWN = [language for language in WORKSHEETS if language != "pl"]


def write_worksheet(path: Path, language: str) -> list[str]:
    """Write a worksheet with Ann (late), Bo (locked) and Cy (no submission). Return its headings."""
    headings, word, yes, no, date = WORKSHEETS[language]
    rows = [
        headings.split(","),
        [f"{word}71", "Ann Lee", "ann@x", "?", "", "11,00", yes, date, "-", "Gut"],
        [f"{word}72", "Bo Ng", "bo@x", "?", "", "11,00", no, date, date, ""],
        [f"{word}73", "Cy Fox", "cy@x", "?", "", "11,00", yes, "-", "-", ""],
    ]
    if language == "en":
        rows = [[cell.replace("11,00", "11.00") for cell in row] for row in rows]
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(rows)
    return rows[0]


@pytest.mark.parametrize("language", WORKSHEETS)
def test_times_and_owners_are_read(course, tmp_path, language):
    write_worksheet(tmp_path / "w.csv", language)
    rows = read_worksheet(tmp_path / "w.csv", "Europe/Berlin")
    assert {number: (row.id, row.email) for number, row in rows.items()} == {
        "71": ("", "ann@x"),
        "72": ("", "bo@x"),
        "73": ("", "cy@x"),
    }
    when = None if language == "pl" else datetime(2026, 10, 16, 21, 59)
    assert [row.received for row in rows.values()] == [when, when, None]
    assert [bool(row.said) for row in rows.values()] == [True, True, False]


@pytest.mark.parametrize("language", KNOWN)
def test_a_worksheet_is_a_class_list(course, tmp_path, language):
    write_worksheet(tmp_path / "w.csv", language)
    assert [row.student for row in import_roster(course, tmp_path / "w.csv")] == ["ann", "bo", "cy"]
    with course.gradebook() as gradebook:
        names = {one.id: f"{one.first_name} {one.last_name}" for one in gradebook.students}
    assert names == {"ann": "Ann Lee", "bo": "Bo Ng", "cy": "Cy Fox"}
    # The numbers are Moodle's, so that names may be hidden.
    right = serialize_notebook(sample_solved())
    uploads = [Upload("Participant", number, "x.ipynb", right) for number in (71, 72)]
    path = moodle(tmp_path / "a.zip", uploads)
    run = gradebox(course, "collect", str(path))
    assert run.returncode == 0 and "2 taken" in run.stdout, run.stdout + run.stderr
    assert course.path("submitted", LESSON, "bo").is_dir()


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Course:
    """A course in which Ann's lesson is graded. Bo has the same grade."""
    course = Course(shutil.copytree(sample_released(), tmp_path_factory.mktemp("graded") / "course"))
    (course.root / "class.csv").write_text(
        "id,name,email\nann,Ann Lee,ann@x\nbo,Bo Ng,bo@x\ncy,Cy Fox,cy@x\n"
    )
    import_roster(course, course.root / "class.csv")
    for student in ("ann", "bo"):
        hand_in(course, LESSON, student, sample_solved(weights="divided by d"))
    assert gradebox(course, "autograde").returncode == 0
    with course.gradebook() as gradebook:
        for grade in gradebook.db.query(Grade):
            if grade.needs_manual_grade:
                grade.manual_score, grade.needs_manual_grade = 0.5, False
    return course


@pytest.mark.parametrize("language", KNOWN)
def test_grades_are_filled_in_under_the_headings_of_the_language(graded, tmp_path, language):
    headings = write_worksheet(tmp_path / "w.csv", language)
    export = GradeExport(graded, [LESSON])
    export.write("moodle", tmp_path / "w.csv")
    text = (graded.root / "exports" / "moodle" / f"{LESSON}.csv").read_text(encoding="utf-8-sig")
    first, *rows = csv.reader(io.StringIO(text, newline=""))
    with graded.gradebook() as gradebook:
        points = f"{gradebook.find_submission(LESSON, 'ann').score:g}"
    assert "." in points
    grade = points if language == "en" else points.replace(".", ",")
    assert first == headings and [row[4] for row in rows] == [grade, grade, ""] and rows[0][-1] == "Gut"
    assert any("Moodle will reject grades of bo" in remark for remark in export.remarks)
    assert export.numbers == {"ann": "71", "bo": "72", "cy": "73"}


def test_a_column_of_an_unknown_language_is_asked_for_in_one_sentence(graded, tmp_path):
    write_worksheet(tmp_path / "w.csv", "pl")
    command = ["export", "--to", "moodle", "--into", str(tmp_path / "w.csv")]
    run = gradebox(graded, *command)
    assert run.returncode == 2 and len(run.stderr.splitlines()) == 1
    assert f'--column "number=Identifier" --column "{LESSON}=Grade" (columns: Identyfikator' in run.stderr
    run = gradebox(graded, *command, "--column", f"{LESSON}=Ocena")
    text = (graded.root / "exports" / "moodle" / f"{LESSON}.csv").read_text()
    assert run.returncode == 0 and '"Uczestnik71","Ann Lee","ann@x","?",' in text
    with pytest.raises(CourseError, match="has no column 'Punkty'"):
        GradeExport(graded, [LESSON], {LESSON: "Punkty"}).write("moodle", tmp_path / "w.csv")


def test_columns_that_nothing_identifies_can_be_named(course, tmp_path):
    """Two columns of words with numbers, and a single column of dates."""
    path = tmp_path / "w.csv"
    path.write_text('Nr,Konto,Oddano\nUczestnik71,s2400101,"piątek, 16 października 2026, 23:59"\n')
    with pytest.raises(CourseError, match='--column "submitted=Last modified'):
        read_worksheet(path, "UTC")
    with pytest.raises(CourseError, match="takes number and submitted, not when"):
        read_worksheet(path, "UTC", {"when": "Oddano"})
    assert set(read_worksheet(path, "UTC", {"number": "Nr", "submitted": "Oddano"})) == {"71"}
    archive = moodle(
        tmp_path / "a.zip", [Upload("Ann Lee", 71, "x.ipynb", serialize_notebook(sample_solved()))]
    )
    run = gradebox(
        course,
        *("collect", str(archive), "--worksheet", str(path)),
        *("--column", "number=Nr", "--column", "submitted=Oddano"),
    )
    assert "can't be" in run.stdout and "1 taken" in run.stdout, run.stdout + run.stderr


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("Tuesday, March 3, 2026, 2:05 PM", datetime(2026, 3, 3, 13, 5)),
        ("Tuesday, 3 March 2026, 12:05\u202fAM", datetime(2026, 3, 2, 23, 5)),
        ("martes, 3 de marzo de 2026, 2:05 p. m.", datetime(2026, 3, 3, 13, 5)),
        ("mardi 3 févr. 2026, 14:05", datetime(2026, 2, 3, 13, 5)),
        ("Samstag, 3. Jänner 2026, 14:05", datetime(2026, 1, 3, 13, 5)),
        ("dinsdag, 3 mrt. 2026, 14:05", datetime(2026, 3, 3, 13, 5)),
        ("31 February 2026, 10:00", None),
        ("03/04/2026, 10:00", None),
        ("3 March", None),
        ("-", None),
    ],
)
def test_dates_of_moodle(text, utc):
    assert parse_moodle_date(text, ZoneInfo("Europe/Berlin")) == utc
