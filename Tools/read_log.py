#!/usr/bin/env python3
"""Prints the records of a log as JSON Lines; written from Format.md alone, with no library."""
import json, os, struct, sys

POLY = 0x82F63B78
TABLE = []
for i in range(256):
    for _ in range(8):
        i = (i >> 1) ^ (POLY if i & 1 else 0)
    TABLE.append(i)


def crc(start, data):
    c = start ^ 0xFFFFFFFF
    for byte in data:
        c = (c >> 8) ^ TABLE[(c ^ byte) & 0xFF]
    return c ^ 0xFFFFFFFF


def header(data, size, magic):
    for at in (0, size):
        part = data[at:at + size]
        if len(part) == size and part[:8] == magic and crc(0, part[:-4]) == struct.unpack("<I", part[-4:])[0]:
            return part
    return None


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def lz4(data, size):
    out, at = bytearray(), 0
    while True:
        token = data[at]; at += 1
        n = token >> 4
        if n == 15:
            while True:
                b = data[at]; at += 1; n += b
                if b != 255: break
        out += data[at:at + n]; at += n
        if at == len(data):
            assert len(out) == size
            return bytes(out)
        offset = data[at] | data[at + 1] << 8; at += 2
        n = token & 15
        if n == 15:
            while True:
                b = data[at]; at += 1; n += b
                if b != 255: break
        for _ in range(n + 4):
            out.append(out[-offset])


def block_records(head, stored):
    codec, columns = head[10], head[11]
    raw_size, first, n = struct.unpack("<I", head[20:24])[0], struct.unpack("<Q", head[24:32])[0], struct.unpack("<I", head[32:36])[0]
    earliest = struct.unpack("<Q", head[40:48])[0]
    raw = lz4(stored, raw_size) if codec == 1 else stored
    kinds = raw[:n]
    streams = [raw[n + i] | raw[2 * n + i] << 8 for i in range(n)]
    at, lengths, times = 3 * n, [], []
    for _ in range(n):
        v, at = varint(raw, at)
        lengths.append(v)
    time = earliest
    for _ in range(n):
        v, at = varint(raw, at)
        time += (v >> 1) ^ -(v & 1)
        times.append(time)
    payloads = [bytearray() for _ in range(n)]
    if columns == 0:
        for i in range(n):
            payloads[i] = raw[at:at + lengths[i]]
            at += lengths[i]
    else:
        for kind in sorted(set(kinds)):
            group = [i for i in range(n) if kinds[i] == kind]
            for column in range(columns):
                for i in group:
                    if lengths[i] > column:
                        payloads[i].append(raw[at]); at += 1
            for i in group:
                rest = max(0, lengths[i] - columns)
                payloads[i] += raw[at:at + rest]; at += rest
    assert at == len(raw)
    return [(first + i, kinds[i], streams[i], times[i], bytes(payloads[i])) for i in range(n)]


def segment(data):
    head = header(data, 96, b"RTRCSEG\n")
    if head is None: return None
    seed = crc(0, head[24:32])
    run = struct.unpack("<I", head[40:44])[0]
    at, records = 192, []
    while at + 64 <= len(data):
        if data[at:at + 4] == b"RFTR": break
        part = data[at:at + 64]
        size, stored_size = struct.unpack("<H", part[8:10])[0], struct.unpack("<I", part[16:20])[0]
        full = data[at:at + size]
        good = part[:4] == b"RBLK" and len(full) == size and crc(seed, full[8:]) == struct.unpack("<I", part[4:8])[0]
        if not good:
            at += 1
            continue
        stored = data[at + size:at + size + stored_size]
        if len(stored) < stored_size: break
        if crc(seed, stored) == struct.unpack("<I", part[36:40])[0] and not part[12] & 1:
            records += [(run,) + r for r in block_records(full, stored)]
        at += size + stored_size
    return records


def tail(data):
    head = header(data, 64, b"RTRCTAI\n")
    if head is None: return []
    seed = crc(0, head[16:24])
    sequence, base = struct.unpack("<QQ", head[24:40])
    run = struct.unpack("<I", head[40:44])[0]
    at, records = 128, []
    while at + 16 <= len(data):
        length, check = struct.unpack("<II", data[at:at + 8])
        if length < 16 or length > 16 + (64 << 20): break
        kind = data[at + 8]
        padded = (length - 16 + 7) & ~7
        covered = data[at:at + 4] + data[at + 8:at + 16] + (b"" if kind == 0 else data[at + 16:at + 16 + padded])
        if crc(seed, covered) != check: break
        if kind:
            stream = struct.unpack("<H", data[at + 9:at + 11])[0]
            time = base + int.from_bytes(data[at + 11:at + 16], "little")
            records.append((run, sequence, kind, stream, time, data[at + 16:at + length]))
            sequence += 1
        at += 16 + padded
    return records


def read(path):
    names = sorted(os.listdir(path))
    load = lambda name: open(os.path.join(path, name), "rb").read()
    records, following = [], None
    parts = [segment(load(n)) or [] for n in names if n.endswith(".segment")]
    tails = [tail(load(n)) for n in names if n.endswith((".tail", ".copy"))]
    parts += sorted((t for t in tails if t), key=lambda t: (t[0][1], -len(t)))
    for part in parts:
        for record in part:
            if following is None or record[1] >= following:
                records.append(record)
                following = record[1] + 1
    return records


if __name__ == "__main__":
    for run, sequence, kind, stream, time, payload in read(sys.argv[1]):
        print(json.dumps({"sequence": sequence, "run": run, "stream": stream, "kind": kind, "time": time, "payload": payload.hex()}))
