# %% [markdown] lesson="01_single_head"
# Own cells with doctest and unittest, logging at every level, and input that nobody gives.

# %% softmax
import doctest
import logging
import unittest

logging.basicConfig(level=logging.DEBUG, force=True)
logger = logging.getLogger(__name__)

def softmax(scores, axis=-1):
    """Shares.

    >>> softmax(np.zeros(2)).tolist()
    [0.5, 0.5]
    """
    logger.debug("softmax of %s along %s", np.shape(scores), axis)
    powers = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    logger.warning("it sums to %s", powers.sum())
    return powers / powers.sum(axis=axis, keepdims=True)

# %% after: softmax
class TestSoftmax(unittest.TestCase):
    def test_sums(self):
        self.assertAlmostEqual(softmax(np.arange(3.0)).sum(), 1)

doctest.testmod(verbose=True)
unittest.main(argv=[""], exit=False)

# %% before: attention-scores
name = input("Who are you? ")
