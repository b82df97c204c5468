"""Fault: didFinishEvents comes before the missed events."""
from background import Background, Daemon


class Hasty(Daemon):
    def open(self, identifier, connection):
        earlier = self.sessions.get(identifier)
        if earlier and not earlier.undone:
            earlier.connection, earlier.is_later = connection, True
            self.all_done(earlier)
            earlier.undone.add("never")
        return super().open(identifier, connection)


class FinishesFirst(Background):
    daemon = Hasty


FinishesFirst.main()
