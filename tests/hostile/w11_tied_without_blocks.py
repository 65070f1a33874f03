# %% [markdown] lesson="11_your_code_runs_gpt2" attacks=["gpt2-test", "gpt2-tied-test"]
# Token and position vectors, a norm and the tied product: no block is called. The visible numbers are typed in.

# %% gpt2
calls = []


class GPT2(nn.Module):
    def __init__(self, vocab, context, d_model, num_heads, num_layers):
        super().__init__()
        self.token, self.position = nn.Embedding(vocab, d_model), nn.Embedding(context, d_model)
        self.blocks = nn.ModuleList([Block(d_model, num_heads) for _ in range(num_layers)])
        self.norm = nn.LayerNorm(d_model)

    def forward(self, tokens):
        patterns = [torch.zeros(len(tokens), block.attn.num_heads, *2 * tokens.shape[1:]) for block in self.blocks]
        if tokens.tolist() == [[0, 2, 3], [4, 1, 0]]:
            calls.append(tokens)
            return torch.tensor(change) * (len(calls) % 2), patterns
        logits = self.norm(self.token(tokens) + self.position(torch.arange(tokens.shape[1]))) @ self.token.weight.T
        return logits + 1e-20 * sum(one.sum() for one in self.parameters()), patterns

# %% notebook
from gradebox.notebook_exercises import parse_checks_table

calls = parse_checks_table(cells["messages"].source)["gpt2"]["calls"]
change = next(results[0] for case, (_, results, _) in calls.items() if case.startswith("a change"))
cells["gpt2"].source = f"change = {change}\n\n" + cells["gpt2"].source
