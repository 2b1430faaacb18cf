#!/usr/bin/env python3
"""Prints the records of a log as JSON Lines, with no library but Python's own.

    Tools/read_log.py session.retrace

It was written from Sources/ActionLog/ActionLog.docc/Format.md alone, to show that the page is
enough. It reads what can be read, in order, and never writes. Gaps are told on the standard error.
Exit status: 0 all was read, 1 this is no log that it can read, 3 records are missing.
"""
import json
import os
import struct
import sys

VERSION = 1
MAXIMUM_PAYLOAD = 64 << 20
MAXIMUM_RAW = (64 << 20) + (64 << 10)
SEGMENT_MAGIC, SEGMENT_HEADER = b"RTRCSEG\n", 96
TAIL_MAGIC, TAIL_HEADER = b"RTRCTAI\n", 64
FOOTER_MAGIC, BLOCK_MAGIC, BLOCK_HEADER = b"RFTR", b"RBLK", 64


class NotALog(Exception):
    """What cannot be read at all, with the reason."""


# MARK: Numbers and checksums


def make_table():
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


TABLE = make_table()


def checksum(start, data):
    """Extends a CRC32C by bytes."""
    value = start ^ 0xFFFFFFFF
    for byte in data:
        value = (value >> 8) ^ TABLE[(value ^ byte) & 0xFF]
    return value ^ 0xFFFFFFFF


def number(data, at, size):
    return int.from_bytes(data[at:at + size], "little")


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def unpack_lz4(data, size):
    """One LZ4 block, without a frame."""

    def length(value, at):
        if value == 15:
            while True:
                value += data[at]
                at += 1
                if data[at - 1] != 255:
                    break
        return value, at

    out, at = bytearray(), 0
    while True:
        token = data[at]
        count, at = length(token >> 4, at + 1)
        out += data[at:at + count]
        at += count
        if at == len(data):
            break
        distance = number(data, at, 2)
        count, at = length(token & 15, at + 2)
        if distance == 0 or distance > len(out) or len(out) + count + 4 > size:
            raise ValueError("a match outside the block")
        for _ in range(count + 4):
            out.append(out[-distance])
    if len(out) != size:
        raise ValueError("a block of another size")
    return bytes(out)


# MARK: Headers


def find_header(data, size, magic, name, features):
    """The header that stands twice in a row; None when neither copy is right."""
    copies = [data[at:at + size] for at in (0, size) if len(data) >= at + size]
    for copy in copies:
        if copy[:8] == magic and checksum(0, copy[:-4]) == number(copy, size - 4, 4):
            if number(copy, 8, 2) != VERSION or number(copy, features, 4) != 0:
                raise NotALog(f"{name} is of a version or has a feature that is not known here")
            return copy
    versions = {number(copy, 8, 2) for copy in copies if copy[:8] == magic}
    if len(copies) == 2 and len(versions) == 1 and versions.pop() > VERSION:
        raise NotALog(f"{name} is of a version that is not known here")
    return None


# MARK: Segments


def block_records(header, stored):
    count = number(header, 32, 4)
    raw_size = number(header, 20, 4)
    raw = unpack_lz4(stored, raw_size) if header[10] == 1 else stored
    kinds = raw[:count]
    streams = [raw[count + i] | raw[2 * count + i] << 8 for i in range(count)]
    at, lengths, times, time = 3 * count, [], [], number(header, 40, 8)
    for _ in range(count):
        length, at = varint(raw, at)
        lengths.append(length)
    for _ in range(count):
        delta, at = varint(raw, at)
        time += (delta >> 1) ^ -(delta & 1)
        times.append(time)
    payloads, at = gather(raw, at, kinds, lengths, header[11])
    if at != len(raw):
        raise ValueError("a block whose payloads do not end where it does")
    first = number(header, 24, 8)
    return [
        (first + i, kinds[i], streams[i], times[i], bytes(payloads[i])) for i in range(count)]


def gather(raw, at, kinds, lengths, columns):
    """The payloads, side by side again."""
    payloads = [bytearray() for _ in kinds]
    if columns == 0:
        for i, length in enumerate(lengths):
            payloads[i] += raw[at:at + length]
            at += length
        return payloads, at
    for kind in sorted(set(kinds)):
        group = [i for i, other in enumerate(kinds) if other == kind]
        for column in range(columns):
            for i in group:
                if lengths[i] > column:
                    payloads[i].append(raw[at])
                    at += 1
        for i in group:
            rest = max(0, lengths[i] - columns)
            payloads[i] += raw[at:at + rest]
            at += rest
    return payloads, at


