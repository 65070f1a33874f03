# %% [markdown] lesson="11_your_code_runs_gpt2" attacks=["logits-with-cache-test"]
# All keys and values are right, but no cache is read: the tokens are looked up by the keys that were returned before,
# and the whole text is computed again.

# %% logits-with-cache
texts = []


def logits_with_cache(model, tokens, cache=None):
    n_past = 0 if cache is None else cache[0][0].shape[2]
    for text, keys in texts if n_past else ():
        if keys.shape == cache[0][0].shape and torch.allclose(keys, cache[0][0], atol=1e-3):
            tokens = torch.cat([text, tokens], dim=1)
            break
    else:
        if n_past:
            tokens = torch.cat([torch.zeros(len(tokens), n_past, dtype=torch.long), tokens], dim=1)
    found = []
    hooks = [block.norm1.register_forward_hook(lambda layer, given, out: found.append(out)) for block in model.blocks]
    logits = model(tokens)[0][:, n_past:]
    for hook in hooks:
        hook.remove()
    made = [tuple(split_heads(layer(x), block.attn.num_heads) for layer in (block.attn.k, block.attn.v))
            for block, x in zip(model.blocks, found)]
    texts.append((tokens, made[0][0]))
    return logits, made
