"""Runs K2 Vendor Verifier's own script, untouched, and writes what it used to the file BENCH_USAGE.

K2VV_DIR is a checkout of MoonshotAI/K2-Vendor-Verifier; the words on the command line are its script's own.
"""

import json
import os
import resource
import runpy
import sys
import types

# Wanted for /v1/completions only, and heavy: the script imports it all the same.
if "transformers" not in sys.modules:
    stub = types.ModuleType("transformers")
    stub.AutoTokenizer = None
    sys.modules["transformers"] = stub


def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    unit = 1 if sys.platform == "darwin" else 1024
    return {
        "cpuMs": (usage.ru_utime + usage.ru_stime) * 1000,
        "peakBytes": usage.ru_maxrss * unit,
    }


script = os.path.join(os.environ["K2VV_DIR"], "tool_calls_eval.py")
sys.argv = [script, *sys.argv[1:]]
try:
    runpy.run_path(script, run_name="__main__")
finally:
    if "BENCH_USAGE" in os.environ:
        with open(os.environ["BENCH_USAGE"], "w", encoding="utf-8") as file:
            json.dump(used(), file)
