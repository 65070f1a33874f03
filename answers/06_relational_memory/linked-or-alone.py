# %% [markdown] right: by content, and quadratic
# With linked=False, row i of the new memory is made of row i and the input alone. Linked, row i weighs all other rows by how well its query fits their keys, that is, by what they hold, so two stored things can be compared in one step, and the same matrices serve every pair of slots. An LSTM mixes all of its slots · d numbers, too, but by one recurrent matrix that is fixed after training: which unit reads which doesn't depend on what is in them. The links cost slots · (slots + 1) scores in each head and step, so twice the slots are about four times the scores. The number of weights stays the same however many slots there are, while the LSTM's recurrent matrix has 4 · (slots · d)² entries, which grow with the square of the slots.

# %% [markdown] wrong: they exchange information
# Linked slots can exchange information with each other in one step, and slots that are not linked can't. An LSTM can do this as well, so there is no real difference. The price is more computation, because there are more scores.

# %% [markdown] wrong: half right, the LSTM's mixing and the weights are left out
# Without links each slot sees only itself and the input. With links it looks at all slots and picks those whose content fits its query, so it can find a relation between any two of them in one step. An LSTM has only one long vector and can't mix its numbers. There are slots · (slots + 1) scores in each head, which is quadratic. The number of weights grows with the slots, too, because each slot needs its own q, k and v.
