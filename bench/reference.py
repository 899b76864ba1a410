"""Runs another tool's own code, untouched, and writes what it used to the file BENCH_USAGE.

First word: the path of a script (K2 Vendor Verifier's) or the name of a module (EvalScope's command line). The other
words are that tool's own.
"""

import json
import os
import resource
import runpy
import sys
import types


def without_transformers():
    # K2VV wants it for /v1/completions only, and it is heavy, but the script imports it all the same.
    stub = types.ModuleType("transformers")
    stub.AutoTokenizer = None
    sys.modules["transformers"] = stub


def used():
    unit = 1 if sys.platform == "darwin" else 1024
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {
        "cpuMs": sum(usage.ru_utime + usage.ru_stime for usage in both) * 1000,
        "peakBytes": max(usage.ru_maxrss for usage in both) * unit,
    }


target = sys.argv[1]
sys.argv = sys.argv[1:]
try:
    if target.endswith(".py"):
        without_transformers()
        runpy.run_path(target, run_name="__main__")
    else:
        runpy.run_module(target, run_name="__main__", alter_sys=True)
finally:
    if "BENCH_USAGE" in os.environ:
        with open(os.environ["BENCH_USAGE"], "w", encoding="utf-8") as file:
            json.dump(used(), file)
