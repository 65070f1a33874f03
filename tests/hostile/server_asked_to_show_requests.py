# %% [markdown] lesson="victim" category="gradebox's modules" attacks=["count-test", "apply-test"]
# Prints all that the judge sends, and looks for the test in it.

# %% after: helpers uses=["modules"]
for module in modules("judge.protocol"):
    original = module.Channel.receive

    def receive(channel):
        header, buffers = original(channel)
        print(header, [bytes(buffer)[:1000] for buffer in buffers])
        return header, buffers

    module.Channel.receive = receive

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% apply
def apply(function, x):
    function(x), function(x)
    return 0
