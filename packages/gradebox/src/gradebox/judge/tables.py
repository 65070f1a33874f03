"""What pandas has, as data: tables, series and indexes with their types, and moments of time.

pandas is imported only where there is such a value. Whatever of it has no form here stays where it is.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from gradebox.judge.forms import Packs, Unpacks
from gradebox.judge.later import Later
from gradebox.judge.protocol import Malformed, Node

pd: Any = Later("pandas")

MASKED = {
    **{f"{sign}Int{bits}": f"{sign.lower()}int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)},
    **{"Float32": "float32", "Float64": "float64", "boolean": "bool"},
}
TABLE: dict[str, Node] = {"is": "table"}


class Unknown(Exception):
    """It has a part that has no form here."""


def pack(packer: Packs, value: Any, depth: int) -> Node:
    """A value of pandas' as data, or else as something that stays here."""
    if isinstance(value, pd.DataFrame | pd.Series) and type(value) not in (pd.DataFrame, pd.Series):
        return packer.beyond(value, packer)
    if "pandas" not in packer.libraries:
        return packer.beyond(value, packer)
    numbered = isinstance(value, pd.DataFrame | pd.Series)
    try:
        said = in_words(value)
    except Unknown:
        return packer.beyond(value, packer)
    if numbered:
        return TABLE | {"of": packer.container(value, said, depth)}
    return TABLE | {"of": packer.each(said, depth)}


def in_words(value: Any) -> list[Any]:
    """A word for what it is, and its parts as plain values. Raises Unknown."""
    if isinstance(value, pd.DataFrame):
        columns = [column(value.iloc[:, place]) for place in range(value.shape[1])]
        return ["frame", index(value.index), index(value.columns), *columns]
    if isinstance(value, pd.Series):
        return ["series", index(value.index), value.name, column(value)]
    if isinstance(value, pd.Index):
        return ["index", index(value)]
    if isinstance(value, pd.api.extensions.ExtensionArray):
        return ["array", column(value)]
    if value is pd.NaT or value is pd.NA:
        return ["nothing", "NaT" if value is pd.NaT else "NA"]
    if isinstance(value, pd.Timestamp):
        return [
            "timestamp",
            value.isoformat() if value.tz is None else value.tz_localize(None).isoformat(),
            zone(value),
            value.unit,
            value.fold,
        ]
    if isinstance(value, pd.Timedelta):
        return ["timedelta", int(value.asm8.view("i8")), value.unit]
    if isinstance(value, pd.Period):
        return ["period", value.ordinal, value.freqstr]
    if isinstance(value, pd.Interval):
        return ["interval", value.left, value.right, value.closed]
    if isinstance(value, pd.api.extensions.ExtensionDtype):
        return ["type", *kind_of(value)]
    raise Unknown


def kind_of(value: Any) -> list[Any]:
    """A type of pandas' own. Raises Unknown."""
    if isinstance(value, pd.StringDtype):
        return ["string", "NA" if value.na_value is pd.NA else "nan"]
    if isinstance(value, pd.CategoricalDtype):
        return [
            "category",
            None if value.categories is None else index(value.categories),
            bool(value.ordered),
        ]
    with suppress(Exception):
        if pd.api.types.pandas_dtype(str(value)) == value:
            return ["named", str(value)]
    raise Unknown


def zone(value: Any) -> str | None:
    """The name of a zone. Raises Unknown for one that has none."""
    found = value.tz
    if found is None:
        return None
    name = str(found)
    with suppress(Exception):
        if str(pd.Timestamp(0, tz=name).tz) == name:
            return name
    raise Unknown


def index(value: Any) -> list[Any]:
    if type(value) is pd.RangeIndex:
        return ["range", value.name, value.start, value.stop, value.step]
    if isinstance(value, pd.MultiIndex):
        levels = [index(level) for level in value.levels]
        return ["multi", list(value.names), levels, [np.asarray(codes, dtype="i8") for codes in value.codes]]
    kind = type(value).__name__
    if kind in ("DatetimeIndex", "TimedeltaIndex") and value.freq is not None:
        return ["plain", value.name, column(value), value.freqstr]
    return ["plain", value.name, column(value), None]


def column(value: Any) -> list[Any]:
    """The values of a series or an index, with their type. Raises Unknown."""
    kind, name = value.dtype, str(value.dtype)
    if isinstance(kind, np.dtype):
        plain = np.asarray(value)
        return ["numpy", plain] if kind.kind in "biufcSUmMO" else unknown()
    held = value if isinstance(value, pd.api.extensions.ExtensionArray) else value.array
    if isinstance(kind, pd.CategoricalDtype):
        categories = None if kind.categories is None else index(kind.categories)
        return ["category", np.asarray(held.codes, dtype="i8"), categories, bool(kind.ordered)]
    if name in MASKED:
        missing = np.asarray(pd.isna(held), dtype=bool)
        filled = held.to_numpy(dtype=MASKED[name], na_value=np.dtype(MASKED[name]).type(0))
        return ["masked", name, filled, missing]
    if isinstance(kind, pd.StringDtype):
        texts = [None if missing else str(one) for one, missing in zip(held, pd.isna(held), strict=True)]
        return ["string", "NA" if kind.na_value is pd.NA else "nan", texts]
    if isinstance(kind, pd.DatetimeTZDtype):
        return ["zoned", np.asarray(held.asi8), kind.unit, zone(kind)]
    if isinstance(kind, pd.PeriodDtype):
        return ["periods", np.asarray(held.asi8), name.removeprefix("period[").removesuffix("]")]
    if isinstance(kind, pd.IntervalDtype):
        return ["intervals", column(held.left), column(held.right), held.closed]
    return unknown()


