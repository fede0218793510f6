"""A pytest plugin that writes one JSON line for each event of a test run to a file descriptor of its own.

Works with pytest 7.2 and newer. Details are attached to the reports, so they also reach the process that writes events if the tests run in
the workers of pytest-xdist.
"""

import fcntl
import importlib.util
import linecache
import os
import platform
import sys

# Tests replace functions of os, and a report is written before their replacements are undone.
from os import getpid, write as write_bytes

import pytest

MAX_TEXT = 16_000
MAX_CODE = 500
MAX_FRAMES = 50
MAX_CAUSES = 5
MAX_DIFF_LINES = 200
MAX_WARNINGS = 1_000
HIDDEN_PACKAGES = tuple(
    os.path.dirname(os.path.abspath(sys.modules[name].__file__)) + os.sep for name in ("_pytest", "pluggy")
)


def create_encoder():
    """An encoder in a module of its own: tests replace parts of json, and a report is written before their replacements are undone."""
    spec = importlib.util.find_spec("json.encoder")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.JSONEncoder(default=str).encode


def open_descriptor():
    """Moves the descriptor away from the low numbers that tests close, and keeps it from processes that tests start."""
    # Removed, so that pytest processes that a test starts write no events.
    number = os.environ.pop("TEST_RUN_EVENTS_FD", None)
    if number is None:
        return None
    moved = fcntl.fcntl(int(number), fcntl.F_DUPFD_CLOEXEC, 100)
    os.close(int(number))
    return moved


descriptor = open_descriptor()
encode = create_encoder()
unwritten = []
process_id = getpid()
root = os.getcwd()
comparison = None
warnings_written = 0
sections_written = {}
skipped_collectors = set()
shows_captured = True
has_groups = False


def write(kind, **data):
    """Adds an event. Phases are written together with the end of the test: a system call for each would slow down short tests."""
    # A forked child that returns into pytest must not report as well.
    if descriptor is None or getpid() != process_id:
        return
    data["event"] = kind
    unwritten.append(encode(data))
    if kind != "phase":
        flush()


def flush():
    global descriptor
    lines = "".join(line + "\n" for line in unwritten).encode()
    unwritten.clear()
    try:
        while lines:
            lines = lines[write_bytes(descriptor, lines) :]
    except OSError:
        descriptor = None


def cut(text, limit=MAX_TEXT):
    """Keeps the beginning and the end of a long text."""
    text = str(text)
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n[{len(text) - 2 * half} characters omitted]\n{text[-half:]}"


def safe_repr(value):
    try:
        return cut(repr(value), 2_000)
    except Exception as error:
        return f"<repr of {type(value).__name__} failed with {type(error).__name__}>"


def relative(path):
    path = os.path.normpath(path)
    # Others are names such as "<string>", for code from exec. The current folder, which a test can have deleted, says nothing about them.
    return os.path.relpath(path, root) if path.startswith(root + os.sep) else path


def is_own(path):
    return not os.path.isabs(path) and not path.startswith("<") and "site-packages" not in path.split(os.sep)


def is_hidden(frame):
    path = frame.f_code.co_filename
    return (
        path.startswith("<frozen ")
        or path.startswith(HIDDEN_PACKAGES)
        or frame.f_locals.get("__tracebackhide__") is True
    )


def describe_frames(traceback):
    frames = []
    while traceback is not None:
        frame, line = traceback.tb_frame, traceback.tb_lineno
        traceback = traceback.tb_next
        if is_hidden(frame):
            continue
        path = frame.f_code.co_filename
        file = relative(path)
        code = linecache.getline(path, line).strip() if line else ""
        frames.append(
            {
                "file": file,
                # Instructions that the compiler adds have no line.
                "line": line or 0,
                "function": frame.f_code.co_name,
                "code": cut(code, MAX_CODE),
                "in_project": is_own(file),
            }
        )
    half = MAX_FRAMES // 2
    # Recursion: the first and the last frames show where it begins and ends.
    return frames if len(frames) <= MAX_FRAMES else frames[:half] + frames[-half:]


def describe_exception(error):
    try:
        message = str(error)
    except Exception as failure:
        message = f"<str of {type(error).__name__} failed with {type(failure).__name__}>"
    return {
        "type": type(error).__name__,
        "message": cut(message),
        "traceback": describe_frames(error.__traceback__),
    }


def list_causes(error):
    causes = []
    unvisited = list_reasons(error)
    while unvisited and len(causes) < MAX_CAUSES:
        cause = unvisited.pop(0)
        causes.append(describe_exception(cause))
        unvisited += list_reasons(cause)
    return causes


