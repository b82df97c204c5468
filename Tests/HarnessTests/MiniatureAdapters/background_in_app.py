"""Fault: the app's own process loads."""
from background import Background, Daemon, send


class InApp(Background):
    def resume(self, c):
        task = self.tasks[c["task"]]
        body, _ = Daemon().fetch(task.command, b"", None)
        with self.lock:
            task.held = body
            self.tell_file(task)
            self.complete(task)


InApp.main()
