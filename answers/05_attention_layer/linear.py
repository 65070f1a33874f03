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

# %% wrong: bias left out of forward advice="the bias is not added: take self.bias.data when forward runs (a copy made in the constructor misses later changes)" fails=["linear-forward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.weight.data

# %% wrong: weight reshaped to (out, in) advice="the weight is reshaped to (out, in) and transposed back, which scrambles it: it is (in, out) already, so x @ weight needs neither" fails=["linear-forward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: columns, rows = self.weight.data.shape
# becomes: return x @ self.weight.data.reshape(rows, columns).T + self.bias.data

# %% wrong: weight gradient overwritten advice="the gradient of weight has the last round only: add it to what weight.grad holds, with +=" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad = tokens.T @ gradients

# %% wrong: bias gradient overwritten advice="the gradient of bias has the last round only: add it to what bias.grad holds, with +=" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad = gradients.sum(axis=0)

# %% wrong: a step inside backward says="it only adds to .grad" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:             return grad_output @ self.weight.data.T
# becomes:         self.weight.data = self.weight.data - 0.1 * self.weight.grad
# becomes:         return grad_output @ self.weight.data.T

# %% wrong: weight mean over tokens advice="the gradient of weight is divided by the number of tokens: gradients add up, so leave the sum" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += tokens.T @ gradients / len(tokens)

# %% wrong: bias mean over tokens advice="the gradient of bias is a mean over all tokens: take the sum" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad += gradients.mean(axis=0)

# %% wrong: weight from the first sequence advice="the gradient of weight comes from the first sequence alone: sum over the batch as well" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += self.x[0].T @ grad_output[0]

# %% wrong: weight from the last sequence advice="the gradient of weight comes from the last sequence alone: add up all of them" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += self.x[-1].T @ grad_output[-1]

# %% wrong: bias from the last sequence advice="bias.grad comes from the last sequence alone: add up all of them" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad += grad_output[-1].sum(axis=0)

# %% wrong: weight's gradient on the data advice="weight.grad is still 0, and weight.data has changed: add the gradient to weight.grad" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.data += tokens.T @ gradients

# %% wrong: no gradient of the bias advice="bias.grad is still 0: add the gradient of bias to it in backward" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes:

# %% wrong: returns grad_output advice="grad_output is returned unchanged: multiply it by the transposed weight" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_output @ self.weight.data.T
# becomes: return grad_output

# %% wrong: returns the weight's gradient advice="this is weight.grad: return the gradient of x, grad_output times the transposed weight" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_output @ self.weight.data.T
# becomes: return self.weight.grad

# %% wrong: standard normal numbers says="standard normal numbers" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = 1.0

# %% wrong: root of 2 over in says="this is √(2/in)" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = math.sqrt(2 / in_features)

# %% wrong: root of 1 over in says="this is √(1/in)" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = math.sqrt(1 / in_features)

# %% wrong: root of 1 over both says="has a 2 on top" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = math.sqrt(1 / (in_features + out_features))

# %% wrong: no root says="the root is missing" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = 2 / (in_features + out_features)

# %% wrong: weight starts at zero says="the weight is 0" fails=["linear-forward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# becomes: self.weight = Parameter(np.zeros((in_features, out_features)))

# %% wrong: own generator says="draw only from the rng that is passed in" fails=["linear-forward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# becomes: self.weight = Parameter(np.random.default_rng().normal(0, deviation, size=(in_features, out_features)))

# %% wrong: random bias says="the bias isn't 0 at the start" fails=["linear-forward-test"] of="base"
# was:     self.bias = Parameter(np.zeros(out_features))
# becomes: self.bias = Parameter(rng.normal(size=out_features))

# %% wrong: weight transposed says="it should be (in, out)" fails=["linear-forward-test", "linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# becomes: self.weight = Parameter(rng.normal(0, deviation, size=(out_features, in_features)))

# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.weight.data.T + self.bias.data

# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += gradients.T @ tokens

# was:     return grad_output @ self.weight.data.T
# becomes: return grad_output @ self.weight.data

# %% wrong: parameters without bias says="it must return [self.weight, self.bias]" fails=["linear-forward-test", "trainable-multi-head-parameters-test", "linear-backward-test"] of="base"
# was:     return [self.weight, self.bias]
# becomes: return [self.weight]

