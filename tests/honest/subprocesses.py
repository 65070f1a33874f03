# %% [markdown] lesson="01_single_head"
# Another Python computes, and is spoken to over its standard input and output.

# %% weight-entropy
import json
import subprocess
import sys

PROGRAM = """
import json, math, sys
rows = json.load(sys.stdin)
print(json.dumps([-math.fsum(w * math.log(w) for w in row if w > 0) for row in rows]))
"""

def weight_entropy(weights):
    weights = np.asarray(weights, float)
    rows = weights.reshape(-1, weights.shape[-1]).tolist()
    done = subprocess.run([sys.executable, "-c", PROGRAM], input=json.dumps(rows), capture_output=True, text=True)
    return np.array(json.loads(done.stdout)).reshape(weights.shape[:-1])
