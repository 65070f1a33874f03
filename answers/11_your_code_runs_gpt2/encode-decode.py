# %% right: a comprehension, a bytearray
def encode(text, byte_ids, merges):
    return [one for part in split_into_pieces(text) for one in apply_merges([byte_ids[b] for b in bytes(part, "utf8")], merges)]


def decode(ids, vocab):
    made = bytearray()
    for one in ids:
        made += vocab[one]
    return str(bytes(made), "utf-8", "replace")

# %% right: map, sum
def encode(text, byte_ids, merges):
    pieces = [list(map(byte_ids.__getitem__, part.encode())) for part in split_into_pieces(text)]
    return sum((apply_merges(part, merges) for part in pieces), [])


def decode(ids, vocab):
    return bytes(byte for one in ids for byte in vocab[one]).decode(errors="replace")

# %% right: a dict of pieces that were seen
def encode(text, byte_ids, merges):
    known, made = {}, []
    for part in split_into_pieces(text):
        if part not in known:
            known[part] = apply_merges([byte_ids[byte] for byte in part.encode("utf-8")], merges)
        made += known[part]
    return made


def decode(ids, vocab):
    return b"".join([vocab[int(one)] for one in ids]).decode("utf-8", "replace")

# %% wrong: characters and not bytes advice="The characters themselves are looked up: encode each piece to UTF-8 bytes first." fails=["encode-decode-encode-test"] of="reference"
# was:             ids.extend(apply_merges([byte_ids[byte] for byte in part.encode("utf-8")], merges))
# becomes:         ids.extend(apply_merges([byte_ids[ord(one) % 256] for one in part], merges))

# %% wrong: Latin-1 advice="The pieces are encoded as Latin-1: encode them as UTF-8." fails=["encode-decode-encode-test"] of="reference"
# was:             ids.extend(apply_merges([byte_ids[byte] for byte in part.encode("utf-8")], merges))
# becomes:         ids.extend(apply_merges([byte_ids[byte] for byte in part.encode("latin-1", "replace")], merges))

# %% wrong: the byte is the id advice="A byte is not its own id: look it up in byte_ids." fails=["encode-decode-encode-test"] of="reference"
# was:             ids.extend(apply_merges([byte_ids[byte] for byte in part.encode("utf-8")], merges))
# becomes:         ids.extend(apply_merges(list(part.encode("utf-8")), merges))

# %% wrong: looked up the wrong way advice="byte_ids is used in the wrong direction: byte_ids[byte] is the id of a byte." fails=["encode-decode-encode-test"] of="reference"
# was:             ids.extend(apply_merges([byte_ids[byte] for byte in part.encode("utf-8")], merges))
# becomes:         ids.extend(apply_merges([byte_ids.index(byte) for byte in part.encode("utf-8")], merges))

# %% wrong: no pieces advice="Merges cross the borders of pieces: split the text into pieces, and merge each one separately." fails=["encode-decode-encode-test"]
def encode(text, byte_ids, merges):
    return apply_merges([byte_ids[byte] for byte in text.encode("utf-8")], merges)


def decode(ids, vocab):
    return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace")

# %% wrong: words by split advice="Spaces are lost or cut off: use split_into_pieces, which keeps every character." fails=["encode-decode-encode-test"] of="reference"
# was:     for part in split_into_pieces(text):
# becomes: for part in text.split():

# %% wrong: merged after all pieces are joined advice="Merges cross the borders of pieces: split the text into pieces, and merge each one separately." fails=["encode-decode-encode-test"]
def encode(text, byte_ids, merges):
    ids = []
    for part in split_into_pieces(text):
        ids.extend(byte_ids[byte] for byte in part.encode("utf-8"))
    return apply_merges(ids, merges)


def decode(ids, vocab):
    return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace")

# %% wrong: nothing merged advice="Nothing is merged: call apply_merges for the ids of each piece." fails=["encode-decode-encode-test"] of="reference"
# was:             ids.extend(apply_merges([byte_ids[byte] for byte in part.encode("utf-8")], merges))
# becomes:         ids.extend([byte_ids[byte] for byte in part.encode("utf-8")])

# %% wrong: only the last piece advice="Only the ids of the last piece are returned: collect those of all pieces." fails=["encode-decode-encode-test"] of="reference"
# was:             ids.extend(apply_merges([byte_ids[byte] for byte in part.encode("utf-8")], merges))
# becomes:         ids = apply_merges([byte_ids[byte] for byte in part.encode("utf-8")], merges)

# %% wrong: decoded token by token advice="Each token is decoded alone, so characters of several tokens are lost: join the bytes of all tokens, then decode once." fails=["encode-decode-decode-test"] of="reference"
# was:     return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace")
# becomes: return "".join(vocab[one].decode("utf-8", errors="replace") for one in ids)

