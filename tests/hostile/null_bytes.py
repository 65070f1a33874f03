# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"] fails=true
# Has null bytes and odd ends of lines in its cells.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
from nbformat.v4 import new_code_cell

for name in ("count", "count-test"):
    cells[name].source += "\n# \0 \u2028 \x85 \f \r \ufeff"
nb.cells += [new_code_cell("\0"), new_code_cell("\ufeffprint('\u202epassed')\f\r\rpass")]