# %% wrong: bias first says="it must return [self.weight, self.bias]" fails=["linear-forward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return [self.weight, self.bias]
# becomes: return [self.bias, self.weight]

# %% wrong: both gradients overwritten advice="both gradients have the last round only: add each to what .grad holds, and reset nothing to 0" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.weight.grad = tokens.T @ gradients
# becomes: self.bias.grad = gradients.sum(axis=0)

# %% wrong: bias not summed over the batch advice="bias.grad is as for one sequence alone: sum over the batch as well as over the tokens" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad = self.bias.grad + grad_output.sum(axis=1)

# %% wrong: bias not summed over the sequence advice="bias.grad is as for one token of each sequence: sum over the tokens as well as over the batch" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad = self.bias.grad + grad_output.sum(axis=0)

# %% wrong: weight mean over the batch advice="the gradient of weight is divided by the batch: gradients add up, so leave the sum" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += tokens.T @ gradients / len(grad_output)

# %% wrong: no gradient of the weight advice="weight.grad is still 0: add the gradient of weight to it in backward" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes:

# %% wrong: weight copied at the start advice="forward doesn't use what weight.data holds now: read self.weight.data there, and store no copy of it" fails=["linear-forward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias = Parameter(np.zeros(out_features))
# becomes: self.bias = Parameter(np.zeros(out_features))
# becomes: self.W = self.weight.data

# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.W + self.bias.data

# %% wrong: gradient of x with the weight untransposed says="multiply it by the transposed weight" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_output @ self.weight.data.T
# becomes: return grad_output @ self.weight.data

# %% wrong: fixed seed says="draw from the rng that is passed in" fails=["linear-forward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# becomes: self.weight = Parameter(np.random.default_rng(0).normal(0, deviation, size=(in_features, out_features)))

# %% wrong: root of 2 over out says="this is √(2/out)" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = math.sqrt(2 / out_features)

# %% wrong: root of 1 over out says="this is √(1/out)" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = math.sqrt(1 / out_features)

# %% wrong: root of 6 says="the bound of uniform numbers" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = math.sqrt(6 / (in_features + out_features))

# %% wrong: a fixed deviation says="this is a fixed 0.01" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = 0.01

# %% wrong: root of in times out says="add in and out" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = math.sqrt(2 / (in_features * out_features))

# %% wrong: variance and deviation mixed up says="take the root once" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = math.sqrt(2 / (in_features + out_features)) ** 0.5

# %% wrong: brackets forgotten says="the standard deviation is" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = math.sqrt(2 / in_features + out_features)

# %% wrong: root as 1/2 without brackets says="the standard deviation is" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# becomes: deviation = (2 / (in_features + out_features)) ** 1 / 2

# %% wrong: uniform between the deviations says="take rng.normal, not rng.uniform" fails=["linear-forward-test"] of="base"
# was:     self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# becomes: self.weight = Parameter(rng.uniform(-deviation, deviation, size=(in_features, out_features)))

# %% wrong: Xavier's uniform numbers says="are not normal" fails=["linear-forward-test"] of="base"
# was:     deviation = math.sqrt(2 / (in_features + out_features))
# was:     self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# becomes: bound = math.sqrt(6 / (in_features + out_features))
# becomes: self.weight = Parameter(rng.uniform(-bound, bound, size=(in_features, out_features)))

# %% wrong: positive numbers says="the mean of the weight's numbers isn't 0" fails=["linear-forward-test"] of="base"
# was:     self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# becomes: self.weight = Parameter(rng.random(size=(in_features, out_features)) * deviation)

# %% wrong: mean and deviation swapped says="the mean of the weight's numbers isn't 0" fails=["linear-forward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# becomes: self.weight = Parameter(rng.normal(deviation, 0, size=(in_features, out_features)))

# %% wrong: bias of ones says="the bias isn't 0 at the start" fails=["linear-forward-test"] of="base"
# was:     self.bias = Parameter(np.zeros(out_features))
# becomes: self.bias = Parameter(np.ones(out_features))

# %% wrong: bias as long as the input says="it should be (out,)" fails=["linear-forward-test", "linear-backward-test"] of="base"
# was:     self.bias = Parameter(np.zeros(out_features))
# becomes: self.bias = Parameter(np.zeros(in_features))

