"""Correct, or with the fault of `--mutant NAME`; `harmless` does not have a fault, so nothing may catch it."""
import json, sys
from miniature import Miniature


class WrongBytes(Miniature):
    def take(self, task, piece, expected): super().take(task, bytes([piece[0] ^ 1]) + piece[1:], expected)


class Silent(Miniature):
    def tell_complete(self, task, fields): pass


MUTANTS = {
    "wrong-bytes": (WrongBytes, ["DATA-01"], "changes a byte of each piece"),
    "harmless": (Miniature, ["DATA-01"], "does nothing wrong"),
    "unclaimed": (Silent, ["H2-01"], "never completes"),
}
if "--mutants" in sys.argv:
    for name, (_, breaks, what) in MUTANTS.items(): print(json.dumps(dict(name=name, breaks=breaks, what=what)))
elif "--mutant" in sys.argv: MUTANTS[sys.argv[sys.argv.index("--mutant") + 1]][0]().run()
else: Miniature().run()
