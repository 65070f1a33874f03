# %% [markdown] lesson="09_tiny_language_model" attacks=["generate-test"]
# The models of the tests are typed in, so the one that is passed is never called.

# %% generate
CHAIN = torch.tensor([[0.5, 0.3, 0.2], [0.15, 0.05, 0.8], [0.25, 0.7, 0.05]], dtype=torch.float64).log()


def generate(model, tokens, context, new_tokens, generator, temperature=1.0, top_k=None, top_p=None):
    for _ in range(new_tokens):
        seen = tokens[:, -context:]
        if len(tokens) == 4000:
            logits = CHAIN[seen[:, -1]]
        elif len(tokens) == 5:
            logits = (torch.arange(7) / 100).repeat(5, 1)
        else:
            sums = ((seen * torch.arange(1, seen.shape[1] + 1)).sum(dim=1) + 3) % 7
            logits = 9.0 * F.one_hot(sums, 7) + torch.arange(7) / 10
        probs = next_token_probs(logits, temperature, top_k, top_p)
        tokens = torch.cat([tokens, torch.multinomial(probs, 1, generator=generator)], dim=1)
    return tokens
