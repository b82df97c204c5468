#!/usr/bin/env python3
"""A Crosswind adapter: reads commands from standard input, writes events to standard output, one JSON object per line.

It drives python_session.py next to it. To drive another implementation, replace the import and the calls in COMMANDS."""
import base64, json, os, platform, sys, tempfile, threading, time
from python_session import Session

VERSION = 2
# The capabilities of the implementation. The reply to every other name, made-up ones included, is false.
CAPABILITIES = set("""data upload download delegate completionHandler resumeData cancelProducingResumeData cancel invalidate
    requestTimeout resourceTimeout sessionHeaders tls tlsVersionLimits basicChallenge digestChallenge followRedirects
    redirectDecision sessionProxy socksProxy systemProxy proxyChallenge responseDisposition becomeDownload uploadProgress downloadProgress
    taskList storedResumeData inspectTask""".split())

writing, sequence = threading.Lock(), 0
sessions, tasks = {}, {}


def emit(event, data=None, **fields):
    """Writes one event: numbered, timed and flushed before the callback that calls this returns."""
    global sequence
    if data is not None:
        fields.update(length=len(data), base64=base64.b64encode(data).decode())
    with writing:
        sequence += 1
        line = dict(v=VERSION, seq=sequence, time=time.monotonic_ns(), event=event, **fields)
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def hello(c):
    answers = {name: name in CAPABILITIES for name in c["capabilities"]}
    about = dict(name="http.client", version=platform.python_version(), language="Python")
    emit("hello", implementation=about, capabilities=answers)


def make_session(c):
    sessions[c["session"]] = Session(c["configuration"], lambda event, **fields: emit(event, session=c["session"], **fields))


def make_task(c):
    """Creates a task. The decisions (challenges, redirect, response) come with it, so it never has to query the harness."""
    def callback(event, **fields):
        if c.get("storesResumeData") and (event == "resumeDataProduced" or "resumeDataLength" in fields): store_resume_data(c["task"])
        emit(event, task=c["task"], **fields)
    if c.get("body"):
        c["body"] = base64.b64decode(c["body"]["base64"]) if "base64" in c["body"] else open(c["body"]["path"], "rb").read()
    # Without resume data, which the earlier task's completion has shown, the download starts at the beginning.
    resume_data = earlier_resume_data(c["resumesFrom"]) if "resumesFrom" in c else None
    tasks[c["task"]] = sessions[c["session"]].task(c, callback, resume_data)


def stored(task): return os.path.join(tempfile.gettempdir(), "resume-data-of-" + task)


def store_resume_data(task):
    """Writes the task's resume data to a file of the private folder, where a later process finds it."""
    if tasks[task].resume_data:
        with open(stored(task), "w") as file: file.write(tasks[task].resume_data)


def earlier_resume_data(task):
    """Returns the resume data of a task, which an earlier process may have stored."""
    if task in tasks: return tasks[task].resume_data
    if not os.path.exists(stored(task)): return None
    with open(stored(task)) as file: data = file.read()
    os.remove(stored(task))
    return data


def list_tasks(c):
    listed = [dict(kind=task.request["kind"], task=task.request["task"], state=task.state, identifier=number)
              for number, task in sessions[c["session"]].outstanding()]
    emit("tasksListed", session=c["session"], tasks=listed)


COMMANDS = dict(
    hello=hello, makeSession=make_session, makeTask=make_task,
    resume=lambda c: tasks[c["task"]].start(),
    cancel=lambda c: tasks[c["task"]].cancel(),
    cancelProducingResumeData=lambda c: tasks[c["task"]].cancel_producing_resume_data(),
    inspect=lambda c: emit("inspected", task=c["task"], **tasks[c["task"]].counters()),
    listTasks=list_tasks,
    invalidate=lambda c: sessions[c["session"]].invalidate(c["cancelling"]),
    end=lambda c: os._exit(0),
)

for line in sys.stdin:
    command = json.loads(line)
    if command["v"] != VERSION:
        sys.exit(f"this adapter supports version {VERSION} of the protocol, not {command['v']}")
    if command["command"] not in COMMANDS:
        emit("unsupported", feature=f"the command {command['command']}")
        continue
    try:
        COMMANDS[command["command"]](command)
    except Exception as error:  # errors of the adapter; the implementation reports its own by callbacks
        emit("adapterFailed", message=f"{command['command']}: {type(error).__name__}: {error}")
os._exit(0)  # end of input; tasks may still run on other threads