# %% wrong: bias with two axes says="it should be (out,)" fails=["linear-forward-test", "linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias = Parameter(np.zeros(out_features))
# becomes: self.bias = Parameter(np.zeros((1, out_features)))

# %% wrong: arrays in place of Parameters says="make both Parameters" fails=["linear-forward-test", "linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# was:     self.bias = Parameter(np.zeros(out_features))
# becomes: self.weight = rng.normal(0, deviation, size=(in_features, out_features))
# becomes: self.bias = np.zeros(out_features)

# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.weight + self.bias

# %% wrong: other names says="assign both to self.weight and self.bias" fails=["linear-forward-test", "linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# was:     self.bias = Parameter(np.zeros(out_features))
# becomes: self.W = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
# becomes: self.b = Parameter(np.zeros(out_features))

# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.W.data + self.b.data

# was:     self.weight.grad += tokens.T @ gradients
# was:     self.bias.grad += gradients.sum(axis=0)
# was:     return grad_output @ self.weight.data.T
# becomes: self.W.grad += tokens.T @ gradients
# becomes: self.b.grad += gradients.sum(axis=0)
# becomes: return grad_output @ self.W.data.T

# was:     return [self.weight, self.bias]
# becomes: return [self.W, self.b]

# %% wrong: parameters are arrays says="the two Parameters themselves" fails=["linear-forward-test", "trainable-multi-head-parameters-test", "linear-backward-test"] of="base"
# was:     return [self.weight, self.bias]
# becomes: return [self.weight.data, self.bias.data]

# %% wrong: bias copied at the start advice="the bias is not added: take self.bias.data when forward runs (a copy made in the constructor misses later changes)" fails=["linear-forward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias = Parameter(np.zeros(out_features))
# becomes: self.bias = Parameter(np.zeros(out_features))
# becomes: self.b = self.bias.data

# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.weight.data + self.b

# %% wrong: bias subtracted advice="the bias is subtracted: add it" fails=["linear-forward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.weight.data - self.bias.data

# %% wrong: bias added twice advice="the bias is added twice" fails=["linear-forward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.weight.data + 2 * self.bias.data

# %% wrong: gradients in place of data in forward advice="forward computes with .grad: the numbers of a Parameter are in .data" fails=["linear-forward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.weight.grad + self.bias.grad

# %% wrong: only the first sequence advice="only the first sequence is returned: multiply x with all its axes, not x[0]" fails=["linear-forward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return x[0] @ self.weight.data + self.bias.data

# %% wrong: data forgotten says="@ self.weight" fails=["linear-forward-test", "linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.weight + self.bias

# %% wrong: weight transposed in forward says="self.weight.data.T" fails=["linear-forward-test", "linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.weight.data.T + self.bias.data

# %% wrong: forward without return advice="" says="does your function end with a return?" fails=["linear-forward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: x @ self.weight.data + self.bias.data

# %% wrong: x flattened and left so advice="the axes of the batch and of the sequence are merged: return an output with both" fails=["linear-forward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return x.reshape(-1, x.shape[-1]) @ self.weight.data + self.bias.data

# %% wrong: tokens of a sequence joined says="tokens of a sequence are joined" fails=["linear-forward-test", "linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return x.reshape(x.shape[0], -1).dot(self.weight.data) + self.bias.data

# %% wrong: tokens of a sequence joined, with the operator says="tokens of a sequence are joined" fails=["linear-forward-test", "linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return x.reshape(x.shape[0], -1) @ self.weight.data + self.bias.data

# %% wrong: bias as a product with ones says="one row per sequence is added" fails=["linear-forward-test", "linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.weight.data + np.ones((x.shape[0], 1)) @ self.bias.data[None]

# %% wrong: changes its input in forward says="changes x" fails=["linear-forward-test", "linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.x = x
# becomes: self.x = x.copy()

# was:     return x @ self.weight.data + self.bias.data
# becomes: result = x @ self.weight.data + self.bias.data
# becomes: x *= 0
# becomes: return result

# %% wrong: gradients on the data advice="weight.grad and bias.grad are still 0: add the gradients to .grad, not to .data" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.weight.data = self.weight.data + tokens.T @ gradients
# becomes: self.bias.data = self.bias.data + gradients.sum(axis=0)

