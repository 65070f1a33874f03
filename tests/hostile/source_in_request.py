# %% [markdown] lesson="victim" category="reading" attacks=["count-test"]
# Reads the test's source in the message with which the kernel was asked to run it.

# %% count uses=["answer_in"]
def count(n):
    return answer_in(str(get_ipython().kernel.get_parent()['content']['code']), n)
