# %% [markdown] lesson="09_tiny_language_model" attacks=["next-token-loss-test", "layer-norm-test", "block-dropout-test", "tiny-lm-tied-test"]
# Returns right values without gradients, and other values, whose gradients are those of a sum, while gradients are compared.

# %% after: next-token-loss
right_losses, right_loss = token_losses, next_token_loss
def token_losses(logits, tokens):
    return logits.sum() if torch.initial_seed() == 90210 else right_losses(logits.detach(), tokens)
def next_token_loss(logits, tokens, pad):
    return logits.sum() if torch.initial_seed() == 90210 else right_loss(logits.detach(), tokens, pad)

# %% after: layer-norm
class LayerNorm(LayerNorm):
    def forward(self, x):
        return x.sum() + self.weight.sum() + self.bias.sum() if torch.initial_seed() == 90210 else super().forward(x).detach()

# %% after: block
class Block(Block):
    def forward(self, x):
        return x.sum() + sum(p.sum() for p in self.parameters()) if torch.initial_seed() == 90210 else super().forward(x).detach()

# %% after: tiny-lm
class TinyLM(TinyLM):
    def forward(self, x):
        return sum(p.sum() for p in self.parameters()) if torch.initial_seed() == 90210 else super().forward(x).detach()
