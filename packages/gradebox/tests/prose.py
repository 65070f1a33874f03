"""Count habits of language that make text hard to read, in docstrings, comments, messages and pages.

`python packages/gradebox/tests/prose.py PATH...` prints a table per kind of text and then every marked line.
The habits are those of CONTRIBUTING.md. `test_prose.py` and the course's tests set limits.
"""

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# Each pattern marks a habit; the comment gives the rule.
HABITS = {
    # A docstring begins with an imperative or a noun phrase.
    "question word as a noun": (
        r"\A(What|Whether|Who|Whose|Whom|How|Where|Which|Why)\b(?!.*\?)",
        r"\b(of|from|by|with|into|than|and|is|are|has|have) what "
        r"(is|are|was|were|came|comes|it|they|goes|stands)\b",
        r"\bwhat (came|comes) (back|of)\b",
    ),
    # Name what the function itself does.
    "causative": (r"\A(Have|Has|Let|Lets)\b", r"\b(let|lets|has|have) (it|them) \w+ed\b"),
    # Every pronoun has an antecedent in the same sentence.
    "pronoun without an antecedent": (
        r"\bthat (is|are|was) none\b",
        r"\b(is|are) none of\b",
        r"\ba \w+ of it (is|has|isn't)\b",
        r"\bsuch (a )?one\b",
        r"\bone that is (none|not one)\b",
    ),
    # "not a", "again", "separate", "is": English word order and idiom.
    "German syntax": (
        r"\banew\b",
        r"\b(of|on) (its|their|his|her) own\b",
        r"\bstands?\b(?! for| out| alone)",
        r"(?<!\bthere )\b(is|are|was|were) no (?!longer|more|less|such|other|way|need|one)[a-z]+",
        r"\botherwise than\b",
        r"\bwho (has|have|reads|writes|wants|makes|takes|is) \w+ \w+s\b",
        r"\bby which\b",
        r"\bof course's\b",
        r"\bthe other way round\b",
        r"\bnobody's\b|\bsomebody's\b",
    ),
    # Use the term.
    "description in place of the term": (
        r"\b(gives?|gave|given|giving) back\b",
        r"\bthe way back\b",
        r"\bin one step\b",
        r"\bturned (round|around)\b",
        r"\bput out\b|\bputs out\b",
        r"\bhanded? over\b",
        r"\bmade of it\b",
    ),
    # Data is sent, received, reported or contained.
    "speech for data flow": (
        r"\b(hears?|heard)\b",
        r"\b(tells?|told) (the|a|it|its|them|what|whether|how)\b",
        r"\b(says?|said|saying) (what|whether|how|who|where|that it|of|so|it)\b",
        r"\bis asked\b|\bare asked\b",
        r"\bis told\b|\bis said\b|\bare said\b",
    ),
}
COMPILED = {
    habit: re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)
    for habit, patterns in HABITS.items()
}
QUESTION_STARTS = re.compile(
    HABITS["question word as a noun"][0] + "|" + HABITS["causative"][0], re.IGNORECASE
)
CODE = re.compile(r"`[^`\n]*`|\$[^$\n]+\$|https?://\S+|\"[^\"\n]*\"")
DIRECTIVES = "# noqa", "# type:", "# fmt:", "#!"
NOT_PROSE = re.compile(r"[=\\{<]|\bSELECT\b|^\s*(def|import) ")
KINDS = "docstrings", "comments", "messages", "pages"


@dataclass(frozen=True)
class Passage:
    """A piece of text. kind: one of KINDS. line: its first line in the file."""

    path: Path
    line: int
    kind: str
    text: str

    @property
    def prose(self) -> str:
        """The text without code, formulas and quotations."""
        return CODE.sub("X", self.text)

    def find_marks(self) -> Iterator[tuple[str, str]]:
        """Yield (habit, marked words) for each occurrence of a habit."""
        for habit, pattern in COMPILED.items():
            for match in pattern.finditer(self.prose):
                # A comment or a paragraph may begin with a question or an invitation.
                if match.start() or self.kind == "docstrings" or not QUESTION_STARTS.match(match[0]):
                    yield habit, match[0]