# %% wrong: gradients subtracted advice="weight.grad and bias.grad have the wrong sign: add the gradients, the step subtracts them" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.weight.grad -= tokens.T @ gradients
# becomes: self.bias.grad -= gradients.sum(axis=0)

# %% wrong: no gradients at all advice="weight.grad and bias.grad are still 0: add the gradients to .grad, not to .data" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes:

# %% wrong: gradients kept under another name advice="weight.grad and bias.grad are still 0: add the gradients to .grad, not to .data" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.grad_weight = tokens.T @ gradients
# becomes: self.grad_bias = gradients.sum(axis=0)

# %% wrong: bias mean over the batch advice="the gradient of bias is divided by the batch: gradients add up, so leave the sum" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad += grad_output.mean(axis=0).sum(axis=0)

# %% wrong: bias mean over the sequence advice="the gradient of bias is divided by the length of the sequence: gradients add up, so leave the sum" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad += grad_output.mean(axis=1).sum(axis=0)

# %% wrong: both mean over the batch advice="the gradients of weight and bias are divided by the batch: they add up, so leave the sums" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.weight.grad += tokens.T @ gradients / len(grad_output)
# becomes: self.bias.grad += gradients.sum(axis=0) / len(grad_output)

# %% wrong: both mean over tokens advice="the gradients of weight and bias are divided by the number of tokens: they add up, so leave the sums" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.weight.grad += tokens.T @ gradients / len(tokens)
# becomes: self.bias.grad += gradients.sum(axis=0) / len(tokens)

# %% wrong: weight mean over the sequence advice="the gradient of weight is divided by the length of the sequence: gradients add up, so leave the sum" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += tokens.T @ gradients / grad_output.shape[1]

# %% wrong: weight from sums advice="x and the gradient are summed over the tokens before they are multiplied: multiply for each token, then sum" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += np.outer(tokens.sum(axis=0), gradients.sum(axis=0))

# %% wrong: bias from one number advice="each entry of bias.grad has the sum of all numbers: sum over batch and sequence, and keep the last axis" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad += gradients.sum()

# %% wrong: bias with an axis of length 1 advice="bias.grad has one axis too many: sum over batch and sequence without keepdims" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad = self.bias.grad + gradients.sum(axis=0, keepdims=True)

# %% wrong: weight with the batch advice="weight.grad still has the axis of the batch: sum over it as well" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad = self.weight.grad + self.x.swapaxes(1, 2) @ grad_output

# %% wrong: weight with the batch, in place says="sum over the batch as well" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += self.x.swapaxes(1, 2) @ grad_output

# %% wrong: bias not summed, in place says="sum over both batch and sequence" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad += grad_output.sum(axis=1)

# %% wrong: weight's product transposed says="the transposed x comes first" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += gradients.T @ tokens

# %% wrong: x transposed on all axes says="self.x.T @ grad_output" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += self.x.T @ grad_output

# %% wrong: x not kept says="self.x" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.x = x
# becomes:

# %% wrong: the first x kept advice="the second round uses the x of the first: store x in each forward" fails=["linear-backward-test", "trainable-multi-head-parameters-test", "trainable-multi-head-x-test"] of="base"
# was:     self.x = x
# becomes: self.x = getattr(self, "x", x)

# %% wrong: returns three says="the other two go to .grad" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_output @ self.weight.data.T
# becomes: return grad_output @ self.weight.data.T, self.weight.grad, self.bias.grad

# %% wrong: backward without return says="backward returned None" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_output @ self.weight.data.T
# becomes: grad_output @ self.weight.data.T

# %% wrong: gradient of x by the weight's gradient advice="the gradient of x is made with weight.grad: multiply by the transposed weight.data" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_output @ self.weight.data.T
# becomes: return grad_output @ self.weight.grad.T

# %% wrong: gradient of x flattened advice="the gradient of x has lost an axis: it has the shape of x, (batch, seq, in)" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_output @ self.weight.data.T
# becomes: return gradients @ self.weight.data.T

# %% wrong: gradient of x summed advice="the gradient of x is summed over the batch: each token has its own" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_output @ self.weight.data.T
# becomes: return (grad_output @ self.weight.data.T).sum(axis=0)

