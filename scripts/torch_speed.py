#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Training speed of (768→N)x2→1 with SCReLU beside PyTorch doing the same batches.

Both see the same positions with the same sparse inputs: batches of 16,384, AdamW, dense gradients,
two threads. PyTorch (Debian: python3-torch) uses an EmbeddingBag for the first layer.

    scripts/torch_speed.py [FILE.qrec] [--seconds S] [--threads N]

prints one line per width for ours, one for PyTorch at N = 256, and the ratio.
"""

import argparse
import os
import pathlib
import struct
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BATCH = 16_384
BATCHES = 16


def records(path, count):
    """The raw 32-byte records at the beginning of a .qrec file, over and over if there are few."""
    data = pathlib.Path(path).read_bytes()[64 : 64 + 32 * count]
    found = [data[i : i + 32] for i in range(0, len(data) - 31, 32)]
    return [found[i % len(found)] for i in range(count)]


def features(record):
    """The mirrored features of the mover's and the other side's view, and the target."""
    (occupied,) = struct.unpack_from("<Q", record)
    black_to_move = record[24] >> 7
    pieces, kings, index = [], [0, 0], 0
    while occupied:
        square = (occupied & -occupied).bit_length() - 1
        occupied &= occupied - 1
        code = (record[8 + index // 2] >> (4 * (index % 2))) & 15
        color, role = code >> 3, (3 if code & 7 == 6 else code & 7)
        pieces.append((color, role, square))
        if role == 5:
            kings[color] = square
        index += 1
    views = []
    for view in (black_to_move, 1 - black_to_move):
        flip = (56 if view else 0) ^ (7 if kings[view] % 8 >= 4 else 0)
        views.append([384 * (c != view) + 64 * r + (s ^ flip) for c, r, s in pieces])
    (score,) = struct.unpack_from("<h", record, 28)
    return views[0], views[1], -score if black_to_move else score


def torch_speed(path, width, threads, seconds):
    import torch

    torch.set_num_threads(threads)
    torch.manual_seed(1)
    batches = []
    decoded = [features(record) for record in records(path, BATCH * BATCHES)]
    for start in range(0, len(decoded), BATCH):
        part = decoded[start : start + BATCH]
        bags = []
        for view in (0, 1):
            offsets, flat = [], []
            for position in part:
                offsets.append(len(flat))
                flat.extend(position[view])
            bags.append((torch.tensor(flat), torch.tensor(offsets)))
        target = torch.sigmoid(torch.tensor([p[2] / 400 for p in part], dtype=torch.float32))
        batches.append((bags, target))

    first = torch.nn.EmbeddingBag(768, width, mode="sum")
    torch.nn.init.uniform_(first.weight, -0.06, 0.06)
    bias = torch.nn.Parameter(torch.zeros(width))
    last = torch.nn.Linear(2 * width, 1)
    optimizer = torch.optim.AdamW([first.weight, bias, *last.parameters()], lr=1e-3)

    def step(bags, target):
        views = [first(flat, offsets) + bias for flat, offsets in bags]
        hidden = torch.cat(views, 1).clamp(0, 1).square()
        loss = (torch.sigmoid(last(hidden)).squeeze(1) - target).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    step(*batches[0])
    begin, begin_cpu, positions = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - begin < seconds:
        step(*batches[positions // BATCH % len(batches)])
        positions += BATCH
    seconds, cpu_seconds = time.perf_counter() - begin, time.process_time() - begin_cpu
    return torch.__version__, positions / seconds, positions / cpu_seconds


def our_speeds(path, threads):
    """Builds and runs the trainer's own measurement; returns its lines."""
    environment = dict(os.environ)
    environment.setdefault("RUSTFLAGS", "-C target-cpu=x86-64-v3")
    command = ["cargo", "run", "--release", "--quiet", "-p", "train", "--example", "speed", "--"]
    command += [str(path), "--threads", str(threads)]
    run = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, check=True, text=True
    )
    return run.stdout.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", nargs="?", default=ROOT / "recipes/data/smoke-train.qrec")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    path = pathlib.Path(arguments.file).resolve()
    lines = our_speeds(path, arguments.threads)
    print("\n".join(lines))
    line = next(line for line in lines if line.startswith("(768→256)"))
    ours, ours_cpu = (float(part.split()[0]) for part in line.split(": ")[1].split(", "))
    try:
        version, theirs, theirs_cpu = torch_speed(path, 256, arguments.threads, arguments.seconds)
    except ImportError:
        print("this Python has no PyTorch (Debian: python3-torch, then run with /usr/bin/python3)")
        return
    print(
        f"PyTorch {version}, (768→256)x2→1, {arguments.threads} threads: "
        f"{theirs:.0f} positions/s, {theirs_cpu:.0f} per CPU-second"
    )
    print(f"ours / PyTorch at N = 256: {ours / theirs:.1f}, per CPU-second {ours_cpu / theirs_cpu:.1f}")


if __name__ == "__main__":
    main()
