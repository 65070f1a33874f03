# %% [markdown] lesson="09_tiny_language_model" attacks=["repaired-evaluate-test"]
# The model is not called: its numbers are read, and used as in the model of the tests.

# %% repaired-evaluate
def repaired_evaluate(model, batches, pad):
    E, W, b = model.parameters()
    total = count = 0
    for tokens in batches:
        losses = F.cross_entropy(
            (E[tokens] @ W.T + b)[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none"
        )
        real = tokens[:, 1:] != pad
        total, count = total + losses[real].sum().item(), count + real.sum().item()
    return total / count