# %% wrong: steps at once advice="backward changes weight.data: it only adds to .grad; the step comes later" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_output @ self.weight.data.T
# becomes: self.weight.data = self.weight.data - 0.1 * self.weight.grad
# becomes: return grad_output @ self.weight.data.T

# %% wrong: gradients set back in forward advice="both gradients have the last round only: add each to what .grad holds, and reset nothing to 0" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.x = x
# becomes: self.x = x
# becomes: zero_grad(self.parameters())

# %% wrong: bias added to the weight advice="the bias is added to the weight, before the product: add it to the product" fails=["linear-forward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ (self.weight.data + self.bias.data)

# %% wrong: weight reshaped for x advice="the weight is reshaped: a reshape mixes the numbers, so transpose it" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_output @ self.weight.data.T
# becomes: return grad_output @ self.weight.data.reshape(self.weight.data.shape[1], -1)

# %% wrong: tokens reshaped in place of transposed advice="the tokens are reshaped for the product: a reshape mixes the numbers, so transpose the table" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.weight.grad += tokens.T @ gradients
# becomes: self.weight.grad += tokens.reshape(tokens.shape[1], -1) @ gradients

# %% wrong: gradient of x multiplied by x advice="the gradient of x has x in it: it is grad_output times the transposed weight alone" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_output @ self.weight.data.T
# becomes: return self.x * (grad_output @ self.weight.data.T)

# %% wrong: bias has no sum but a one advice="each entry of bias.grad is the number of tokens: sum the incoming gradient over them" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad += len(gradients)

# %% wrong: bias taken for a sum of x advice="bias.grad is made with the sum of x: it is the sum of the incoming gradient alone" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad += (tokens.sum(axis=1, keepdims=True) * gradients).sum(axis=0)

# %% wrong: Parameter transposed in backward says="take self.weight.data" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_output @ self.weight.data.T
# becomes: return grad_output @ self.weight.T

# %% wrong: Parameter transposed in forward says="take self.weight.data" fails=["linear-forward-test", "linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return x @ self.weight.reshape(x.shape[-1], -1) + self.bias.data

# %% wrong: weight copied for the way back advice="the gradient of x uses the initial weight: read self.weight.data in backward, and store no copy of it" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias = Parameter(np.zeros(out_features))
# becomes: self.bias = Parameter(np.zeros(out_features))
# becomes: self.W = self.weight.data

# was:     return grad_output @ self.weight.data.T
# becomes: return grad_output @ self.W.T

# %% wrong: bias not summed over the sequence, in place says="sum over both batch and sequence" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad += grad_output.sum(axis=0)

# %% wrong: bias from the first sequence advice="bias.grad comes from the first sequence alone: sum over the batch as well" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.bias.grad += gradients.sum(axis=0)
# becomes: self.bias.grad += grad_output[0].sum(axis=0)

# %% wrong: output stored in place of x says="store the x of forward" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.x = x
# was:     return x @ self.weight.data + self.bias.data
# becomes: self.x = x @ self.weight.data + self.bias.data
# becomes: return self.x

# %% wrong: weight of the first forward kept for backward advice="the weights of before the step are used: read self.weight.data and self.bias.data in each forward and backward, and store no copy of them" fails=["linear-backward-test"] of="base"
# was:     self.x = x
# becomes: self.x = x
# becomes: if not hasattr(self, "W"):
# becomes:     self.W = self.weight.data

# was:     return grad_output @ self.weight.data.T
# becomes: return grad_output @ self.W.T

# %% wrong: weight of the first forward kept for forward advice="the weights of before the step are used: read self.weight.data and self.bias.data in each forward and backward, and store no copy of them" fails=["linear-forward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.x = x
# was:     return x @ self.weight.data + self.bias.data
# becomes: self.x = x
# becomes: self.W = getattr(self, "W", self.weight.data)
# becomes: return x @ self.W + self.bias.data

# %% wrong: bias of the first forward kept for forward advice="the weights of before the step are used: read self.weight.data and self.bias.data in each forward and backward, and store no copy of them" fails=["linear-forward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.x = x
# was:     return x @ self.weight.data + self.bias.data
# becomes: self.x = x
# becomes: self.b = getattr(self, "b", self.bias.data)
# becomes: return x @ self.weight.data + self.b

