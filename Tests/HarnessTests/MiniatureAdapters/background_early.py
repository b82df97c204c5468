"""Fault: a task begins before its earliest begin date."""
from background import Background, Daemon


class Early(Daemon):
    def delay(self, task): return super().delay(task) / 2


class BeginsEarly(Background):
    daemon = Early


BeginsEarly.main()
