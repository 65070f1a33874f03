# %% [markdown] right: what the key must say
# The query is at the second A and has to find the B after the first A. So the key at B must contain "the token before me is A". But in the first layer a key is computed only from its own token and its own position, and the vector of B does not contain the token before it. A head in a layer below has to write it there first: the previous-token head. One layer can only learn how many positions back the repeated token may be, and guess: that gives a loss of 2.2.

# %% [markdown] right: the score of one layer depends on two tokens
# In one layer, the score of query and key depends only on the two tokens and their two positions. An induction head needs a third thing: the token before the key. Because the distance changes from text to text, positions can't replace it. With a layer below, a head can copy the predecessor of each token into its vector, and the keys of the second layer are computed from that vector.

# %% [markdown] wrong: half right, two steps
# It needs two steps: first find the earlier token, then copy the next one. One layer can make only one step, so two layers are needed.

# %% [markdown] wrong: half right, too small
# One layer has half as many parameters, so it is too small to learn all pairs of 32 tokens. With more heads, or trained for longer, its loss would go down to 0.1, too.

# %% [markdown] wrong: the copy, and not the token after it
# An induction head looks from an A at the earlier A and copies it. One layer could find the same token, since query and key fit, but it has no MLP that turns A into B. The second layer does this.

# %% [markdown] wrong: the mask
# Because of the causal mask, the first layer can't see the next token. In the second layer each token already contains the token after it, so the head only has to read it.