def list_reasons(error):
    """The exceptions of a group, and the exception before the error."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    parts = getattr(error, "exceptions", ())
    parts = parts if isinstance(parts, (tuple, list)) else ()
    return [part for part in (*parts, before) if isinstance(part, BaseException)]


def take_comparison(error):
    """The compared values of the failed assertion, if this exception comes from the last comparison."""
    global comparison
    last, comparison = comparison, None
    if last is None or not isinstance(error, AssertionError):
        return None
    frame, values = last
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None or traceback.tb_frame is not frame:
        return None
    # The same function can have caught the error of an earlier assertion.
    expected = values["diff"][0] if values["diff"] else f" {values['operator']} "
    return values if expected in str(error) else None


def find_asserting_frame():
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename.startswith(HIDDEN_PACKAGES):
        frame = frame.f_back
    return frame


@pytest.hookimpl(hookwrapper=True)
def pytest_assertrepr_compare(op, left, right):
    global comparison
    outcome = yield
    explanations = [lines for lines in outcome.get_result() if lines]
    diff = [cut(line, 2_000) for line in (explanations[0] if explanations else [])[:MAX_DIFF_LINES]]
    values = {"operator": op, "left": safe_repr(left), "right": safe_repr(right), "diff": diff}
    comparison = (find_asserting_frame(), values)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if call.excinfo is not None and report.outcome == "failed":
        report.test_run_details = describe_failure(call.excinfo.value)


def describe_failure(error):
    details = {"error_type": type(error).__name__}
    try:
        details["traceback"] = describe_frames(error.__traceback__)
        details["causes"] = list_causes(error)
        details["assertion"] = take_comparison(error)
    except Exception:
        # Attributes of the error can raise, and the test can have replaced functions of os. The outcome is known nevertheless.
        pass
    return details


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector):
    outcome = yield
    report = outcome.get_result()
    excinfo = getattr(getattr(report, "call", None), "excinfo", None)
    if report.outcome == "failed" and excinfo is not None:
        # pytest wraps import and syntax errors in an error of its own.
        error = excinfo.value.__cause__ or excinfo.value
        report.test_run_details = describe_collection_error(getattr(collector, "path", collector.nodeid), error)


@pytest.hookimpl(hookwrapper=True)
def pytest_load_initial_conftests():
    outcome = yield
    error = outcome.excinfo[1] if outcome.excinfo else None
    # The error of a conftest.py names its path. pytest ends without a session, so nothing else reports it.
    path = getattr(error, "path", None)
    if path is not None and error.__cause__ is not None:
        details = describe_collection_error(path, error.__cause__)
        write("collection_error", node_id=os.path.dirname(relative(path)), **details)


def describe_collection_error(path, error):
    details = describe_exception(error)
    own = [frame for frame in details["traceback"] if frame["in_project"]]
    if isinstance(error, SyntaxError) and error.filename:
        file, line = relative(error.filename), error.lineno
    elif own:
        file, line = own[-1]["file"], own[-1]["line"]
    else:
        file, line = relative(path), None
    return {**details, "file": file, "line": line}


def pytest_configure(config):
    global shows_captured, has_groups
    shows_captured = config.option.showcapture != "no"
    has_groups = getattr(config.option, "dist", None) == "loadgroup"


def to_node_id(nodeid):
    """The id that selects the test: pytest-xdist appends "@" and the group of the test."""
    end = nodeid.rfind("@")
    return nodeid[:end] if has_groups and end > max(nodeid.rfind("]"), nodeid.rfind("::")) else nodeid


def pytest_collectreport(report):
    if report.outcome == "failed":
        fallback = {
            "file": report.nodeid.split("::")[0],
            "line": None,
            "type": "CollectError",
            "message": cut(report.longrepr),
            "traceback": [],
        }
        write("collection_error", node_id=report.nodeid, **getattr(report, "test_run_details", fallback))
    # pytest counts a module that skips itself as one skipped test. Each worker of pytest-xdist reports it.
    elif report.outcome == "skipped" and report.nodeid not in skipped_collectors:
        skipped_collectors.add(report.nodeid)
        write("collection_skip", node_id=report.nodeid, message=describe_message(report))


def describe_item(item):
    file, line, _ = item.location
    return {
        "node_id": item.nodeid,
        "module": getattr(getattr(item, "module", None), "__name__", None),
        "class_path": [node.name for node in item.listchain() if isinstance(node, pytest.Class)],
        "function": getattr(item, "originalname", None) or item.name,
        "file": file,
        "line": None if line is None else line + 1,
    }


def pytest_collection_finish(session):
    if session.config.option.collectonly:
        for item in session.items:
            write("item", **describe_item(item))
    write("collected", total=len(session.items))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(ids):
    # The process that writes events collects nothing itself. Each worker collects the same tests.
    write("collected", total=len(ids))


def pytest_runtest_logstart(nodeid):
    write("started", node_id=to_node_id(nodeid))


def pytest_runtest_logreport(report):
    # pytest-xdist reports a test that ended its worker in one phase without a name, and reports no end of it.
    is_crash = report.when == "???"
    written = sections_written.get(report.nodeid)
    captured = []
    if shows_captured and (report.outcome != "passed" or written is not None):
        sections = report.sections[written or 0 :]
        captured = [{"name": name, "text": cut(text)} for name, text in sections if text]
        sections_written[report.nodeid] = len(report.sections)
    write(
        "phase",
        node_id=to_node_id(report.nodeid),
        phase="call" if is_crash else report.when,
        outcome=report.outcome,
        xfail=hasattr(report, "wasxfail"),
        message=describe_message(report),
        captured=captured,
        duration=report.duration,
        **(getattr(report, "test_run_details", None) or {}),
    )
    if is_crash:
        pytest_runtest_logfinish(report.nodeid)


def describe_message(report):
    if hasattr(report, "wasxfail"):
        return cut(report.wasxfail)
    if report.outcome == "passed" or report.longrepr is None:
        return None
    if isinstance(report.longrepr, tuple):
        return cut(report.longrepr[2])
    crash = getattr(report.longrepr, "reprcrash", None)
    return cut(report.longrepr if crash is None else crash.message)


def pytest_runtest_logfinish(nodeid):
    sections_written.pop(nodeid, None)
    write("finished", node_id=to_node_id(nodeid))


def pytest_warning_recorded(warning_message, when, nodeid):
    global warnings_written
    warnings_written += 1
    if warnings_written <= MAX_WARNINGS:
        write(
            "warning",
            category=warning_message.category.__name__,
            message=cut(warning_message.message),
            file=relative(warning_message.filename),
            line=warning_message.lineno,
            phase=when,
            node_id=to_node_id(nodeid) or None,
        )


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(exitstatus):
    write("ended", exit_code=int(exitstatus), warnings=warnings_written)


write(
    "session",
    interpreter=sys.executable,
    interpreter_version=platform.python_version(),
    runner_version=pytest.__version__,
)
