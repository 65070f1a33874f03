# %% [markdown] lesson="01_single_head"
# Cells that begin with shell lines and the idioms of Colab, with the answer below them.

# %% softmax
!pip install -q numpy scipy no-such-package-of-anybody
%pip install --upgrade matplotlib
import numpy as np

def softmax(scores, axis=-1):
    shifted = scores - np.max(scores, axis=axis, keepdims=True)
    exponentials = np.exp(shifted)
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)

# %% before: attention-scores
!pip install numpy
import numpy as mynp

# %% attention-scores
from google.colab import drive, files
drive.mount("/content/drive")
uploaded = files.upload()
%cd /content/drive/MyDrive

def attention_scores(Q, K):
    return mynp.matmul(Q, K.T)

# %% attention-weights
%conda install numpy
%mkdir -p results/weights
!ls -l results > results/list.txt; cat results/list.txt no-such-file
folders = !ls results

def attention_weights(Q, K):
    assert "weights" in folders
    return softmax(attention_scores(Q, K) / np.sqrt(Q.shape[-1]))

# %% fold-weights
!nvidia-smi
!apt-get -qq install -y graphviz
!sleep 1000 &

def fold_weights(W_Q, W_K, W_V, W_O):
    return W_Q @ W_K.T, W_V @ W_O

# %% before: plot-attention
%matplotlib widget
plt.rcParams["figure.figsize"] = (12, 3)

# %% previous-token-head
!wget -q https://example.org/data.csv
!git clone https://example.org/nobody/nothing.git
%cat helper.txt
root = np.sqrt

def previous_token_head(n):
    return 20 * root(n) * np.eye(n, k=-1), np.eye(n)
