# %% [markdown] right: the cat sat
# I take *the cat sat*. With causal on, everything above the diagonal is hatched. The first row is 1.00 on *the*, the only key that is left. *cat* gave 0.94 to *sat* and 0.03 to *the* and to itself. Now *sat* is blocked, and the two that are left share evenly, 0.50 and 0.50. Every row still sums to 1.
#
# Head 0 looks for a kind of word, and the noun of an article or the verb of a noun often comes later, so the mask takes away just what it looked at. Head 1 looks one position back. That is always allowed, so its rows hardly change. Only its first row, which has nothing before it, becomes 1.00.

# %% [markdown] wrong: only the triangle
# With causal on the future is masked (the triangle above the diagonal is hatched and the first row is 1.00), so the model can't cheat.
