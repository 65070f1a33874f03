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

# %% wrong: looks at itself says="Every token attends to itself"
def previous_token_head(n):
    return 100 * np.eye(n), np.eye(n)

# %% wrong: looks at the next token says="The tokens attend to the next one"
def previous_token_head(n):
    return 100 * np.eye(n, k=1), np.eye(n)

# %% wrong: the key is shifted the other way says="The tokens attend to the next one"
def previous_token_head(n):
    return 100 * np.eye(n), np.eye(n, k=-1)

# %% wrong: both shifted, which cancels says="Every token attends to itself"
def previous_token_head(n):
    return 100 * np.eye(n, k=-1), np.eye(n, k=-1)

# %% wrong: both shifted, in opposite directions says="The tokens attend two places back"
def previous_token_head(n):
    return 100 * np.eye(n, k=-1), np.eye(n, k=1)

# %% wrong: two places says="The tokens attend two places back"
def previous_token_head(n):
    return 100 * np.eye(n, k=-2), np.eye(n)

# %% wrong: all tokens before says="only to column i - 1"
def previous_token_head(n):
    return 100 * np.tri(n, k=-1), np.eye(n)

# %% wrong: itself and the token before says="only to column i - 1"
def previous_token_head(n):
    return 100 * (np.eye(n) + np.eye(n, k=-1)), np.eye(n)

# %% wrong: the sign says="must be positive"
def previous_token_head(n):
    return -100 * np.eye(n, k=-1), np.eye(n)

# %% wrong: much too weak says="the weight is too small"
def previous_token_head(n):
    return np.eye(n, k=-1), np.eye(n)

# %% wrong: too weak, with the root says="the weight is too small"
def previous_token_head(n):
    return np.sqrt(n) * np.eye(n, k=-1), np.eye(n)

# %% wrong: ten says="the weight is too small"
def previous_token_head(n):
    return 10 * np.eye(n, k=-1), np.eye(n)

# %% wrong: strong enough for short sentences only, the scale forgotten says="the weight is too small"
def previous_token_head(n):
    return 20 * np.eye(n, k=-1), np.eye(n)

# %% wrong: strong enough for short sentences only, for all but the scale says="the weight is too small"
def previous_token_head(n):
    return 6 * np.sqrt(n) * np.eye(n, k=-1), np.eye(n)

# %% wrong: zeros says="larger than all others"
def previous_token_head(n):
    return np.zeros((n, n)), np.zeros((n, n))

# %% wrong: always three tokens says="two matrices"
def previous_token_head(n):
    return 100 * np.eye(3, k=-1), np.eye(3)

# %% wrong: one matrix says="two matrices"
def previous_token_head(n):
    return 100 * np.eye(n, k=-1)

# %% wrong: the weights too says="two matrices"
def previous_token_head(n):
    W_Q, W_K = 100 * np.eye(n, k=-1), np.eye(n)
    return W_Q, W_K, attention_weights(W_Q, W_K)

# %% wrong: infinite says="NaN or infinite"
def previous_token_head(n):
    return np.where(np.eye(n, k=-1) > 0, np.inf, 0), np.eye(n)

# %% wrong: forgets to return says="does your function end with a return?"
def previous_token_head(n):
    W_Q, W_K = 100 * np.eye(n, k=-1), np.eye(n)

# %% wrong: rolled the other way says="The tokens attend to the next one"
def previous_token_head(n):
    return 100 * np.roll(np.eye(n), 1, axis=1), np.eye(n)

# %% wrong: all tokens after says="to column i - 1"
def previous_token_head(n):
    return 100 * np.triu(np.ones((n, n)), 1), np.eye(n)

# %% wrong: the first token only says="to column i - 1"
def previous_token_head(n):
    W_Q = np.zeros((n, n))
    W_Q[:, 0] = 100 * n
    return W_Q, np.eye(n)

# %% wrong: the shares in place of the scores says="the weight is too small"
def previous_token_head(n):
    return softmax(100 * np.eye(n, k=-1)), np.eye(n)

# %% wrong: one place too far says="out of bounds"
def previous_token_head(n):
    W_Q = np.zeros((n, n))
    for i in range(n):
        W_Q[i, i + 1] = 100
    return W_Q, np.eye(n)

# %% wrong: what hint 1 asks for, rounded down says="the weight is too small"
def previous_token_head(n):
    return 52 * np.eye(n, k=-1), np.eye(n)

# %% wrong: large enough for 40 tokens if nothing were divided says="the weight is too small"
def previous_token_head(n):
    return 8.26 * np.eye(n, k=-1), np.eye(n)

# %% wrong: n times says="the weight is too small"
def previous_token_head(n):
    return n * np.eye(n, k=-1), np.eye(n)

# %% wrong: n² times, too little for two tokens says="the weight is too small"
def previous_token_head(n):
    return n**2 * np.eye(n, k=-1), np.eye(n)

# %% wrong: as if there were one other key says="the weight is too small"
def previous_token_head(n):
    return np.sqrt(n) * np.log(99) * np.eye(n, k=-1), np.eye(n)

# %% wrong: five in both matrices says="the weight is too small"
def previous_token_head(n):
    return 5 * np.eye(n, k=-1), 5 * np.eye(n)

# %% wrong: weak, and towards the next token says="The tokens attend to the next one"
def previous_token_head(n):
    return np.eye(n, k=1), np.eye(n)

# %% wrong: weak, and towards itself says="Every token attends to itself"
def previous_token_head(n):
    return 5 * np.eye(n), np.eye(n)

# %% wrong: weak, and towards all tokens before says="only to column i - 1"
def previous_token_head(n):
    return 3 * np.tri(n, k=-1), np.eye(n)

# %% wrong: the sign of weak numbers says="must be positive"
def previous_token_head(n):
    return -5 * np.eye(n, k=-1), np.eye(n)

# %% wrong: nothing for token 1 says="larger than all others"
def previous_token_head(n):
    W_Q = 20 * np.sqrt(n) * np.eye(n, k=-1)
    W_Q[1] = 0
    return W_Q, np.eye(n)
