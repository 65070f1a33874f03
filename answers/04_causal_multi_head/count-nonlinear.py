# %% [markdown] right: one softmax per row
# One for each sequence, head and query: 2 · 1 · 5 = 10 with one head, 2 · 3 · 5 = 30 with three. The four layers add none: they are linear (plus a bias), and so is moving numbers around for the heads.

# %% [markdown] wrong: forgets the queries
# Softmax is the only nonlinear one, and there is one for each head of each sequence, so 2 and 6.
