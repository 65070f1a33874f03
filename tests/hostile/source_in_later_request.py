# %% [markdown] lesson="victim" category="reading" attacks=["count-test"]
# Looks for the test's source among the messages that wait to be read, before the test is run.

# %% count uses=["answer_in"]
import zmq

def count(n):
    texts, kernel = [], get_ipython().kernel
    for stream in (kernel.shell_stream, kernel.control_stream):
        try:
            texts += [str(part) for part in stream.socket.recv_multipart(zmq.NOBLOCK)]
        except (zmq.ZMQError, AttributeError):
            pass
    return answer_in("".join(texts), n)
