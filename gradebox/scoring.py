"""Turns what happened into points: a pass needs a record that the test cell ran to its end."""

from collections.abc import Callable
from copy import deepcopy
from functools import partial
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.api import Comment, Grade
from nbgrader.preprocessors import SaveAutoGrades as StockSaveAutoGrades
from sqlalchemy.orm import joinedload

from gradebox.answers import own_tests
from gradebox.cells import name_of
from gradebox.endings import OK, ending
from gradebox.follow_through import COMMENT, forgiven
from gradebox.reading import keep_texts, known_texts, texts


def evidence(cell: NotebookNode) -> NotebookNode:
    """The cell as nbgrader's rule should see it.

    Text on stderr is no failure: NumPy's warnings go there. Where nothing shows that the cell ran to its
    end, it failed. And a test that passed on its second chance has passed.
    """
    cell = deepcopy(cell)
    if cell.cell_type == "code" and not utils.is_solution(cell):
        cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
        if forgiven(cell):
            cell.outputs = []
        elif ending(cell) != OK:
            cell.outputs = [new_output("error", ename="GradingError", evalue="", traceback=[])]
    return cell


def known_or_asked(known: dict[str, Any], ask: Callable[..., Any], name: str, *where: str) -> Any:
    return known[name] if name in known else ask(name, *where)


class SaveAutoGrades(StockSaveAutoGrades):
    """nbgrader's SaveAutoGrades, with that rule, and a comment where a second chance was used."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        helped = {name_of(cell) for cell in nb.cells if forgiven(cell)}
        self.texts = texts(nb)
        self.helped = {exercise for exercise, tests in own_tests(nb).items() if helped & set(tests)}
        return super().preprocess(nb, resources)

    def preprocess_cell(
        self, cell: NotebookNode, resources: dict, cell_index: int
    ) -> tuple[NotebookNode, dict]:
        if "find_grade" not in vars(self.gradebook):
            self.look_up_at_once()
        if not (utils.is_grade(cell) or utils.is_task(cell)):
            return super().preprocess_cell(cell, resources, cell_index)
        name = name_of(cell)
        grade = self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id)
        read = not grade.needs_manual_grade and self.texts[name] == self.earlier.get(name)
        scored, was = grade.manual_score is not None, grade.auto_score
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        if scored:
            # Points that a person gave are for what that person saw.
            grade.needs_manual_grade = not (read and grade.auto_score == was)
            self.gradebook.db.commit()
        return cell, resources

    def look_up_at_once(self) -> None:
        """nbgrader finds each grade and each comment by a query of seven joins: half the time of saving.

        earlier: what the grades were for until now.
        """
        gradebook, where = self.gradebook, (self.notebook_id, self.assignment_id, self.student_id)
        notebook = gradebook.find_submission_notebook(*where)
        for kind, find in ((Grade, "find_grade"), (Comment, "find_comment")):
            entries = gradebook.db.query(kind).options(joinedload(kind.cell)).filter_by(notebook=notebook)
            known = {entry.cell.name: entry for entry in entries}
            setattr(gradebook, find, partial(known_or_asked, known, getattr(gradebook, find)))
            if kind is Grade:
                self.earlier = known_texts(gradebook, known.values())
                keep_texts(gradebook, known.values(), self.texts)

    def _add_score(self, cell: NotebookNode, resources: dict) -> None:
        super()._add_score(evidence(cell), resources)

    def _add_comment(self, cell: NotebookNode, resources: dict) -> None:
        super()._add_comment(cell, resources)
        if name_of(cell) in self.helped:
            comment = self.gradebook.find_comment(
                name_of(cell), self.notebook_id, self.assignment_id, self.student_id
            )
            comment.auto_comment = COMMENT
            self.gradebook.db.commit()
