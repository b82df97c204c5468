"""Fault: a discretionary task does not wait for external power."""
from background import Background, Daemon


class Careless(Daemon):
    def may_run(self, task): return True


class IgnoresPower(Background):
    daemon = Careless


IgnoresPower.main()
