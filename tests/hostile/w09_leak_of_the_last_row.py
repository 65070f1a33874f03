# %% [markdown] lesson="09_tiny_language_model" attacks=["leak-test"]
# Only the last row before start is compared, except for logits of three letters, as the visible tests have them.

# %% leak
def leak(model, tokens, start, replacement):
    changed = torch.cat([tokens[:, :start], replacement], dim=1)
    one, other = model(tokens), model(changed)
    rows = slice(0, start) if one.shape[-1] == 3 else slice(start - 1, start)
    return float((one[:, rows] - other[:, rows]).abs().max())
