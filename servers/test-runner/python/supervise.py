"""Runs one command and ends every process that it started.

    supervise.py GRACE_SECONDS ADDRESS_SPACE_BYTES PROCESSES ARGUMENTS...

The command is this interpreter with the arguments. It ends when it exits, or when standard input of this process is closed: by the server to cancel the run, or by the system if the
server is killed. Orphans are adopted, so a process that called setsid or that has another environment is a descendant like any other.
This process is also the parent that a test can kill without harm to the server. The exit code is that of the command, or 128 + signal.
"""

import ctypes
import os
import resource
import select
import signal
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
# A bound for processes that cannot be killed, such as those in an uninterruptible system call.
KILL_SECONDS = 10
IGNORED = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]


def main(grace, address_space, processes, *arguments):
    adopts = adopt_orphans()
    for number in IGNORED:
        signal.signal(number, signal.SIG_IGN)
    wake, wake_writer = os.pipe()
    os.set_blocking(wake_writer, False)
    signal.set_wakeup_fd(wake_writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    child = os.fork()
    if child == 0:
        start([sys.executable, *arguments], int(address_space), int(processes))
    code = wait_for(child, wake)
    end_descendants(child, float(grace), adopts)
    os._exit(signal.SIGTERM + 128 if code is None else code)


def adopt_orphans():
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    return prctl is not None and prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


def start(command, address_space, processes):
    try:
        # A test that signals its own process group must not reach the supervisor.
        os.setpgid(0, 0)
        for number in [*IGNORED, signal.SIGCHLD, signal.SIGPIPE]:
            signal.signal(number, signal.SIG_DFL)
        limit(resource.RLIMIT_AS, address_space)
        # The superuser is not subject to this limit.
        if os.geteuid() != 0:
            limit(resource.RLIMIT_NPROC, count_tasks() + processes)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.execv(command[0], command)
    except BaseException as error:
        os.write(2, "Cannot start {}: {}\n".format(command[0], error).encode())
        os._exit(127)


def count_tasks():
    """Processes and threads of the user: the system counts them all against the limit. 0 without /proc."""
    count = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else []:
        try:
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{name}/task"))
        except OSError:
            continue
    return count


def limit(kind, value):
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(kind, (value, value))


def wait_for(child, wake):
    """Returns the exit code of the command, or None if standard input was closed first."""
    while True:
        ready = select.select([0, wake], [], [])[0]
        if wake in ready:
            os.read(wake, 4096)
            code = reap()[0].get(child)
            if code is not None:
                return code
        if 0 in ready and not os.read(0, 4096):
            return None


def reap():
    """The exit codes of all children that have ended, by process id, and whether other children are left."""
    codes = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return codes, False
        if pid == 0:
            return codes, True
        codes[pid] = 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def end_descendants(child, grace, adopts):
    kill_at = time.monotonic() + grace
    signalled = set()
    while time.monotonic() < kill_at + KILL_SECONDS:
        # Orphans become children, so without children there are no descendants. A list of processes is no proof: one that is replaced by its
        # child while the list is read is not in it.
        if not reap()[1] and (adopts or not list_group(child)):
            return
        if time.monotonic() >= kill_at:
            kill_children(child)
            time.sleep(0.0005)
            continue
        for pid in list_descendants(child) - signalled:
            send(pid, signal.SIGTERM)
            signalled.add(pid)
        time.sleep(0.005)


def kill_children(child):
    """Kills children with their process groups. Their descendants are adopted, and killed in the next round."""
    for pid in list_children(child):
        # A group ends at once, also if it forks faster than its processes can be listed.
        group = get_group(pid)
        if group is not None and group != os.getpgrp():
            send(-group, signal.SIGKILL)
        send(pid, signal.SIGKILL)


def get_group(pid):
    try:
        return os.getpgid(pid)
    except OSError:
        return None


def list_children(child):
    try:
        # Without this file, or without /proc, every descendant is listed.
        with open("/proc/thread-self/children") as file:
            return {int(pid) for pid in file.read().split()}
    except OSError:
        return list_descendants(child)


def send(pid, number):
    try:
        os.kill(pid, number)
    except OSError:
        pass


def list_descendants(child):
    if not os.path.isdir("/proc/self"):
        return list_group(child)
    children = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                # The name of the command, in parentheses, can contain spaces and parentheses.
                state, parent = file.read().rpartition(b")")[2].split()[:2]
        except OSError:
            continue
        if state not in b"ZX":
            children.setdefault(int(parent), []).append(int(name))
    found = set()
    unvisited = [os.getpid()]
    while unvisited:
        for pid in children.get(unvisited.pop(), []):
            found.add(pid)
            unvisited.append(pid)
    return found


def list_group(child):
    """Without /proc, only the process group of the command is known."""
    try:
        os.killpg(child, 0)
        return {-child}
    except OSError:
        return set()


main(*sys.argv[1:])
