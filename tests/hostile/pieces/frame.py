def frame(header, *buffers):
    text = json.dumps(header).encode()
    lengths = len(text), len(buffers), *map(len, buffers)
    return struct.pack(f"!{len(lengths)}Q", *lengths) + text + b"".join(buffers)