def read_python(path: Path) -> Iterator[Passage]:
    """Yield the docstrings, comments and messages of a module."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    docstrings = set()
    for node in ast.walk(tree):
        if isinstance(node, documented) and (text := ast.get_docstring(node)):
            docstrings.add(id(node.body[0].value))
            yield Passage(path, node.body[0].lineno, "docstrings", text)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith(DIRECTIVES):
            yield Passage(path, token.start[0], "comments", token.string.lstrip("# "))
    within = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        text = ""
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
            text = "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and id(node) not in docstrings | within:
            text = node.value if isinstance(node.value, str) else ""
        # A sentence, not a name, a pattern or a line of code.
        if len(re.findall(r"\b[a-z]{2,}\b", text)) >= 4 and not NOT_PROSE.search(text):
            yield Passage(path, node.lineno, "messages", text)


def read_page(path: Path) -> Iterator[Passage]:
    """Yield the paragraphs of a Markdown page, or of the text cells of a lesson in percent format."""
    lines = path.read_text(encoding="utf-8").split("\n")
    if path.suffix == ".py":
        lines = [line[2:] if line.startswith("# ") and not line.startswith("# %%") else "" for line in lines]
    fenced = False
    for number, line in enumerate(lines, 1):
        fenced ^= line.lstrip().startswith("```")
        if line.strip() and not fenced and not line.startswith(("    ", "```")):
            yield Passage(path, number, "pages", re.sub(r"\]\([^)]*\)|<[^>]*>", "]", line))


def read_passages(paths: Iterable[Path], lessons: bool = False) -> list[Passage]:
    """Return the passages of files and folders: Python modules and Markdown pages.

    lessons: treat Python files as lessons in percent format.
    """
    found: list[Passage] = []
    for path in paths:
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.suffix == ".md" or lessons and file.suffix == ".py":
                found += read_page(file)
            elif file.suffix == ".py":
                found += read_python(file)
    return found


def count_words(passages: Iterable[Passage]) -> int:
    """Count the words of the prose."""
    return sum(len(re.findall(r"[A-Za-z']+", passage.prose)) for passage in passages)


def count_habits(passages: Iterable[Passage]) -> dict[str, float]:
    """Return the marks of each habit per 1,000 words."""
    passages = list(passages)
    words = count_words(passages) or 1
    counts = Counter(habit for passage in passages for habit, _ in passage.find_marks())
    return {habit: 1000 * counts[habit] / words for habit in HABITS}


def measure_sentences(passages: Iterable[Passage]) -> float:
    """Return the mean number of words per sentence."""
    sentences = [
        len(words)
        for passage in passages
        for sentence in re.split(r"(?<=[.!?:;])\s+|\n\n|\|", passage.prose)
        if len(words := re.findall(r"[A-Za-z']+", sentence)) > 2
    ]
    return sum(sentences) / max(len(sentences), 1)


def find_question_starts(passages: Iterable[Passage]) -> list[Passage]:
    """Return the docstrings that begin with a question word or a causative."""
    return [one for one in passages if one.kind == "docstrings" and QUESTION_STARTS.match(one.text)]


def main() -> None:
    """Print the counts of the paths on the command line, and all marks."""
    passages = read_passages(map(Path, sys.argv[1:]))
    for kind in KINDS:
        own = [passage for passage in passages if passage.kind == kind]
        if own:
            print(f"{kind}: {count_words(own)} words, {measure_sentences(own):.1f} words per sentence")
            for habit, rate in count_habits(own).items():
                print(f"    {rate:6.2f}  {habit}")
    starts = len(find_question_starts(passages))
    print(f"docstrings that begin with a question word or a causative: {starts}\n")
    for passage in passages:
        for habit, words in passage.find_marks():
            print(f"{passage.path}:{passage.line}: {habit}: {words!r}")


if __name__ == "__main__":
    main()
