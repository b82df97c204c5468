"""Fault: the daemon forgets that the app has acknowledged a completion, and delivers it again to the next process."""
from background import Background, Daemon


class Forgetful(Daemon):
    def finish(self, session, task, body):
        super().finish(session, task, body)
        self.kept = session.events[-1:]

    def open(self, identifier, connection):
        if identifier in self.sessions: self.sessions[identifier].events = list(self.kept)
        return super().open(identifier, connection)


class Twice(Background):
    daemon = Forgetful


Twice.main()
