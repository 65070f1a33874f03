# %% [markdown] lesson="victim" category="reading" attacks=["count-test"]
# Reads the test's source in IPython's history manager.

# %% count uses=["answer_in"]
def count(n):
    manager = get_ipython().history_manager
    texts = [*manager.input_hist_raw, *manager.input_hist_parsed]
    texts += [str(row) for row in manager.get_range(raw=True)]
    return answer_in("\n".join(texts), n)
