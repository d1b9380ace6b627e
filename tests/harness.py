"""What the runners under tests/ and bench/ share: running a command to its end, and reading Clew's reports."""
import collections
import importlib.machinery
import importlib.util
import os
import re
import signal
import subprocess
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
CLEW = os.path.join(ROOT, "build", "clew")
CC = "clang-19"
HANG = 900  # seconds; ends what hangs, decides nothing else

# How a run ends after a report of each kind; None: it goes on.
END_OF_KIND = {
    "out-of-bounds": "SIGABRT", "null-dereference": "SIGSEGV", "use-after-free": "SIGABRT", "double-free": "SIGABRT",
    "invalid-free": "SIGABRT", "division-by-zero": "SIGFPE", "signed-overflow": None, "shift": None, "assertion": "SIGABRT", "wrong-verdict": "SIGABRT",
    "abort": "SIGABRT", "uninitialized": None, "stack-overflow": "SIGSEGV", "unreachable": "SIGILL", "no-progress": 124,
}
REPORT = re.compile(r"^clew: (.+?):(\d+):(\d+): (%s): " % "|".join(END_OF_KIND))

# end: the exit status, the name of a signal, or "hang".
Outcome = collections.namedtuple("Outcome", "end stdout stderr seconds user_seconds peak_kib")
Report = collections.namedtuple("Report", "kind file line column")


def run(command, directory=None, stdin=b"", env=None, limit=HANG):
    """Runs a command in a process group of its own; nothing that it started outlives the limit."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        source.write(stdin)
        source.seek(0)
        hung = threading.Event()
        start = time.monotonic()
        process = subprocess.Popen(command, cwd=directory, stdin=source, stdout=out, stderr=err,
                                   env={**os.environ, **(env or {})}, start_new_session=True)

        def kill():
            hung.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(limit, kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        seconds = time.monotonic() - start
        process.returncode = code = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        end = "hang" if hung.is_set() else signal.Signals(-code).name if code < 0 else code
        return Outcome(end, out.read(), err.read(), seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)


def reports_of(stderr):
    """Clew's reports, and what the program itself wrote."""
    reports, rest = [], []
    for line in stderr.decode("utf-8", "replace").splitlines(keepends=True):
        match = REPORT.match(line)
        if match:
            reports.append(Report(match.group(4), os.path.basename(match.group(1)), int(match.group(2)), int(match.group(3))))
        elif not line.startswith("clew: "):
            rest.append(line)
    return reports, "".join(rest)


def compile_native(files, program, flags=(), limit=HANG):
    """Compiles with clang-19 -O0; returns the compiler's complaint, None if there is none."""
    outcome = run([CC, "-O0", "-w", *files, *flags, "-lm", "-o", program], limit=limit)
    return None if outcome.end == 0 else outcome.stderr.decode(errors="replace") or str(outcome.end)


ACCEPTED = re.compile(r"^branch \d+ .*?:(\d+):\d+ outcome (\d+) of \S+: accepted$", re.M)


def check_certificate(clew, certificate, solver, budget=20000):
    """What clew-check, which lies beside clew, says of a certificate; its budget is counted, and one question takes at most a ten-thousandth of it in seconds."""
    checker = os.path.join(os.path.dirname(os.path.abspath(clew)), "clew-check")
    return run([checker, "--solver", solver, "--budget", str(budget), certificate], limit=600)


def accepted_branches(told):
    """(line, number of the outcome) of the branches that clew-check accepts, as texts."""
    return sorted(ACCEPTED.findall(told.stdout.decode()))


def show(data, limit=1500):
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else str(data)
    return text if len(text) <= limit else text[:limit] + "…"


def load(path):
    """A Python program without the ending .py, as a module; nothing is written beside it."""
    loader = importlib.machinery.SourceFileLoader(os.path.basename(path), path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module
