"""SymPy's expressions and SciPy's sparse matrices, as data.

An expression travels as the tree that it is: the name of a class of SymPy's, and its parts. SymPy would run
what stands in a text, so no class but a symbol's is ever given one here. Both libraries are imported only
where there is such a value. Whatever has no form here stays where it is.
"""

import builtins
import keyword
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from gradebox.judge.forms import Packs, Unpacks
from gradebox.judge.protocol import LONGEST_NAME, Malformed, Node

# What a symbol may be called: nothing that means something else where a formula is made into code.
PLAIN = re.compile(r"[\w\\^{} ]+'*")
SPARSE = ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")


class Unknown(Exception):
    """It has a part that has no form here."""


def pack(packer: Packs, value: Any, depth: int) -> Node:
    sparse: Any = sys.modules.get("scipy.sparse")
    found = None
    if sparse is not None and sparse.issparse(value):
        found = packed_sparse(packer, value, depth) if "scipy" in packer.libraries else None
    elif "sympy" in packer.libraries:
        found = packed_formula(packer, value, depth)
    return packer.beyond(value, packer) if found is None else found


def read(unpacker: Unpacks, node: Node, depth: int) -> Any:
    if {"sparse": "scipy"}.get(node["is"], "sympy") not in unpacker.libraries:
        raise Malformed("a part of it is of a library that the course does not use")
    parts = unpacker.parts_of(node["of"], depth)
    return made_sparse(*parts) if node["is"] == "sparse" else made_formula(*parts)


# -- sparse matrices ----------------------------------------------------------------------------------


def is_sparse(kind: type) -> bool:
    sparse: Any = sys.modules.get("scipy.sparse")
    return sparse is not None and issubclass(kind, sparse.spmatrix | sparse.sparray)


def packed_sparse(packer: Packs, value: Any, depth: int) -> Node | None:
    if value.format not in SPARSE:
        return None
    plain = value.tocoo()
    where = [np.asarray(one) for one in plain.coords]
    parts = [type(value).__name__, value.format, list(value.shape), where, np.asarray(plain.data)]
    return {"is": "sparse", "of": packer.each(parts, depth)}


def made_sparse(name: str, form: str, shape: list, where: list, data: np.ndarray) -> Any:
    from scipy import sparse

    if form not in SPARSE or name not in (f"{form}_matrix", f"{form}_array"):
        raise Malformed("a matrix of it has no known form")
    made = sparse.coo_matrix if name.endswith("_matrix") else sparse.coo_array
    return made((data, tuple(where)), shape=tuple(shape)).asformat(form)


# -- formulas -----------------------------------------------------------------------------------------


def packed_formula(packer: Packs, value: Any, depth: int) -> Node | None:
    """None for what would be another one when it is put together again."""
    sympy: Any = sys.modules.get("sympy")
    if sympy is None or not isinstance(value, sympy.Basic | sympy.MatrixBase):
        return None
    try:
        said = tree(value)
        again = made_formula(*said)
        # A function without a definition has a class of its own each time.
        if type(again).__name__ != type(value).__name__ or not bool(again == value):
            return None
    except Exception:
        return None
    return {"is": "formula", "of": packer.each(said, depth)}


