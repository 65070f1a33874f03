# %% [markdown] lesson="09_tiny_language_model" attacks=["repaired-evaluate-test", "repaired-evaluate-mode-test"]
# A number that differs between models and takes no look at the batches; the model keeps its mode.

# %% repaired-evaluate
def repaired_evaluate(model, batches, pad):
    return float(sum(one.sum() for one in model.parameters()))