def unknown() -> Any:
    raise Unknown


# -- and back -----------------------------------------------------------------------------------------


def read(unpacker: Unpacks, node: Node, depth: int) -> Any:
    """Raises whatever pandas raises over what is none."""
    nodes = node["of"]
    if "pandas" not in unpacker.libraries:
        raise Malformed("a part of it is of a library that the course does not use")
    if type(nodes) is not list or not nodes or type(nodes[0]) is not str:
        raise Malformed("a table of it is none")
    if nodes[0] not in ("frame", "series"):
        word, *said = unpacker.parts_of(nodes, depth)
        return MADE[word](*said)
    # It has its number ahead of its parts, and can be made behind them only.
    begun = unpacker.begin(None)
    word, *said = unpacker.parts_of(nodes, depth)
    found = unpacker.kept[begun[0]] = MADE[word](*said)
    unpacker.end(begun, depth)
    return found


def made_frame(rows: list, columns: list, *held: list) -> Any:
    rows_made, columns_made = made_index(rows), made_index(columns)
    series = {place: pd.Series(made_column(one), index=rows_made) for place, one in enumerate(held)}
    found = pd.DataFrame(series, index=rows_made, columns=range(len(held)))
    found.columns = columns_made
    return found


def made_series(rows: list, name: Any, held: list) -> Any:
    return pd.Series(made_column(held), index=made_index(rows), name=name)


def made_index(said: list) -> Any:
    word, *rest = said
    if word == "range":
        name, *numbers = rest
        return pd.RangeIndex(*numbers, name=name)
    if word == "multi":
        names, levels, codes = rest
        return pd.MultiIndex([made_index(level) for level in levels], codes, names=names)
    if word != "plain":
        raise Malformed("an index of it is none")
    name, held, every = rest
    found = pd.Index(made_column(held), name=name)
    if every is not None:
        found.freq = every
    return found


def made_column(said: list) -> Any:
    word, *rest = said
    return COLUMNS[word](*rest)


def made_plain(held: Any) -> np.ndarray:
    if type(held) is not np.ndarray:
        raise Malformed("a column of it is none")
    return held


def made_category(codes: np.ndarray, categories: list | None, ordered: bool) -> Any:
    return pd.Categorical.from_codes(codes, dtype=made_kind("category", categories, ordered))


def made_masked(name: str, held: np.ndarray, missing: np.ndarray) -> Any:
    if name not in MASKED or held.dtype != MASKED[name]:
        raise Malformed("a column of it is none")
    found = pd.array(held, dtype=name)
    found[missing] = pd.NA
    return found


def made_string(nothing: str, texts: list) -> Any:
    return pd.array(texts, dtype=made_kind("string", nothing))


def made_kind(word: str, *rest: Any) -> Any:
    if word == "string":
        return pd.StringDtype(na_value=pd.NA if rest[0] == "NA" else np.nan)
    if word == "category":
        categories, ordered = rest
        return pd.CategoricalDtype(None if categories is None else made_index(categories), ordered)
    found = pd.api.types.pandas_dtype(rest[0])
    if not isinstance(found, pd.api.extensions.ExtensionDtype):
        raise Malformed("a type of it is none")
    return found


def made_zoned(held: np.ndarray, unit: str, name: str) -> Any:
    moments = pd.DatetimeIndex(made_plain(held).astype("i8").view(f"M8[{unit}]"))
    return moments.tz_localize("UTC").tz_convert(name).array


def made_periods(held: np.ndarray, every: str) -> Any:
    return pd.PeriodIndex.from_ordinals(held, freq=every).array


def made_intervals(left: list, right: list, closed: str) -> Any:
    return pd.arrays.IntervalArray.from_arrays(made_column(left), made_column(right), closed=closed)


def made_timestamp(said: str, name: str | None, unit: str, fold: int) -> Any:
    found = pd.Timestamp(said)
    if name is not None:
        found = found.replace(fold=fold).tz_localize(name, ambiguous=not fold)
    return found.as_unit(unit)


def made_timedelta(number: int, unit: str) -> Any:
    return pd.Timedelta(np.array(number).astype(f"m8[{unit}]")[()]).as_unit(unit)


MADE: dict[str, Callable[..., Any]] = {
    "frame": made_frame,
    "series": made_series,
    "index": made_index,
    "array": made_column,
    "nothing": lambda name: {"NaT": pd.NaT, "NA": pd.NA}[name],
    "timestamp": made_timestamp,
    "timedelta": made_timedelta,
    "period": lambda ordinal, every: pd.Period(ordinal=ordinal, freq=every),
    "interval": lambda *said: pd.Interval(*said),
    "type": made_kind,
}
COLUMNS: dict[str, Callable[..., Any]] = {
    "numpy": made_plain,
    "category": made_category,
    "masked": made_masked,
    "string": made_string,
    "zoned": made_zoned,
    "periods": made_periods,
    "intervals": made_intervals,
}


# -- arguments ----------------------------------------------------------------------------------------


def same(one: Any, other: Any) -> bool:
    """Whether a table is as its copy was."""
    if not (one.equals(other) and one.index.identical(other.index)):
        return False
    if isinstance(one, pd.Series):
        return one.dtype == other.dtype and bool(np.all(pd.Index([one.name]).equals(pd.Index([other.name]))))
    return one.columns.identical(other.columns) and list(one.dtypes) == list(other.dtypes)


def become(thing: Any, now: Any) -> None:
    """Let a table be what another is, where it is."""
    thing._update_inplace(now)
    if isinstance(thing, pd.Series):
        thing.name = now.name
