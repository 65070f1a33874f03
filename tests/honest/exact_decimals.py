# %% [markdown] lesson="01_single_head"
# Sums of decimals with many digits, under a context of the function's own.

# %% attention-scores
import decimal

def attention_scores(Q, K):
    with decimal.localcontext(prec=40):
        number = np.vectorize(decimal.Decimal, otypes=[object])
        return (number(np.asarray(Q, float)) @ number(np.asarray(K, float)).T).astype(float)
