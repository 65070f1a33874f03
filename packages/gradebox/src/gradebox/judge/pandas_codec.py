"""Encode and decode DataFrames, Series, Indexes and scalars of pandas for `codec.py`.

The module imports pandas only to decode such a value. A table is encoded as its index, its column names and
its columns, each as plain values with the name of their dtype. Other values of pandas (time zones, periods,
intervals, groups) raise UnsupportedValueError and are sent as handles.
"""

import sys
from importlib import import_module
from typing import Any

import numpy as np

from gradebox.kernel.frames import MalformedMessageError

COLUMN_KINDS = "biufcSUmMO"


class UnsupportedValueError(Exception):
    """Error for a value that has no encoding."""


def encode_table(value: Any) -> list[Any]:
    """Return the name of a value's kind, and its parts. Raises UnsupportedValueError."""
    pd: Any = sys.modules["pandas"]
    if type(value) is pd.DataFrame:
        columns = [encode_column(value.iloc[:, place]) for place in range(value.shape[1])]
        return ["frame", encode_index(value.index), encode_index(value.columns), *columns]
    if type(value) is pd.Series:
        return ["series", encode_index(value.index), value.name, encode_column(value)]
    if isinstance(value, pd.Index):
        return ["index", encode_index(value)]
    if value is pd.NaT or value is pd.NA:
        return ["missing", "NaT" if value is pd.NaT else "NA"]
    if type(value) in (pd.Timestamp, pd.Timedelta) and getattr(value, "tz", None) is None:
        return [type(value).__name__.lower(), int(value.asm8.astype("i8")), getattr(value, "unit", "ns")]
    raise UnsupportedValueError


def encode_index(value: Any) -> list[Any]:
    pd: Any = sys.modules["pandas"]
    if type(value) is pd.RangeIndex:
        return ["range", value.name, value.start, value.stop, value.step]
    if isinstance(value, pd.MultiIndex):
        levels = [encode_column(value.get_level_values(place)) for place in range(value.nlevels)]
        return ["multi", list(value.names), *levels]
    return ["plain", value.name, encode_column(value)]


def encode_column(value: Any) -> list[Any]:
    """Return the dtype's name and the values of a Series or Index. Raises UnsupportedValueError."""
    pd: Any = sys.modules["pandas"]
    kind = value.dtype
    if isinstance(kind, np.dtype):
        if kind.kind not in COLUMN_KINDS:
            raise UnsupportedValueError
        return [str(kind), np.asarray(value)]
    if isinstance(kind, pd.CategoricalDtype):
        codes = np.asarray((value if isinstance(value, pd.Index) else value.cat).codes, dtype="i8")
        return ["category", codes, encode_index(kind.categories), bool(kind.ordered)]
    if isinstance(kind, (pd.DatetimeTZDtype, pd.PeriodDtype, pd.IntervalDtype, pd.SparseDtype)):
        raise UnsupportedValueError
    missing = np.asarray(value.isna(), dtype=bool)
    known = [one if not gone else None for one, gone in zip(value.array, missing)]
    return [str(kind), known]


def decode_table(parts: list[Any]) -> Any:
    """Return the value for the result of `encode_table`.

    Raises MalformedMessageError, or any error that pandas raises for invalid parts.
    """
    pd: Any = import_module("pandas")
    kind, *rest = parts
    if kind == "frame":
        rows, names, *columns = rest
        rows = decode_index(rows)
        series = {place: pd.Series(decode_column(one), index=rows) for place, one in enumerate(columns)}
        found = pd.DataFrame(series, index=rows, columns=range(len(columns)))
        found.columns = decode_index(names)
        return found
    if kind == "series":
        rows, name, held = rest
        return pd.Series(decode_column(held), index=decode_index(rows), name=name)
    if kind == "index":
        return decode_index(rest[0])
    if kind == "missing":
        return {"NaT": pd.NaT, "NA": pd.NA}[rest[0]]
    if kind not in ("timestamp", "timedelta"):
        raise MalformedMessageError("a table has an unknown kind")
    number, unit = rest
    plain = np.array(number).astype(f"{'M8' if kind == 'timestamp' else 'm8'}[{unit}]")[()]
    found = (pd.Timestamp if kind == "timestamp" else pd.Timedelta)(plain)
    # Before pandas 2, every unit is the nanosecond.
    return found.as_unit(unit) if hasattr(found, "as_unit") else found


def decode_index(parts: list[Any]) -> Any:
    pd: Any = sys.modules["pandas"]
    kind, name, *rest = parts
    if kind == "range":
        return pd.RangeIndex(*rest, name=name)
    if kind == "multi":
        return pd.MultiIndex.from_arrays([decode_column(one) for one in rest], names=name)
    return pd.Index(decode_column(rest[0]), name=name)


def decode_column(parts: list[Any]) -> Any:
    pd: Any = sys.modules["pandas"]
    name, held, *rest = parts
    if name == "category":
        categories, ordered = rest
        return pd.Categorical.from_codes(held, categories=decode_index(categories), ordered=ordered)
    if type(name) is not str or len(name) > 100:
        raise MalformedMessageError("a column has an unknown dtype")
    if type(held) is np.ndarray:
        return held
    kind = pd.api.types.pandas_dtype(name)
    if not isinstance(kind, pd.api.extensions.ExtensionDtype):
        raise MalformedMessageError("a column has an unknown dtype")
    return pd.array(held, dtype=kind)
