# %% [markdown] lesson="victim" category="names" attacks=["shares-test", "scale-test", "count-test", "walk-test", "describe-test", "apply-test"] fails=true
# Solves nothing. Modules that a test, or drawing, imports lie beside it (in the folder of the same name).

# %% released: shares

# %% released: scale

# %% released: count

# %% released: walk

# %% released: describe

# %% released: apply

# %% notebook
nb.cells.remove(cells["describe-test"])
nb.cells.insert(nb.cells.index(cells["helpers"]) + 1, cells["describe-test"])
