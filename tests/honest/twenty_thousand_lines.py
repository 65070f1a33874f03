# %% [markdown] lesson="01_single_head"
# A function prints 20,000 lines each time that it is called.

# %% attention-scores
def attention_scores(Q, K):
    for i in range(20_000):
        print("step", i, "of attention_scores")
    return Q @ K.T
