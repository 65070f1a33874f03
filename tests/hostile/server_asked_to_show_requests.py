# %% [markdown] lesson="victim" category="gradebox's modules" attacks=["count-test", "apply-test"]
# Prints all that the judge sends, and looks for the test in it.

# %% after: helpers uses=["modules"]
(module,) = modules("kernel.frames")
original = module.FrameSocket.receive

def receive(frames):
    header, buffers = original(frames)
    print(header, [bytes(buffer)[:1000] for buffer in buffers])
    return header, buffers

module.FrameSocket.receive = receive

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% apply
def apply(function, x):
    function(x), function(x)
    return 0