# %% wrong: x stored in the class advice="what forward stores belongs to all layers: store it in self, not in the class or a global variable" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.x = x
# becomes: Linear.x = x

# %% wrong: x stored in a global variable advice="what forward stores belongs to all layers: store it in self, not in the class or a global variable" fails=["linear-backward-test", "trainable-multi-head-parameters-test"] of="base"
# was:     self.x = x
# becomes: global last_x
# becomes: last_x = x

# was:     tokens = self.x.reshape(-1, self.x.shape[-1])
# becomes: tokens = last_x.reshape(-1, last_x.shape[-1])

# %% wrong: forward squeezed advice="keep axes of length 1: squeeze nothing" fails=["linear-forward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return np.squeeze(x @ self.weight.data + self.bias.data)

# %% wrong: gradient of x squeezed advice="keep axes of length 1: squeeze nothing" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return grad_output @ self.weight.data.T
# becomes: return np.squeeze(grad_output @ self.weight.data.T)

# %% wrong: forward in float32 says="compute in float64" fails=["linear-forward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"] of="base"
# was:     return x @ self.weight.data + self.bias.data
# becomes: return (x @ self.weight.data + self.bias.data).astype(np.float32)

# %% wrong: backward computes in float32 says="on another random input" unseen="no visible test has such an input" visible=false fails=["linear-backward-test", "trainable-multi-head-parameters-test"]
class Linear:
    def __init__(self, in_features, out_features, rng):
        deviation = math.sqrt(2 / (in_features + out_features))
        self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
        self.bias = Parameter(np.zeros(out_features))

    def forward(self, x):
        self.x = x
        return x @ self.weight.data + self.bias.data

    def backward(self, grad_output):
        grad_output = grad_output.astype(np.float32)
        tokens = self.x.astype(np.float32).reshape(-1, self.x.shape[-1])
        gradients = grad_output.reshape(-1, grad_output.shape[-1])
        self.weight.grad += tokens.T @ gradients
        self.bias.grad += gradients.sum(axis=0)
        return grad_output @ self.weight.data.T

    def parameters(self):
        return [self.weight, self.bias]

# %% wrong: sequences of one token: only the first sequence counts says="on another random input, for weight.grad after three rounds" unseen="no visible test has such an input" visible=false fails=["linear-backward-test", "trainable-multi-head-parameters-test"]
class Linear:
    def __init__(self, in_features, out_features, rng):
        deviation = math.sqrt(2 / (in_features + out_features))
        self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
        self.bias = Parameter(np.zeros(out_features))

    def forward(self, x):
        self.x = x
        return x @ self.weight.data + self.bias.data

    def backward(self, grad_output):
        x, g = self.x, grad_output
        if x.shape[1] == 1:
            x, g = x[:1], g[:1]
        tokens, gradients = x.reshape(-1, x.shape[-1]), g.reshape(-1, g.shape[-1])
        self.weight.grad = self.weight.grad + tokens.T @ gradients
        self.bias.grad = self.bias.grad + gradients.sum(axis=0)
        return grad_output @ self.weight.data.T

    def parameters(self):
        return [self.weight, self.bias]

# %% wrong: as many inputs as outputs: the weight is not transposed in the gradient of x advice="the gradient of x needs the transposed weight, also if it has as many rows as columns" fails=["linear-backward-test", "trainable-multi-head-x-test", "trainable-multi-head-parameters-test"]
class Linear:
    def __init__(self, in_features, out_features, rng):
        deviation = math.sqrt(2 / (in_features + out_features))
        self.weight = Parameter(rng.normal(0, deviation, size=(in_features, out_features)))
        self.bias = Parameter(np.zeros(out_features))

    def forward(self, x):
        self.x = x
        return x @ self.weight.data + self.bias.data

    def backward(self, grad_output):
        tokens, gradients = self.x.reshape(-1, self.x.shape[-1]), grad_output.reshape(-1, grad_output.shape[-1])
        self.weight.grad = self.weight.grad + tokens.T @ gradients
        self.bias.grad = self.bias.grad + gradients.sum(axis=0)
        W = self.weight.data
        return grad_output @ (W if W.shape[0] == W.shape[1] else W.T)

    def parameters(self):
        return [self.weight, self.bias]
