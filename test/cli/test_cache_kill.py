"""The cache of imported files under kill -9: 200 writers are killed at random times while others read and write. Whatever is
in the cache afterwards is right, within its bound, and the next run clears away what the dead left."""

import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

from support import CLEAN, PROGRAM, parse

SEED = int(os.environ.get("SNUG_SEED", "7"))
KILLS = 200
CONTENTS = 12
BYTES = 3_000_000  # of an entry: writing it takes a while, so that some are killed at it
FAKE = os.environ.get("SNUG_FAKE_IMPORTER", "")
HEADER = 16 + 32 + 8 + 32  # magic, key, size, checksum


def command(folder, number):
    return [PROGRAM, "info", f"{folder}/{number}.step", "--json", "-q", "--cache", f"{folder}/cache"]


def environment():
    return {**os.environ, "SNUG_IMPORT": FAKE}


def reference(folder, number):
    """What a run says about a file: the same, whether it comes out of the cache or not."""
    done = subprocess.run(command(folder, number), env=environment(), check=True, stdout=subprocess.PIPE, text=True)
    return parse(done.stdout)


def is_right(path):
    """By the rules in import_cache.cpp, read independently."""
    with open(path, "rb") as file:
        content = file.read()
    head, body = content[:HEADER], content[HEADER:]
    return (head[:16] == b"snug-cad-cache 1" and head[16:48].hex() + ".cad" == os.path.basename(path)
            and int.from_bytes(head[48:56], "little") == len(body) and head[56:] == hashlib.sha256(body).digest())


class Readers:
    """Run in the background and compare what they read with what is right."""

    def __init__(self, folder, answers):
        self.folder, self.answers, self.stop = folder, answers, threading.Event()
        self.runs, self.wrong = 0, []
        self.threads = [threading.Thread(target=self.work, args=(i,)) for i in range(2)]
        for thread in self.threads:
            thread.start()

    def work(self, which):
        chance = random.Random(f"{SEED} reader {which}")
        while not self.stop.is_set():
            number = chance.randrange(CONTENTS)
            done = subprocess.run(command(self.folder, number), env=environment(), check=False, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
            self.runs += 1
            if done.returncode != CLEAN or parse(done.stdout) != self.answers[number]:
                self.wrong.append(f"reader of {number}: exit {done.returncode}, {done.stderr[-300:]}")

    def join(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()


def kill_one(folder, number, seconds):
    """True if it was killed before it ended by itself."""
    with subprocess.Popen(command(folder, number), env=environment(), stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL


def left_importers():
    """Fake importers whose snug was killed must be gone with it."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.path.realpath(f"/proc/{name}/exe") == os.path.realpath(FAKE):
                found.append(int(name))
        except OSError:
            pass
    return found


def main():
    if not FAKE:
        print("skipped: the fake importer is not built")
        return 77
    scale = min(100, int(os.environ.get("SNUG_TEST_SCALE", "100")))
    kills = KILLS if scale >= 25 else max(10, KILLS * scale // 100)
    chance = random.Random(SEED)
    bad = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(CONTENTS):
            with open(f"{folder}/{number}.step", "w", encoding="utf-8") as file:
                file.write(f"ISO-10303-21;\nlarge {BYTES + 1000 * number}\n")
        start = time.monotonic()
        answers = [reference(folder, number) for number in range(CONTENTS)]
        one_run = (time.monotonic() - start) / CONTENTS

        readers, killed, seen_halves = Readers(folder, answers), 0, 0
        for i in range(kills):
            number = chance.randrange(CONTENTS)
            # Entries go missing too, as when a user clears the cache; else there would soon be nothing to write.
            for name in os.listdir(f"{folder}/cache"):
                if name.endswith(".cad") and chance.random() < 0.5:
                    try:
                        os.unlink(f"{folder}/cache/{name}")
                    except FileNotFoundError:
                        pass
            killed += kill_one(folder, number, chance.uniform(0.0, 1.5 * one_run))
            seen_halves += any(name.startswith(".writing-") for name in os.listdir(f"{folder}/cache"))
        readers.join()
        bad += readers.wrong

        wrong = [name for name in os.listdir(f"{folder}/cache") if name.endswith(".cad")
                 and not is_right(f"{folder}/cache/{name}")]
        bad += [f"wrong entries: {wrong}"] if wrong else []
        leftovers = [name for name in os.listdir(f"{folder}/cache") if name.startswith(".writing-")]
        for number in range(CONTENTS):
            if reference(folder, number) != answers[number]:
                bad.append(f"file {number} reads differently afterwards")
        names = os.listdir(f"{folder}/cache")
        stale = [name for name in names if not name.endswith(".cad")]
        bad += [f"left in the cache: {stale}"] if stale else []
        size = sum(os.path.getsize(f"{folder}/cache/{name}") for name in names)
        bad += [f"{size} bytes in the cache"] if size > 1 << 30 else []
        for _ in range(100):
            if not left_importers():
                break
            time.sleep(0.05)
        bad += [f"left importers: {left_importers()}"] if left_importers() else []
    print(f"seed {SEED}: {kills} writers, {killed} killed before they ended; {seen_halves} times a half-written entry was "
          f"seen, {len(leftovers)} lay there in the end and went with the next run; "
          f"{readers.runs} readers beside them; {len(names)} entries, {size} bytes; {len(bad)} bad")
    print("\n".join(bad))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
