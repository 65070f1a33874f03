def frame(header, *buffers):
    text = json.dumps(header).encode()
    head = struct.pack(f"!2I{len(buffers)}Q", len(text), len(buffers), *map(len, buffers))
    return head + text + b"".join(buffers)
