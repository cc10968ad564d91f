"""Decodes Protocol Buffers, without a library."""


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """Yields the number and value of each field; a value is a number or bytes."""
    at = 0
    while at < len(data):
        head, at = varint(data, at)
        wire = head & 7
        if wire == 1:
            value, at = int.from_bytes(data[at:at + 8], "little"), at + 8
        else:
            assert wire in (0, 2), wire
            value, at = varint(data, at)
        if wire == 2:
            end = at + value
            assert end <= len(data)
            value, at = data[at:end], end
        yield head >> 3, value


def packed(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values