def tree(value: Any) -> list[Any]:
    """An expression as nested lists of a word, and what that needs. Raises Unknown."""
    import sympy

    kind, name = type(value), type(value).__name__
    if kind in (sympy.Symbol, sympy.Dummy, sympy.Wild):
        if kind is not sympy.Symbol:
            raise Unknown
        return ["symbol", value.name, {k: v for k, v in value._assumptions_orig.items() if v is not None}]
    if isinstance(value, sympy.Integer):
        return ["integer", int(value)]
    if isinstance(value, sympy.Rational):
        return ["rational", int(value.p), int(value.q)]
    if isinstance(value, sympy.Float):
        sign, mantissa, exponent, count = value._mpf_
        return ["float", int(sign), int(mantissa), int(exponent), int(count), int(value._prec)]
    if isinstance(value, sympy.MatrixBase):
        return ["matrix", name, value.rows, value.cols, [tree(one) for one in value.flat()]]
    if isinstance(value, sympy.core.function.AppliedUndef):
        return ["applied", name, [tree(one) for one in value.args]]
    if isinstance(kind, sympy.core.singleton.Singleton) or not value.args:
        return ["alone", name]
    if name == "ExprCondPair":
        # What a Piecewise has, and makes of pairs again.
        return ["made", "Tuple", [tree(one) for one in value.args]]
    if getattr(sympy, name, None) is kind:
        return ["made", name, [tree(one) for one in value.args]]
    raise Unknown


def made_formula(word: str, *rest: Any) -> Any:
    import sympy

    if word == "symbol":
        name, about = rest
        plain = type(name) is str and all(type(k) is str and type(v) is bool for k, v in about.items())
        if not plain or len(name) > LONGEST_NAME or not PLAIN.fullmatch(name):
            raise Malformed("a symbol of it is none")
        return sympy.Symbol(name, **about)
    if word == "integer":
        return sympy.Integer(whole(rest[0]))
    if word == "rational":
        return sympy.Rational(whole(rest[0]), whole(rest[1]))
    if word == "float":
        sign, mantissa, exponent, count, precision = map(whole, rest)
        normal = mantissa > 0 and mantissa % 2 == 1 and count == mantissa.bit_length() and sign in (0, 1)
        if not (normal or sign == mantissa == exponent == count == 0) or precision < 1:
            # What is no number compares as it likes.
            raise Malformed("a number of it is none")
        return sympy.Float._new((sign, mantissa, exponent, count), precision)
    if word == "matrix":
        name, rows, columns, parts = rest
        kind = class_of(name, sympy.MatrixBase)
        return kind(whole(rows), whole(columns), [made_formula(*one) for one in parts])
    if word == "applied":
        name, parts = rest
        if type(name) is not str or is_code(name):
            raise Malformed("a function of it has no name")
        return sympy.Function(name)(*(made_formula(*one) for one in parts))
    if word == "alone":
        (name,) = rest
        found = getattr(sympy.S, name, None) if type(name) is str and name.isidentifier() else None
        if not isinstance(found, sympy.Basic) or found.args:
            found = class_of(name, sympy.Basic)()
        return found
    if word != "made":
        raise Malformed("a formula of it is none")
    name, parts = rest
    kind, made = class_of(name, sympy.Basic), [made_formula(*one) for one in parts]
    if issubclass(
        kind, sympy.Add | sympy.Mul | sympy.Pow | sympy.Function | sympy.core.relational.Relational
    ):
        # It was worked out there, or was not to be.
        return kind(*made, evaluate=False)
    return kind(*made)


def is_code(name: str) -> bool:
    """Whether the name of a function would mean something else where a formula is made into code."""
    return not name.isidentifier() or keyword.iskeyword(name) or hasattr(builtins, name) or "__" in name


def names_like_code(value: Any) -> Iterator[str]:
    """The names in an expression that would mean something else where it is made into code."""
    import sympy

    for one in value.atoms(sympy.Symbol):
        if not PLAIN.fullmatch(one.name):
            yield one.name
    for one in value.atoms(sympy.core.function.AppliedUndef):
        if is_code(type(one).__name__):
            yield f"{type(one).__name__}()"


def whole(number: Any) -> int:
    if type(number) is not int:
        raise Malformed("a number of it is none")
    return number


def class_of(name: Any, kind: type) -> Any:
    """The class of SymPy's of this name, if it is one of this kind."""
    found = getattr(import_module("sympy"), name, None) if type(name) is str else None
    if not isinstance(found, type) or not issubclass(found, kind):
        raise Malformed("a formula of it has no known class")
    return found