# %% wrong: decoded as Latin-1 advice="Each byte became a character: decode the bytes as UTF-8." fails=["encode-decode-decode-test"] of="reference"
# was:     return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace")
# becomes: return b"".join(vocab[one] for one in ids).decode("latin-1")

# %% wrong: invalid bytes ignored advice="Bytes that are not valid are left out: decode with errors=\"replace\"." fails=["encode-decode-decode-test"] of="reference"
# was:     return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace")
# becomes: return b"".join(vocab[one] for one in ids).decode("utf-8", errors="ignore")

# %% wrong: invalid bytes raise says="can't decode" fails=["encode-decode-decode-test"] of="reference"
# was:     return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace")
# becomes: return b"".join(vocab[one] for one in ids).decode("utf-8")

# %% wrong: a space between tokens advice="There are spaces between the tokens: a token contains its own space, so join with nothing between." fails=["encode-decode-decode-test"] of="reference"
# was:     return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace")
# becomes: return b" ".join(vocab[one] for one in ids).decode("utf-8", errors="replace")

# %% wrong: bytes are returned says="decode the joined bytes" fails=["encode-decode-decode-test"] of="reference"
# was:     return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace")
# becomes: return b"".join(vocab[one] for one in ids)

# %% wrong: pieces kept between calls advice="These are the tokens of an earlier call with other merges: keep nothing from one call to the next." fails=["encode-decode-encode-test"]
pieces_before = {}


def encode(text, byte_ids, merges):
    ids = []
    for part in split_into_pieces(text):
        if part not in pieces_before:
            pieces_before[part] = apply_merges([byte_ids[byte] for byte in part.encode("utf-8")], merges)
        ids.extend(pieces_before[part])
    return ids


def decode(ids, vocab):
    return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace")

# %% wrong: line breaks made uniform advice="A character is lost or changed before the text is encoded: \\r\\n stays two characters." fails=["encode-decode-encode-test"] of="reference"
# was:     for part in split_into_pieces(text):
# becomes: for part in split_into_pieces(text.replace("\r\n", "\n")):

# %% wrong: accents composed advice="The text was normalized: an e and an accent after it stay two characters." fails=["encode-decode-encode-test"] of="reference"
# was:     for part in split_into_pieces(text):
# becomes: for part in split_into_pieces(unicodedata.normalize("NFC", text)):

# %% wrong: lists of ids says="with extend, not with append" fails=["encode-decode-encode-test"] of="reference"
# was:     ids.extend(apply_merges([byte_ids[byte] for byte in part.encode("utf-8")], merges))
# becomes: ids.append(apply_merges([byte_ids[byte] for byte in part.encode("utf-8")], merges))

# %% wrong: numbers of characters says="encode each piece as UTF-8 bytes" fails=["encode-decode-encode-test"] of="reference"
# was:     ids.extend(apply_merges([byte_ids[byte] for byte in part.encode("utf-8")], merges))
# becomes: ids.extend(apply_merges([byte_ids[ord(one)] for one in part], merges))

# %% wrong: token by token, and invalid bytes raise says="join the bytes of all tokens" fails=["encode-decode-decode-test"] of="reference"
# was:     return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace")
# becomes: return "".join(vocab[one].decode("utf-8") for one in ids)

# %% wrong: an unfinished character at the end is dropped advice="An unfinished character at the end is left out: keep the � that errors=\"replace\" writes there." fails=["encode-decode-decode-test"] of="reference"
# was:     return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace")
# becomes: return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace").rstrip("�")

# %% wrong: a space in front of the text advice="A space was put in front of the text: encode it as it is." fails=["encode-decode-encode-test"] of="reference"
# was:     for part in split_into_pieces(text):
# becomes: for part in split_into_pieces(" " + text):

# %% wrong: the text stripped advice="Spaces at the beginning or end of the text are lost: encode it as it is." fails=["encode-decode-encode-test"] of="reference"
# was:     for part in split_into_pieces(text):
# becomes: for part in split_into_pieces(text.strip()):

# %% wrong: the decoded text stripped advice="A space at the beginning or end is lost: return the decoded text as it is." fails=["encode-decode-decode-test"] of="reference"
# was:     return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace")
# becomes: return b"".join(vocab[one] for one in ids).decode("utf-8", errors="replace").strip()

# %% wrong: decode drops a byte order mark says="the text of single bytes is another one" unseen="no visible test has such an input" visible=false fails=["encode-decode-decode-test"]
def encode(text, byte_ids, merges):
    ids = []
    for piece in split_into_pieces(text):
        ids.extend(apply_merges([byte_ids[byte] for byte in piece.encode("utf-8")], merges))
    return ids


def decode(ids, vocab):
    return b"".join(vocab[one] for one in ids).decode("utf-8-sig", errors="replace")
