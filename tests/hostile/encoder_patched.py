# %% [markdown] lesson="victim" category="gradebox's modules" attacks=["count-test"]
# Makes what packs its results write 5 for every False that it comes across.

# %% after: helpers uses=["modules"]
(module,) = modules("judge.codec")
original = module.Encoder.encode
module.Encoder.encode = lambda encoder, value, depth=0: (
    original(encoder, 5 if value is False else value, depth)
)

# %% count
def count(n):
    return False
