"""What the tests of the command line share: a directory with Clew started in it, and the list of tests.

Every test is a function whose name says what must hold; it gets an empty directory to work in.
"""
import argparse
import os
import re
import subprocess
import tempfile

from harness import CLEW, run, show

TESTS = []


class Failure(Exception):
    pass


def test(function):
    TESTS.append(function)
    return function


class Place:
    """A directory, and Clew started in it."""

    def __init__(self, directory, clew):
        self.directory, self.clew = directory, clew

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb" if isinstance(text, bytes) else "w") as f:
            f.write(text)
        return name

    def shell(self, *command):
        subprocess.run(command, cwd=self.directory, check=True)

    def expect(self, *arguments, end=0, stdout=None, stderr=(), program=None, stdin=b"", directory=None, env=None):
        """Starts Clew; checks its end, all of its stdout, and that each pattern is found in its stderr."""
        outcome = run([program or self.clew, *arguments], directory or self.directory, stdin, env)
        text = outcome.stderr.decode("utf-8", "replace")
        what = "clew %s: " % " ".join(arguments)
        seen = "\nstdout: %s\nstderr: %s" % (show(outcome.stdout), show(text))
        if outcome.end != end:
            raise Failure(what + "ended with %s, expected %s" % (outcome.end, end) + seen)
        if stdout is not None and outcome.stdout.decode("utf-8", "replace") != stdout:
            raise Failure(what + "expected stdout %r" % stdout + seen)
        for pattern in [stderr] if isinstance(stderr, str) else stderr:
            if not re.search(pattern, text, re.M):
                raise Failure(what + "expected %r on stderr" % pattern + seen)
        return outcome


def main(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--clew", default=CLEW)
    parser.add_argument("names", nargs="*", help="only these tests")
    options = parser.parse_args()

    tests = [function for function in TESTS if not options.names or function.__name__ in options.names]
    failed = 0
    for function in tests:
        with tempfile.TemporaryDirectory(prefix="clew-cli-") as directory:
            try:
                function(Place(os.path.realpath(directory), os.path.realpath(options.clew)))
            except (Failure, OSError, subprocess.CalledProcessError) as problem:
                failed += 1
                print("FAIL %s\n    %s" % (function.__name__, str(problem).replace("\n", "\n    ")), flush=True)
    print("%d passed, %d failed" % (len(tests) - failed, failed))
    return 1 if failed or not tests else 0
