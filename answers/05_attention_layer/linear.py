# %% right: einsum, grad replaced by a sum
class Linear:
    def __init__(self, in_features, out_features, rng):
        scale = (2 / (in_features + out_features)) ** 0.5
        self.weight = Parameter(scale * rng.standard_normal((in_features, out_features)))
        self.bias = Parameter([0.0] * out_features)

    def forward(self, x):
        self.last = np.array(x)
        return np.einsum("bsi,io->bso", x, self.weight.data) + self.bias.data

    def backward(self, grad_output):
        self.weight.grad = self.weight.grad + np.einsum("bsi,bso->io", self.last, grad_output)
        self.bias.grad = self.bias.grad + np.einsum("bso->o", grad_output)
        return np.einsum("bso,io->bsi", grad_output, self.weight.data)

    def parameters(self):
        return [self.weight, self.bias]

# %% right: loops over sequences and tokens
class Linear:
    def __init__(self, in_features, out_features, rng):
        deviation = np.sqrt(2.0 / (in_features + out_features))
        self.weight = Parameter(rng.normal(loc=0.0, scale=deviation, size=(in_features, out_features)))
        self.bias = Parameter(np.zeros(out_features))

    def forward(self, x):
        self.x = x
        return np.stack([[token @ self.weight.data + self.bias.data for token in s] for s in x])

    def backward(self, grad_output):
        grad_x = np.zeros(self.x.shape)
        for b in range(len(self.x)):
            for t in range(len(self.x[b])):
                self.weight.grad += np.outer(self.x[b, t], grad_output[b, t])
                self.bias.grad += grad_output[b, t]
                grad_x[b, t] = self.weight.data @ grad_output[b, t]
        return grad_x

    def parameters(self):
        return [self.weight, self.bias]

# %% right: batched products, returns lists
class Linear:
    def __init__(self, in_features, out_features, rng):
        self.weight = Parameter(rng.normal(size=(in_features, out_features)))
        self.weight.data *= math.sqrt(2 / (in_features + out_features))
        self.bias = Parameter(np.zeros((out_features,)))

    def forward(self, x):
        self.cache = x
        return np.matmul(x, self.weight.data) + self.bias.data

    def backward(self, grad_output):
        self.weight.grad += (self.cache.transpose(0, 2, 1) @ grad_output).sum(0)
        self.bias.grad += np.sum(grad_output, axis=(0, 1))
        return np.tensordot(grad_output, self.weight.data, axes=([2], [1]))

    def parameters(self):
        return (self.weight, self.bias)

# %% base
class Linear:
    """y = x @ weight + bias, for each token.

    weight: Parameter (in_features, out_features), Xavier normal, drawn from rng.
    bias: Parameter (out_features,), zero.
    """

    def __init__(self, in_features, out_features, rng):
        deviation = math.sqrt(2 / (in_features + out_features))
        self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
        self.bias = Parameter(np.zeros(out_features))

    def forward(self, x):
        """x: (batch, seq, in_features). Returns (batch, seq, out_features)."""
        self.x = x
        return x @ self.weight.data + self.bias.data

    def backward(self, grad_output):
        """grad_output: like the output of the last forward. Returns the gradient of its x.

        Adds the gradients of weight and bias to their .grad.
        """
        tokens = self.x.reshape(-1, self.x.shape[-1])
        gradients = grad_output.reshape(-1, grad_output.shape[-1])
        self.weight.grad += tokens.T @ gradients
        self.bias.grad += gradients.sum(axis=0)
        return grad_output @ self.weight.data.T

    def parameters(self):
        """The list [weight, bias]."""
        return [self.weight, self.bias]

# %% wrong: standard normal numbers says="standard normal numbers" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = 1.0

# %% wrong: root of 2 over in says="this is √(2/in)" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = math.sqrt(2 / in_features)

# %% wrong: root of 1 over in says="this is √(1/in)" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = math.sqrt(1 / in_features)

# %% wrong: root of 1 over both says="there is a 2 on top" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = math.sqrt(1 / (in_features + out_features))

# %% wrong: no root says="the root is missing" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = 2 / (in_features + out_features)

# %% wrong: weight starts at zero says="the weight is 0" fails=["linear-forward-test"] of="base"
# was:     self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# becomes: self.weight = Parameter(np.zeros((in_features, out_features)))

# %% wrong: own generator says="draw from rng only" fails=["linear-forward-test"] of="base"
# was:     self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# becomes: self.weight = Parameter(np.random.default_rng().normal(0, deviation, size=(in_features, out_features)))

# %% wrong: random bias says="the bias must start at 0" fails=["linear-forward-test"] of="base"
# was:     self.bias = Parameter(np.zeros(out_features))
# becomes: self.bias = Parameter(rng.normal(size=out_features))

# %% wrong: weight turned round says="not (in, out)" fails=["linear-forward-test", "linear-backward-test", "multi-head-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# becomes: self.weight = Parameter(rng.normal(0, deviation, size=(out_features, in_features)))

# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.weight.data.T + self.bias.data

# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += gradients.T @ tokens

# was:     return grad_output @ self.weight.data.T
# becomes: return grad_output @ self.weight.data

# %% wrong: uniform numbers says="the weight is not normal" fails=["linear-forward-test"] visible=false of="base"
# was:     self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# becomes: self.weight = Parameter(rng.uniform(-deviation * 3**0.5, deviation * 3**0.5, size=(in_features, out_features)))

# %% wrong: bias left out of forward says="the bias is left out" fails=["linear-forward-test", "multi-head-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.weight.data

# %% wrong: parameters without bias says="parameters() must be [weight, bias]" fails=["linear-forward-test", "multi-head-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return [self.weight, self.bias]
# becomes: return [self.weight]

# %% wrong: bias first says="parameters() must be [weight, bias]" fails=["linear-forward-test", "multi-head-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return [self.weight, self.bias]
# becomes: return [self.bias, self.weight]

# %% wrong: weight gradient overwritten says="weight.grad is overwritten" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad = tokens.T @ gradients

# %% wrong: bias gradient overwritten says="bias.grad is overwritten" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad = gradients.sum(axis=0)

# %% wrong: both gradients overwritten says="weight.grad is overwritten" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.weight.grad = tokens.T @ gradients
# becomes: self.bias.grad = gradients.sum(axis=0)

# %% wrong: bias not summed over the batch says="bias is not summed over the batch" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad = self.bias.grad + grad_output.sum(axis=1)

# %% wrong: bias not summed over the sequence says="bias is not summed over the sequence" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad = self.bias.grad + grad_output.sum(axis=0)

# %% wrong: bias mean over tokens says="bias is a mean over the tokens" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad += gradients.mean(axis=0)

# %% wrong: weight mean over the batch says="weight is a mean over the batch" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += tokens.T @ gradients / len(grad_output)

# %% wrong: weight mean over tokens says="weight is a mean over all tokens" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += tokens.T @ gradients / len(tokens)

# %% wrong: weight from the first sequence says="weight is not summed over the batch" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += self.x[0].T @ grad_output[0]

# %% wrong: no gradient of the bias says="bias is still 0" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes:

# %% wrong: no gradient of the weight says="weight is still 0" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes:

# %% wrong: weight copied at the start says="on the small example, the shape is right" fails=["linear-forward-test", "multi-head-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias = Parameter(np.zeros(out_features))
# becomes: self.bias = Parameter(np.zeros(out_features))
# becomes: self.W = self.weight.data

# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.W + self.bias.data

# %% wrong: gradient of x with the weight untransposed says="matmul" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_output @ self.weight.data.T
# becomes: return grad_output @ self.weight.data
