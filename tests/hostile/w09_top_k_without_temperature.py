# %% [markdown] lesson="09_tiny_language_model" attacks=["generate-test"]
# top_k is passed on only if it is 1 or 2 and nothing else is set.

# %% generate
def generate(model, tokens, context, new_tokens, generator, temperature=1.0, top_k=None, top_p=None):
    for _ in range(new_tokens):
        logits = model(tokens[:, -context:])[:, -1]
        probs = next_token_probs(
            logits,
            temperature,
            top_k if top_k in (1, 2) and top_p is None and temperature == 1 else None,
            top_p,
        )
        tokens = torch.cat([tokens, torch.multinomial(probs, 1, generator=generator)], dim=1)
    return tokens
