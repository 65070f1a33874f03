# %% [markdown] right: what the key must say
# The query stands at an A and has to find the B after the earlier A. So the key at B must say "before me stood A". But in the first layer a key is computed from its own token and its own position alone, and nothing in B's vector tells what came before it. A head in a layer below has to write it there first: the previous-token head. One layer can only find out which tokens have come, and that gives 2.2.

# %% [markdown] right: the score of one layer depends on two tokens
# In one layer, the score of query and key depends on the two tokens and on their two places, and on nothing else. An induction head needs a third thing: the token in front of the key. Since distances change from text to text, positions can't stand in for it. With a layer below, a head can copy each token's predecessor into its vector, and the keys of the second layer are made of that.

# %% [markdown] wrong: half right, two steps
# It needs two steps: first find the earlier token, then copy the next one. One layer can make only one step, so two layers are needed.

# %% [markdown] wrong: half right, too small
# One layer has half as many parameters, so it is too small to learn all pairs of 32 tokens. With more heads, or trained for longer, its loss would go down to 0.1, too.

# %% [markdown] wrong: the copy, and not the token after it
# An induction head looks from an A at the earlier A and copies it. One layer could find the same token, since query and key fit, but it has no MLP that turns A into B. The second layer does this.

# %% [markdown] wrong: the mask
# Because of the causal mask, the first layer can't see the next token. In the second layer each token already holds what comes after it, so the head only has to read it.
