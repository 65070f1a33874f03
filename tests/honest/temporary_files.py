# %% [markdown] lesson="01_single_head"
# Intermediate numbers go through temporary files of every kind.

# %% attention-scores
import os
import tempfile

def attention_scores(Q, K):
    folder = tempfile.mkdtemp()
    np.save(os.path.join(folder, "scores.npy"), Q @ K.T)
    with tempfile.TemporaryFile() as file:
        np.save(file, np.load(os.path.join(folder, "scores.npy")))
        file.seek(0)
        scores = np.load(file)
    with tempfile.NamedTemporaryFile(suffix=".npy") as file, tempfile.TemporaryDirectory() as other:
        np.save(file.name, scores)
        np.save(os.path.join(other, "scores.npy"), np.load(file.name))
        scores = np.load(os.path.join(other, "scores.npy"))
    with open(os.path.join(tempfile.gettempdir(), "scores.txt"), "w") as file:
        file.write("done")
    with tempfile.SpooledTemporaryFile(max_size=8) as file:
        np.save(file, scores)
        file.seek(0)
        return np.load(file)
