"""Mutants: a solution changed in one place, by cosmic-ray's operators and by those for array code."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from os.path import commonprefix
from textwrap import dedent

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.provider import OperatorProvider

from gradebox.audit.mutation_operators import generate_array_mutations

# These need to be told which variables.
PARAMETRIC_OPERATORS = ("VariableReplacer", "VariableInserter")


@dataclass(frozen=True)
class Mutant:
    """A changed solution.

    operator: what changed it. was, becomes: the lines that differ, as ast.unparse writes them, which makes
    them independent of layout, comments and line numbers. nth: counts mutants in which the same line
    changes in the same way. source: all of it.
    """

    operator: str
    was: str
    becomes: str
    nth: int
    source: str


class SignedZeroNormalizer(ast.NodeTransformer):
    """-0 is 0, and +1 is 1."""

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.operand, ast.Constant) and type(node.operand.value) is int:
            if isinstance(node.op, ast.UAdd) or (isinstance(node.op, ast.USub) and not node.operand.value):
                return node.operand
        return node


def normalize_source(source: str) -> str:
    """The source in one layout. Raises SyntaxError."""
    return ast.unparse(SignedZeroNormalizer().visit(ast.parse(source)))


def generate_mutants(source: str) -> list[Mutant]:
    """All mutants of a solution, in the order of their lines; each once. Raises SyntaxError."""
    original = normalize_source(source)
    found: dict[str, tuple[int, Mutant]] = {}
    for operator, text in (*generate_cosmic_ray_mutations(original), *generate_array_mutations(original)):
        try:
            text = normalize_source(text)
        except SyntaxError:
            continue
        if text != original and text not in found:
            line, was, becomes = diff_lines(original, text)
            found[text] = line, Mutant(operator, was, becomes, 0, text)
    same: Counter[tuple[str, str]] = Counter()
    numbered = []
    for _, mutant in sorted(found.values(), key=lambda item: item[0]):
        key = mutant.was, mutant.becomes
        numbered.append(replace(mutant, nth=same[key]))
        same[key] += 1
    return numbered


def generate_cosmic_ray_mutations(source: str) -> Iterator[tuple[str, str]]:
    provider, nodes = OperatorProvider(), list(ast_nodes(get_ast(source)))
    for name in provider:
        if name not in PARAMETRIC_OPERATORS:
            operator = provider[name]()
            places = sum(len(list(operator.mutation_positions(node))) for node in nodes)
            for occurrence in range(places):
                yield name, mutate_code(source, operator, occurrence)


def diff_lines(one: str, other: str) -> tuple[int, str, str]:
    """The first line that differs (counted from 0), the lines of one that differ, and those of the other."""
    before, after = one.splitlines(), other.splitlines()
    start = len(commonprefix([before, after]))
    was, becomes = before[start:], after[start:]
    same = len(commonprefix([was[::-1], becomes[::-1]]))
    was, becomes = was[: len(was) - same], becomes[: len(becomes) - same]
    return start, dedent("\n".join(was)), dedent("\n".join(becomes))
