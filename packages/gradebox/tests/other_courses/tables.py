# %% [markdown]
# Tables of pandas: as they are, with their types, and changed in place.

# %% given: data
import numpy as np
import pandas as pd

sales = pd.DataFrame({"shop": ["a", "b", "a", "c"], "sold": [3, 5, 4, 1], "price": [1.5, 2.0, None, 4.0]})


# %% answer: totals
def totals(table):
    """What each shop has sold."""
    ### BEGIN SOLUTION
    return table.groupby("shop")["sold"].sum()
    ### END SOLUTION


by_shop = None
### BEGIN SOLUTION
by_shop = sales.groupby("shop").agg(sold=("sold", "sum"), mean=("price", "mean"))
### END SOLUTION

# %% test: totals-test points=2
found = totals(sales)
assert isinstance(found, pd.Series) and type(found) == pd.Series and found["a"] == 7
pd.testing.assert_series_equal(
    found, pd.Series([7, 5, 1], index=pd.Index(["a", "b", "c"], name="shop"), name="sold")
)

# %% test: table-test points=2
assert type(by_shop) == pd.DataFrame and isinstance(by_shop, pd.DataFrame) and by_shop.shape == (3, 2)
assert list(by_shop.columns) == ["sold", "mean"] and by_shop.loc["b", "mean"] == 2.0
assert by_shop[by_shop.sold == 5].index.tolist() == ["b"] and not by_shop["mean"].isna().any()
assert by_shop.equals(sales.groupby("shop").agg(sold=("sold", "sum"), mean=("price", "mean")))


# %% answer: cleaned
def clean(table):
    """Fill what is missing in place."""
    ### BEGIN SOLUTION
    table["price"] = table["price"].fillna(0.0)
    table.columns = ["shop", "number", "price"]
    ### END SOLUTION


def types(table):
    ### BEGIN SOLUTION
    table = table.copy()
    table["shop"] = table["shop"].astype("category")
    table["sold"] = table["sold"].astype("Int64")
    table["day"] = pd.date_range("2024-01-01", periods=len(table), tz="UTC")
    return table
    ### END SOLUTION


# %% test: in-place points=2
mine = sales.copy()
clean(mine)
assert list(mine.columns) == ["shop", "number", "price"] and mine.price.tolist() == [1.5, 2.0, 0.0, 4.0]
assert list(sales.columns) == ["shop", "sold", "price"]

# %% test: types-test points=2
typed = types(sales)
assert typed.dtypes["shop"] == "category" and str(typed.dtypes["sold"]) == "Int64"
assert typed.day.dt.year.tolist() == [2024] * 4 and typed.day[0] == pd.Timestamp("2024-01-01", tz="UTC")
assert typed["shop"].cat.categories.tolist() == ["a", "b", "c"]

# %% answer: pivot
### BEGIN SOLUTION
wide = sales.pivot_table(index="shop", columns="sold", values="price")
two = sales.set_index(["shop", "sold"])
nothing = sales[sales.sold > 100]
### END SOLUTION

# %% test: pivot-test points=2
assert wide.columns.name == "sold" and wide.loc["c", 1] == 4.0
assert isinstance(two.index, pd.MultiIndex) and two.loc[("b", 5), "price"] == 2.0
assert nothing.empty and list(nothing.columns) == ["shop", "sold", "price"]
