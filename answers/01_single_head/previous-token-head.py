# %% right: fills the matrices in a loop
def previous_token_head(n):
    W_Q, W_K = np.zeros((n, n)), np.zeros((n, n))
    for position in range(n):
        W_K[position, position] = 100.0
        if position > 0:
            W_Q[position, position - 1] = 100.0
    return W_Q, W_K

# %% right: the key is shifted, the query is the position
def previous_token_head(n):
    return np.eye(n) * 30 * n, np.eye(n, k=1)

# %% right: a circular shift, since the first token is free
def previous_token_head(n):
    return np.roll(np.eye(n), -1, axis=1) * 12 * math.sqrt(n), np.eye(n)

# %% right: directions on a circle
def previous_token_head(n):
    angle = 2 * np.pi * np.arange(n) / n
    W_Q, W_K = np.zeros((n, n)), np.zeros((n, n))
    W_Q[:, 0], W_Q[:, 1] = np.cos(angle - angle[1]), np.sin(angle - angle[1])
    W_K[:, 0], W_K[:, 1] = np.cos(angle), np.sin(angle)
    return W_Q * 1e5, W_K

# %% right: nested lists
def previous_token_head(n):
    W_Q = [[200 if column == row - 1 else 0 for column in range(n)] for row in range(n)]
    W_K = [[int(column == row) for column in range(n)] for row in range(n)]
    return W_Q, W_K

# %% wrong: looks at itself says="a token looks at itself"
def previous_token_head(n):
    return 100 * np.eye(n), np.eye(n)

# %% wrong: looks at the next token says="a token looks at the next one"
def previous_token_head(n):
    return 100 * np.eye(n, k=1), np.eye(n)

# %% wrong: both shifted, which cancels says="a token looks at itself"
def previous_token_head(n):
    return 100 * np.eye(n, k=-1), np.eye(n, k=-1)

# %% wrong: much too weak says="the token before gets only"
def previous_token_head(n):
    return np.eye(n, k=-1), np.eye(n)

# %% wrong: strong enough for short sentences only, the scale forgotten says="for n=40, the token before gets only"
def previous_token_head(n):
    return 20 * np.eye(n, k=-1), np.eye(n)

# %% wrong: zeros says="the token before gets only"
def previous_token_head(n):
    return np.zeros((n, n)), np.zeros((n, n))

# %% wrong: always three tokens says="both matrices must be"
def previous_token_head(n):
    return 100 * np.eye(3, k=-1), np.eye(3)

# %% wrong: infinite says="nan or infinite"
def previous_token_head(n):
    return np.where(np.eye(n, k=-1) > 0, np.inf, 0), np.eye(n)
