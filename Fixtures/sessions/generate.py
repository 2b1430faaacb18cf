#!/usr/bin/env python3
"""Writes many-scripts.json: an editing session that is hard on positions and on encodings.

The session has emoji of many code points, combining marks, CRLF and text in many scripts; its
edits fall between the parts of all of these. The right end comes from Python's own strings, which
count code points: independent of the code that is tested. The same seed gives the same file.
"""

import datetime
import json
import pathlib
import random

PIECES = [
    "the quick brown fox ", "naïve café ", "e\u0301a\u0308o\u0302 ", "\r\n", "\n", "\r", "\t",
    "日本語の文章 ", "中文文本。", "한국어 텍스트 ", "\u1112\u1161\u11ab ", "Ελληνικά ", "Русский текст ",
    "שלום עולם ", "مرحبا بالعالم ", "नमस्ते दुनिया ", "ไทยภาษา ", "தமிழ் ", "አማርኛ ", "ქართული ",
    "👩‍👩‍👧‍👦", "👍🏽", "🇨🇭🇯🇵", "❤️", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "😀😃😄 ", "𝒜𝓁𝓅𝒽𝒶 ", "𐍈𐌰𐌽 ",
    "\u200b", "\u200f", "\ufeff", "\u2028", "\u00a0", "\u3000", "\u0000", "\u0007", "\u007f",
    "\"quoted\\backslash/\" ", "\U0010ffff", "\ufffd", "e\u0301\u0302\u0303\u0304",
]


def main():
    generator = random.Random(20_231)
    text = ""
    transactions = []
    time = datetime.datetime(2024, 2, 29, 23, 0, tzinfo=datetime.timezone.utc)
    for number in range(1_500):
        patches = []
        for _ in range(generator.choice([1, 1, 1, 2, 3])):
            position = generator.randint(0, len(text))
            deleted = 0
            if generator.random() < 0.45:
                deleted = min(generator.randint(1, 6), len(text) - position)
            if number % 300 == 299:
                deleted = (len(text) - position) // 2
            inserted = ""
            if generator.random() < 0.8:
                for _ in range(generator.choice([1, 1, 1, 2, 8])):
                    piece = generator.choice(PIECES)
                    start = generator.randint(0, len(piece) - 1)
                    inserted += piece if generator.random() < 0.7 else piece[start : start + 1]
            patches.append([position, deleted, inserted])
            text = text[:position] + inserted + text[position + deleted :]
        time += datetime.timedelta(milliseconds=generator.randint(0, 3_000))
        stamp = time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        transactions.append({"time": stamp, "patches": patches})
    session = {"startContent": "", "endContent": text, "txns": transactions}
    target = pathlib.Path(__file__).with_name("many-scripts.json")
    target.write_text(json.dumps(session, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
