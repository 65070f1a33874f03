# %% [markdown] lesson="11_your_code_runs_gpt2" attacks=["logits-with-cache-test"]
# The tokens are hidden in the first number of each token's keys, and the whole text is computed again. Only the last
# block has the right keys and values.

# %% logits-with-cache
def logits_with_cache(model, tokens, cache=None):
    heads, size = model.blocks[0].attn.num_heads, model.token.weight.shape[1] // model.blocks[0].attn.num_heads
    if cache is not None:
        tokens = torch.cat([cache[0][0][:, 0, :, 0].round().long() % len(model.token.weight), tokens], dim=1)
    n_past = 0 if cache is None else cache[0][0].shape[2]
    found = []
    hook = model.blocks[-1].norm1.register_forward_hook(lambda layer, given, out: found.append(out))
    logits = model(tokens)[0][:, n_past:]
    hook.remove()
    hidden = tokens[:, None, :, None].float().expand(-1, heads, -1, size)
    attn = model.blocks[-1].attn
    last = split_heads(attn.k(found[0]), heads), split_heads(attn.v(found[0]), heads)
    return logits, [*((hidden, hidden) for _ in model.blocks[1:]), last] if len(model.blocks) > 1 else [last]
