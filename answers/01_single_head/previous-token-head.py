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

# %% wrong: looks at itself advice="Every token looks at itself: the large numbers of W_Q W_Kᵀ must stand one column to the left of the diagonal."
def previous_token_head(n):
    return 100 * np.eye(n), np.eye(n)

# %% wrong: looks at the next token advice="The tokens look at the next one: shift one of the matrices the other way."
def previous_token_head(n):
    return 100 * np.eye(n, k=1), np.eye(n)

# %% wrong: the key is shifted the other way advice="The tokens look at the next one: shift one of the matrices the other way."
def previous_token_head(n):
    return 100 * np.eye(n), np.eye(n, k=-1)

# %% wrong: both shifted, which cancels advice="Every token looks at itself: the large numbers of W_Q W_Kᵀ must stand one column to the left of the diagonal."
def previous_token_head(n):
    return 100 * np.eye(n, k=-1), np.eye(n, k=-1)

# %% wrong: both shifted, in opposite directions advice="The tokens look two places back: shift only one of the two matrices, by one place."
def previous_token_head(n):
    return 100 * np.eye(n, k=-1), np.eye(n, k=1)

# %% wrong: two places advice="The tokens look two places back: shift only one of the two matrices, by one place."
def previous_token_head(n):
    return 100 * np.eye(n, k=-2), np.eye(n)

# %% wrong: all tokens before advice="The tokens share among all before them: give a large number only to column i - 1 of row i of W_Q W_Kᵀ."
def previous_token_head(n):
    return 100 * np.tri(n, k=-1), np.eye(n)

# %% wrong: itself and the token before advice="The tokens share between themselves and the one before: give a large number only to column i - 1 of row i of W_Q W_Kᵀ."
def previous_token_head(n):
    return 100 * (np.eye(n) + np.eye(n, k=-1)), np.eye(n)

# %% wrong: the sign advice="The token before gets the least: the large number of row i of W_Q W_Kᵀ must be positive."
def previous_token_head(n):
    return -100 * np.eye(n, k=-1), np.eye(n)

# %% wrong: much too weak advice="It is the right place, but too weak: make the numbers larger, for they are divided by √n, and all other keys count as well."
def previous_token_head(n):
    return np.eye(n, k=-1), np.eye(n)

# %% wrong: too weak, with the root advice="It is the right place, but too weak: make the numbers larger, for they are divided by √n, and all other keys count as well."
def previous_token_head(n):
    return np.sqrt(n) * np.eye(n, k=-1), np.eye(n)

# %% wrong: ten advice="It is the right place, but too weak: make the numbers larger, for they are divided by √n, and all other keys count as well."
def previous_token_head(n):
    return 10 * np.eye(n, k=-1), np.eye(n)

# %% wrong: strong enough for short sentences only, the scale forgotten advice="It is the right place, but too weak for many tokens: make the numbers grow with √n, which they are divided by."
def previous_token_head(n):
    return 20 * np.eye(n, k=-1), np.eye(n)

# %% wrong: strong enough for short sentences only, for all but the scale advice="It is the right place, but too weak for many tokens: make the numbers larger, for all other keys count as well."
def previous_token_head(n):
    return 6 * np.sqrt(n) * np.eye(n, k=-1), np.eye(n)

# %% wrong: zeros advice="Each token gives all the same: one score in each row of W_Q W_Kᵀ must be larger than the others."
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

# %% wrong: rolled the other way advice="The tokens look at the next one: roll the identity the other way."
def previous_token_head(n):
    return 100 * np.roll(np.eye(n), 1, axis=1), np.eye(n)

# %% wrong: all tokens after advice="The tokens look at those after them: give a large number only to column i - 1 of row i of W_Q W_Kᵀ."
def previous_token_head(n):
    return 100 * np.triu(np.ones((n, n)), 1), np.eye(n)

# %% wrong: the first token only advice="All tokens look at token 0: give the large number of row i of W_Q W_Kᵀ to column i - 1."
def previous_token_head(n):
    W_Q = np.zeros((n, n))
    W_Q[:, 0] = 100 * n
    return W_Q, np.eye(n)

# %% wrong: the shares in place of the scores advice="It is the right place, but too weak: make the numbers larger, for they are divided by √n, and all other keys count as well."
def previous_token_head(n):
    return softmax(100 * np.eye(n, k=-1)), np.eye(n)

# %% wrong: one place too far says="out of bounds"
def previous_token_head(n):
    W_Q = np.zeros((n, n))
    for i in range(n):
        W_Q[i, i + 1] = 100
    return W_Q, np.eye(n)
