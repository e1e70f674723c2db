#!/usr/bin/env python3
"""Bitwuzla's program in few lines, for machines that have its Python package only.

Reads SMT-LIB 2 from standard input as `symexec` writes it: declarations, definitions and assertions, then
`(check-sat)`, `(get-value (NAME ...))` and `(reset)`, each in a line of its own. Every question is put to a
new solver.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bitwuzla"))

import bitwuzla


class Session:
    """One solver, from its first line to `(reset)`."""

    def __init__(self):
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        self.parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
        self.told = []

    def check(self):
        self.parser.parse("".join(self.told), True, False)
        self.told.clear()
        return {"SAT": "sat", "UNSAT": "unsat"}.get(self.parser.bitwuzla().check_sat().name, "unknown")

    def value(self, name):
        term = self.parser.parse_term(name)
        return f"({name} #b{self.parser.bitwuzla().get_value(term).value(2)})"


def main():
    if "--version" in sys.argv[1:]:
        print(bitwuzla.version())
        return
    session = Session()
    for line in sys.stdin:
        words = line.replace("(", " ").replace(")", " ").split()
        match words[:1]:
            case ["check-sat"]:
                print(session.check(), flush=True)
            case ["get-value"]:
                print("(" + "\n ".join(map(session.value, words[1:])) + ")", flush=True)
            case ["reset"]:
                session = Session()
            case ["exit"]:
                return
            case ["set-option"]:
                pass
            case _:
                session.told.append(line)


main()
