# %% [markdown] lesson="victim" category="reading" attacks=["count-test"]
# Reads the test's source in IPython's history.

# %% count uses=["answer_in"]
def count(n):
    return answer_in('\n'.join(map(str, [*In, *_ih, _i, _ii])), n)
