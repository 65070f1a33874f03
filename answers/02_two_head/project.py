# %% right: the formula written out, with a row of ones
def project(X, omega, beta):
    ones = np.ones((1, X.shape[1]))
    return np.matmul(beta, ones) + np.matmul(omega, X)

# %% right: explicit loops
def project(X, omega, beta):
    projected = np.zeros((len(omega), X.shape[1]))
    for i in range(len(omega)):
        for n in range(X.shape[1]):
            projected[i, n] = beta[i, 0]
            for d in range(len(X)):
                projected[i, n] += omega[i, d] * X[d, n]
    return projected

# %% right: einsum
def project(X, omega, beta):
    return np.einsum("id,dn->in", omega, X) + beta

# %% right: rows as in lesson 01, and back
def project(X, omega, beta):
    return (X.T @ omega.T + beta.T).T

# %% right: token by token
def project(X, omega, beta):
    tokens = [omega @ X[:, n] + beta[:, 0] for n in range(X.shape[1])]
    return np.column_stack(tokens)

# %% right: bias as one more feature
def project(X, omega, beta):
    return np.hstack([omega, beta]) @ np.vstack([X, np.ones(X.shape[1])])

# %% wrong: bias left out says="the bias is missing" fails=["project-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def project(X, omega, beta):
    return omega @ X

# %% wrong: weights from the right says="Ω multiplies from the left" fails=["project-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def project(X, omega, beta):
    return beta + X @ omega

# %% wrong: weights transposed says="you transposed Ω" fails=["project-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def project(X, omega, beta):
    return beta + omega.T @ X

# %% wrong: bias added along the rows says="you added β along the rows" fails=["project-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def project(X, omega, beta):
    return beta.T + omega @ X

# %% wrong: tokens as rows says="tokens as rows" fails=["project-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def project(X, omega, beta):
    return beta + X @ omega.T

# %% wrong: tokens as rows, bias too says="tokens as rows" fails=["project-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def project(X, omega, beta):
    return X @ omega.T + beta.T

# %% wrong: result transposed says="the table is transposed" fails=["project-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def project(X, omega, beta):
    return (beta + omega @ X).T

# %% wrong: bias before the weights says="β comes after Ω" fails=["project-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def project(X, omega, beta):
    return omega @ (X + beta)

# %% wrong: bias added into the tokens that were given says="changed an array that it was given" fails=["project-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def project(X, omega, beta):
    X[:] = beta + omega @ X
    return X

# %% wrong: entry by entry says="the matrix product is @" fails=["project-test", "scaled-self-attention-test", "two-heads-test", "multihead-attention-test", "bias-gaps-test"]
def project(X, omega, beta):
    return beta + omega * X
