"""Fault: the app is launched for each task."""
from background import Background, Daemon


class Eager(Daemon):
    def finish(self, session, task, body):
        with self.lock:
            super().finish(session, task, body)
            if session.undone and not session.connection: self.launch(session)


class LaunchesEach(Background):
    daemon = Eager


LaunchesEach.main()
