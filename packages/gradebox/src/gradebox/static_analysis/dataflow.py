"""Def-use analysis: the names that code uses and assigns outside functions, in order of execution."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any


def iter_statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements inside a node at any depth, and other nodes that hold statements.

    A walk over all nodes takes ten times as long, since most nodes are expressions.
    """
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        inner = getattr(node, field, ())
        # The body of a lambda and of a conditional expression is an expression.
        for one in inner if isinstance(inner, list) else ():
            yield one
            yield from iter_statements(one)


class DefUseVisitor(ast.NodeVisitor):
    """Visitor that collects the names that statements use and assign.

    takes: names that are used before they are assigned here, including built-in names. leaves: names that are
    assigned or deleted; "module.*" for all names of a module. given: names that have a value at this point.
    All branches count as executed.
    """

    def __init__(self) -> None:
        self.takes: set[str] = set()
        self.leaves: set[str] = set()
        self.given: set[str] = set()

    def visit_nodes(self, *nodes: ast.AST | None) -> None:
        """Visit the nodes in this order, skipping None."""
        for node in nodes:
            if node is not None:
                self.visit(node)

    def visit_in_scope(self, *nodes: ast.AST | None) -> None:
        """Visit nodes in a separate scope; afterwards, discard the names assigned in that scope."""
        given, leaves = set(self.given), set(self.leaves)
        self.visit_nodes(*nodes)
        self.given, self.leaves = given, leaves

    def take(self, name: str) -> None:
        """Record the use of a name, unless the name has a value at this point."""
        if name not in self.given:
            self.takes.add(name)

    def give(self, name: str) -> None:
        """Record the assignment of a name."""
        self.leaves.add(name)
        self.given.add(name)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.take(node.id)
        elif isinstance(node.ctx, ast.Store):
            self.give(node.id)
        else:
            self.take(node.id)
            self.leaves.add(node.id)
            self.given.discard(node.id)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit_nodes(node.value, *node.targets)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit_nodes(node.annotation, node.value)
        if node.value is not None or not isinstance(node.target, ast.Name):
            self.visit(node.target)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Name):
            self.take(node.target.id)
        self.visit_nodes(node.value, node.target)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit_nodes(node.value, node.target)

    def visit_For(self, node: ast.For | ast.AsyncFor) -> None:
        self.visit_nodes(node.iter, node.target, *node.body, *node.orelse)

    visit_AsyncFor = visit_For

    def visit_MatchAs(self, node: Any) -> None:
        self.generic_visit(node)
        name = node.rest if hasattr(node, "rest") else node.name
        if name:
            self.give(name)

    visit_MatchStar = visit_MatchMapping = visit_MatchAs

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self.visit_nodes(node.type)
        if node.name:
            self.give(node.name)
        self.visit_nodes(*node.body)

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        """Visit a comprehension in a separate scope; names assigned by `:=` stay in the outer scope."""
        first, *others = node.generators
        parts = [part for one in others for part in (one.iter, one.target, *one.ifs)]
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        self.visit_in_scope(first.iter, first.target, *first.ifs, *parts, *made)
        self.leaves |= {part.target.id for part in ast.walk(node) if isinstance(part, ast.NamedExpr)}

    visit_SetComp = visit_GeneratorExp = visit_DictComp = visit_ListComp

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Visit the parts of a function that run at its definition, and record its `global` names.

        The body runs when the function is called, so names used in the body are not recorded.
        """
        annotations = [one.annotation for one in ast.walk(node.args) if isinstance(one, ast.arg)]
        self.visit_nodes(*node.decorator_list, *node.args.defaults, *node.args.kw_defaults)
        self.visit_nodes(*annotations, node.returns)
        self.give(node.name)
        self.record_outer_assignments(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.visit_nodes(*node.args.defaults, *node.args.kw_defaults)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.visit_nodes(*node.decorator_list, *node.bases, *node.keywords)
        self.visit_in_scope(*node.body)
        self.give(node.name)
        self.record_outer_assignments(node)

    def record_outer_assignments(self, node: ast.AST) -> None:
        """Record the names that a function or a class declares as `global`."""
        outer = {
            name for part in iter_statements(node) if isinstance(part, ast.Global) for name in part.names
        }
        self.leaves |= outer
        self.given |= outer

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.give((alias.asname or alias.name).split(".")[0])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            # The names of a star import are known only where the module can be imported.
            self.give(f"{node.module}.*" if alias.name == "*" else alias.asname or alias.name)
