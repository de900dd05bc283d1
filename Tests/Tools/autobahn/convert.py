"""Converts Autobahn's test suite, which is Python 2's, so that Python 3 runs it.

    convert.py SOURCES FOLDER

SOURCES has the source distributions of autobahntestsuite, autobahn and txaio; FOLDER gets their packages, the last two
as they are. Every case, what it sends and what it
expects stay as they are. A string of Python 2 is bytes: here it becomes a string of as many characters, each below 256,
and client.py turns one into the other where the cases meet the network. lib2to3 does the rest, and the few
replacements below, each of which must be found as often as it says.
"""
import pathlib
import re
import shutil
import sys
import tarfile
import warnings

warnings.simplefilter("ignore", DeprecationWarning)
from lib2to3.refactor import RefactoringTool  # noqa: E402

# What the fuzzing client is made of; WAMP, the broadcast server and the measuring of many connections are left out.
MODULES = ["_version.py", "caseset.py", "fuzzing.py", "report.py"]
FIXERS = ["dict", "except", "has_key", "idioms", "import", "print", "raise", "unicode", "xrange"]

# File, what is there, what it becomes, how often.
REPLACEMENTS = [
    # Classes are new ones by themselves; the old order of bases has no resolution.
    ("case/*.py", r"\(object, Case, \)", "(Case, )", 6),
    # The result of a pickle depends on which strings are the same object; that they are equal is what is meant.
    ("case/case.py", r"pickle\.dumps\(obj1\) == pickle\.dumps\(obj2\)", "obj1 == obj2", 1),
    # Whole numbers are divided to whole numbers.
    ("case/case10_1_1.py", r"len\(self\.payload\) / ", "len(self.payload) // ", 1),
    ("case/case9_9_1.py", r"implements\(interfaces\.IPushProducer\)", "pass", 1),
    ("case/case9_9_1.py", r"from zope\.interface import implements\n", "", 1),
    # Bytes as such characters.
    ("case/*.py", r"\bimport (.*)\bbinascii$", r"import \1autobahn_bytes as binascii", 15),
    ("fuzzing.py", r"\bbinascii, ", "autobahn_bytes as binascii, ", 1),
    ("case/case6_x_x.py", r"from autobahn\.websocket\.utf8validator", "from autobahn_bytes", 1),
    ("case/case12_x_x.py", r"open\(fn, 'rb'\)", "open(fn, encoding='latin-1')", 1),
    # The report: text, not bytes.
    ("fuzzing.py", r"dd\.decode\('utf8'", "dd.encode('latin-1').decode('utf8'", 1),
    ("fuzzing.py", r"\.encode\(\"utf-8\"\)\)$", ")", 1),
    ("fuzzing.py", r"ll\.encode\('utf8'\)", "ll", 1),
    ("fuzzing.py", r"report_filename\), 'w'\)", "report_filename), 'w', encoding='utf-8')", 4),
    # The reports of WAMP.
    ("report.py", r"import jinja2\n", "", 1),
    ("report.py", r"REPORT_DIR_PERMISSIONS = (.|\n)*", "", 1),
    # Without TLS.
    ("fuzzing.py", r"ssl\.ClientContextFactory\(\)", "None", 1),
    ("fuzzing.py", r"import reactor, ssl$", "import reactor", 1),
]


def unpack(archive, package, folder, wanted=lambda inner: True):
    """Writes the files of one package of a source distribution, those that are wanted by their path in it."""
    with tarfile.open(archive) as source:
        for member in source.getmembers():
            path = pathlib.PurePosixPath(member.name).parts
            if not member.isfile() or path[1:2] != (package,) or ".." in path or not wanted(path[2:]):
                continue
            target = folder.joinpath(*path[1:])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.extractfile(member).read())


def main(sources, folder):
    sources, folder = pathlib.Path(sources), pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    for package in ("autobahn", "txaio"):
        unpack(next(sources.glob(f"{package}-*.tar.gz")), package, folder)
    suite = "autobahntestsuite"
    unpack(
        next(sources.glob(f"{suite}-*.tar.gz")),
        suite,
        folder,
        lambda inner: inner[0] in ("case", "testdata") or inner in [(name,) for name in MODULES],
    )
    package = folder / suite
    (package / "__init__.py").write_text("from ._version import __version__\nversion = __version__\n")
    for path in package.rglob("*.py"):
        # A byte of the source is a character of its strings.
        path.write_bytes(path.read_bytes().replace(b"coding=utf-8", b"coding=latin-1"))
    for pattern, old, new, expected in REPLACEMENTS:
        count = 0
        for path in sorted(package.glob(pattern)):
            text, found = re.subn(old, new, path.read_text("latin-1"), flags=re.MULTILINE)
            count += found
            path.write_text(text, "latin-1")
        if count != expected:
            sys.exit(f"error: {pattern} of {suite} has {old} {count} times, expected {expected} times")
    tool = RefactoringTool([f"lib2to3.fixes.fix_{name}" for name in FIXERS])
    for path in sorted(package.rglob("*.py")):
        tool.refactor_file(str(path), write=True)


main(*sys.argv[1:3])
