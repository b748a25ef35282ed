#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What each heuristic of the search is worth: the engine without it plays the engine as it is.

    make tune && scripts/ablate.py [--groups] [--games N] [--nodes N] [--out DIR] [--only WORD]

Prints a row of a Markdown table per heuristic, or per group of them, with the Elo that it brings
(with it against without it). Finished matches are kept in DIR and not played again.
"""

import argparse
import json
import subprocess
from pathlib import Path

BOOK = "../shared/data/books/UHO_4060_v4_sample.epd.zst"

LMR_TERMS = """lmr_cut_node lmr_cut_no_move lmr_was_pv lmr_was_pv_above lmr_pv lmr_not_improving
lmr_noisy_table lmr_check lmr_killer lmr_cutoffs lmr_correction_scale lmr_raised lmr_table_below""".split()

# What is switched off, or on if it is off: name, settings.
ABLATIONS = {
    "aspiration windows": {"asp_on": 0},
    "killers": {"killers_on": 0},
    "histories: pawns": {"history_pawn_scale": 0},
    "histories: continuations of 1 and 2 plies": {"history_cont1_scale": 0, "history_cont2_scale": 0},
    "histories: continuations of 4 and 6 plies": {"history_cont4_scale": 0, "history_cont6_scale": 0},
    "histories: the opponent's last move": {"history_last_move_on": 0, "history_eval_on": 0},
    "ordering: checks and guards": {"order_check_on": 0, "guard_on": 0},
    "corrections": {"corr_on": 0},
    "optimism": {"optimism_on": 0},
    "razoring": {"razor_on": 0},
    "reverse futility": {"rfp_on": 0},
    "null move": {"nmp_on": 0},
    "ProbCut, also by the table": {"probcut_on": 0, "probcut_table_on": 0},
    "internal iterative reduction": {"iir_on": 0},
    "hindsight": {"hindsight_on": 0},
    "singular extensions with all that follows from them": {"singular_on": 0},
    "double and triple extensions": {"double_extension_max": 0},
    "multi-cut": {"multicut_on": 0},
    "negative extensions": {"negative_extension_on": 0},
    "shallow extensions": {"shallow_extension_on": 0},
    "futility": {"fp_on": 0, "fp_noisy_on": 0},
    "late move pruning": {"lmp_on": 0},
    "history pruning": {"history_prune_on": 0},
    "pruning by exchange": {"see_on": 0},
    "late move reductions": {"lmr_on": 0},
    "terms of reductions": dict.fromkeys(LMR_TERMS, 0),
    "a ply more or less after a reduced search": {"lmr_confidence_on": 0},
    "a ply less after a raise of alpha": {"raised_depth_on": 0},
    "blending of results": {"temper_on": 0, "rfp_blend": 1024, "qs_blend": 1024},
    "quiescence: late captures": {"qs_late_on": 0},
    "quiescence: captures that lose or do not suffice": {"qs_see_on": 0, "qs_delta_on": 0},
    "quiescence: quiet checks": {"qs_checks_on": 0},
    "upcoming repetition": {"cuckoo_on": 0},
    "(off) check extension": {"check_extension_on": 1},
}

# The groups of docs/concepts/history.md, as far as they can be switched off.
GROUPS = {
    "1 histories": """histories: pawns; histories: continuations of 1 and 2 plies;
        histories: continuations of 4 and 6 plies; histories: the opponent's last move""",
    "2 corrections": "corrections",
    "3 extensions": "singular extensions with all that follows from them; hindsight",
    "4 reductions": "terms of reductions; a ply more or less after a reduced search",
    "5 pruning": """razoring; ProbCut, also by the table; history pruning; blending of results;
        quiescence: late captures""",
}


def group(names):
    """The settings of several heuristics together."""
    members = (ABLATIONS[" ".join(name.split())] for name in names.split(";"))
    return {key: value for settings in members for key, value in settings.items()}


def play(name, settings, args):
    """The match's result, from the side with all heuristics."""
    folder = args.out / "".join(c if c.isalnum() else "-" for c in f"{name} {args.nodes}")
    engine = ["cmd=./quincunx-tune", "opt.Hash=16"]
    command = ["./quincunx", "match", "--engine", *engine, "name=with", "--engine", *engine, "name=without"]
    command += [f"opt.{key}={value}" for key, value in settings.items()]
    command += ["--nodes", str(args.nodes), "--games", str(args.games), "--openings", BOOK, "--order", "random"]
    command += ["--seed", "17", "--resign", "movecount=3", "score=700", "--draw", "movenumber=34", "movecount=8"]
    command += ["score=8", "--concurrency", "2", "--out", str(folder), "--json"]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return json.loads(done.stdout.splitlines()[-1])["engines"][0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--nodes", type=int, default=8000)
    parser.add_argument("--out", type=Path, default=Path("runs/ablations"))
    parser.add_argument("--groups", action="store_true", help="whole groups instead of single heuristics")
    parser.add_argument("--only", default="", help="those whose name contains this")
    args = parser.parse_args()
    print("| heuristic | games | with against without | Elo |\n|---|---:|---|---:|")
    chosen = {name: group(names) for name, names in GROUPS.items()} if args.groups else ABLATIONS
    for name, settings in chosen.items():
        if args.only in name:
            r = play(name, settings, args)
            score = f"+{r['wins']} ={r['draws']} −{r['losses']}"
            elo = f"{r['elo']:+.0f} ± {r['error']:.0f}".replace("-", "−") if r["elo"] is not None else ""
            print(f"| {name} | {args.games} | {score} | {elo} |", flush=True)


if __name__ == "__main__":
    main()