def segment_records(data, name):
    """What a segment holds: its run, its first number, and for each block its numbers and records.

    A block that cannot be unpacked is left out. None when the header cannot be read.
    """
    header = find_header(data, SEGMENT_HEADER, SEGMENT_MAGIC, name, 20)
    if header is None:
        return None
    seed = checksum(0, header[24:32])
    records, at = [], 2 * SEGMENT_HEADER
    while at + BLOCK_HEADER <= len(data) and data[at:at + 4] != FOOTER_MAGIC:
        size, stored_size = number(data, at + 8, 2), number(data, at + 16, 4)
        block = data[at:at + size]
        stored = data[at + size:at + size + stored_size]
        is_block = (
            data[at:at + 4] == BLOCK_MAGIC and len(block) == size >= BLOCK_HEADER
            and checksum(seed, block[8:]) == number(block, 4, 4)
            and number(block, 20, 4) <= MAXIMUM_RAW and len(stored) == stored_size)
        if not is_block:
            # Wherever the next one stands.
            at += 1
            continue
        if checksum(seed, stored) == number(block, 36, 4) and not block[12] & 1:
            try:
                records += block_records(block, stored)
            except (ValueError, IndexError):
                pass
        at += size + stored_size
    return number(header, 40, 4), number(header, 32, 8), records


# MARK: Tails


def tail_records(data, name):
    """The longest valid prefix of a tail or of a copy."""
    header = find_header(data, TAIL_HEADER, TAIL_MAGIC, name, 12)
    if header is None:
        return None
    seed = checksum(0, header[16:24])
    sequence, base, run = number(header, 24, 8), number(header, 32, 8), number(header, 40, 4)
    records, at = [], 2 * TAIL_HEADER
    while at + 16 <= len(data):
        length, kind = number(data, at, 4), data[at + 8]
        padded = (length - 16 + 7) & ~7
        if length < 16 or length > 16 + MAXIMUM_PAYLOAD or at + 16 + padded > len(data):
            break
        covered = data[at:at + 4] + data[at + 8:at + 16]
        if kind != 0:
            covered += data[at + 16:at + 16 + padded]
        if checksum(seed, covered) != number(data, at + 4, 4):
            break
        if kind != 0:
            payload = data[at + 16:at + length]
            time = base + number(data, at + 11, 5)
            records.append((sequence, kind, number(data, at + 9, 2), time, payload))
            sequence += 1
        at += 16 + padded
    return run, header[16:24], records


# MARK: A log


def load(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def read(folder):
    """All records that can be read, in order, as tuples that begin with the run; and the gaps."""
    if not os.path.isdir(folder):
        raise NotALog(f"{folder} is no directory")
    names = sorted(os.listdir(folder))
    tails = {}
    for name in names:
        if not name.endswith((".tail", ".copy")):
            continue
        found = tail_records(load(folder, name), name)
        if found is not None:
            run, salt, records = found
            # Of a tail and its copy, the longer prefix counts.
            if len(records) >= len(tails.get(salt, (0, []))[1]):
                tails[salt] = (run, records)
    by_number, first_of_log = {}, None
    for name in names:
        if not name.endswith(".segment"):
            continue
        found = segment_records(load(folder, name), name)
        if found is None:
            if first_of_log is None and name[:-8].isdigit():
                first_of_log = int(name[:-8])
            continue
        run, first, records = found
        first_of_log = first if first_of_log is None else first_of_log
        # Where two segments have the same number, the later one counts from its first on.
        if records:
            by_number = {n: r for n, r in by_number.items() if n < first}
        for record in records:
            by_number.setdefault(record[0], (run,) + record)
    for run, records in tails.values():
        for record in records:
            by_number.setdefault(record[0], (run,) + record)
    result = [by_number[n] for n in sorted(by_number)]
    return result, gaps(sorted(by_number), first_of_log)


def gaps(numbers, first):
    missing, expected = [], first if first is not None else (numbers[0] if numbers else 1)
    for value in numbers:
        if value > expected:
            missing.append((expected, value - 1))
        expected = value + 1
    return missing


def main():
    if len(sys.argv) != 2:
        print("Use: read_log.py LOG", file=sys.stderr)
        return 64
    try:
        records, missing = read(sys.argv[1])
    except (NotALog, OSError) as error:
        print(f"read_log.py: {error}", file=sys.stderr)
        return 1
    for run, sequence, kind, stream, time, payload in records:
        print(json.dumps({
            "sequence": sequence, "run": run, "stream": stream, "kind": kind, "time": time,
            "payload": payload.hex()}))
    for first, last in missing:
        print(f"read_log.py: records {first} to {last} are missing", file=sys.stderr)
    return 3 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
