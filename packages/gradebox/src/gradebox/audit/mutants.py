"""Generate mutants of a solution, each changed in one place by a cosmic-ray operator or an array operator."""

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

# Operators that need variable names as parameters, and so are not used.
PARAMETRIC_OPERATORS = ("VariableReplacer", "VariableInserter")


@dataclass(frozen=True)
class Mutant:
    """A changed solution.

    operator: the name of the mutation operator. was, becomes: the lines that differ, as ast.unparse writes
    them, so that they are independent of layout, comments and line numbers. nth: index among the mutants in
    which the same line changes in the same way. source: the whole changed solution.
    """

    operator: str
    was: str
    becomes: str
    nth: int
    source: str


class SignedZeroNormalizer(ast.NodeTransformer):
    """Transformer that replaces -0 by 0 and +1 by 1."""

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Return the operand if the sign has no effect."""
        self.generic_visit(node)
        if isinstance(node.operand, ast.Constant) and type(node.operand.value) is int:
            if isinstance(node.op, ast.UAdd) or (isinstance(node.op, ast.USub) and not node.operand.value):
                return node.operand
        return node


def normalize_source(source: str) -> str:
    """Return the source in a canonical layout. Raises SyntaxError."""
    return ast.unparse(SignedZeroNormalizer().visit(ast.parse(source)))


def generate_mutants(source: str) -> list[Mutant]:
    """Return all mutants of a solution without duplicates, ordered by line. Raises SyntaxError."""
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
    """Yield the operator's name and the changed source for every change by cosmic-ray's operators."""
    provider, nodes = OperatorProvider(), list(ast_nodes(get_ast(source)))
    for name in provider:
        if name not in PARAMETRIC_OPERATORS:
            operator = provider[name]()
            places = sum(len(list(operator.mutation_positions(node))) for node in nodes)
            for occurrence in range(places):
                yield name, mutate_code(source, operator, occurrence)


def diff_lines(one: str, other: str) -> tuple[int, str, str]:
    """Return the index of the first differing line, the differing lines of `one`, and those of `other`."""
    before, after = one.splitlines(), other.splitlines()
    start = len(commonprefix([before, after]))
    was, becomes = before[start:], after[start:]
    same = len(commonprefix([was[::-1], becomes[::-1]]))
    was, becomes = was[: len(was) - same], becomes[: len(becomes) - same]
    return start, dedent("\n".join(was)), dedent("\n".join(becomes))
