# %% [markdown] lesson="victim" category="gradebox's modules" attacks=["count-test"]
# Makes what packs its results write 5 for every False that it comes across.

# %% after: helpers uses=["modules"]
for module in modules("judge.protocol"):
    original = module.Packer.pack
    module.Packer.pack = lambda packer, value, depth=0: (
        original(packer, 5 if value is False else value, depth)
    )

# %% count
def count(n):
    return False
