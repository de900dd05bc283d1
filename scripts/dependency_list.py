"""Reads dependencies.txt and what a build resolved, and tells how they differ."""

import json
import re
from dataclasses import dataclass


class Fault(Exception):
    """Why there is no document, in lines that say what to do."""


@dataclass(frozen=True)
class Package:
    """A line of dependencies.txt."""

    path: str
    version: str
    licence: str
    # The package that needs it; None where Package.swift names it.
    through: str | None
    purpose: str

    @property
    def owner(self):
        return self.path.split("/")[0]

    @property
    def name(self):
        return self.path.split("/")[1]

    @property
    def identity(self):
        """As the package manager calls it."""
        return self.name.lower()

    @property
    def reference(self):
        """Its package URL."""
        return f"pkg:swift/github.com/{self.path}@{self.version}"


@dataclass(frozen=True)
class Resolved:
    """What a build resolved, by identity."""

    versions: dict
    # `owner/name` at GitHub, or the whole address of one that is elsewhere.
    paths: dict
    direct: set
    # Whom each needs.
    needs: dict


def read_list(text, file):
    """The packages of dependencies.txt; five columns a line, in the order of their paths."""
    packages = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("|")]
        if len(columns) != 5 or not all(columns) or not re.fullmatch(r"[\w.-]+/[\w.-]+", columns[0]):
            raise Fault(f"{file}:{number}: '{line}' is not: owner/name | version | licence | through | what for")
        path, version, licence, through, purpose = columns
        packages.append(Package(path, version, licence, None if through == "directly" else through, purpose))
    twice = sorted({a.identity for a in packages if sum(a.identity == b.identity for b in packages) > 1})
    if twice:
        raise Fault(f"{file} names twice: {', '.join(twice)}")
    return packages


def read_resolved(text):
    """The tree that `swift package show-dependencies --format json` prints."""
    try:
        # Whatever is said before it is not part of it.
        root = json.loads(text[text.index("{"):])
        resolved = Resolved({}, {}, {child["identity"] for child in root["dependencies"]}, {})
        rest = list(root["dependencies"])
        while rest:
            package = rest.pop()
            identity = package["identity"]
            resolved.versions[identity] = package["version"]
            resolved.paths[identity] = path_of(package["url"])
            resolved.needs.setdefault(identity, set()).update(
                child["identity"] for child in package["dependencies"])
            rest += package["dependencies"]
        return resolved
    except (ValueError, KeyError, TypeError) as error:
        raise Fault(f"swift package show-dependencies printed no tree of packages: {error!r}") from error


def path_of(url):
    match = re.fullmatch(r"https://github\.com/([^/]+/[^/]+?)(\.git)?/?", url)
    return match[1] if match else url


def differences(accepted, resolved):
    """A line for each way in which a build is not what the list says."""
    listed = {package.identity: package for package in accepted}
    faults = [f"{resolved.paths[key]} {resolved.versions[key]} was resolved and is not in dependencies.txt"
              for key in sorted(resolved.versions.keys() - listed.keys())]
    for key, package in sorted(listed.items()):
        if key not in resolved.versions:
            faults.append(f"{package.path} is in dependencies.txt and was not resolved")
            continue
        if resolved.paths[key].lower() != package.path.lower():
            faults.append(f"{package.path} comes from {resolved.paths[key]}")
        if resolved.versions[key] != package.version:
            faults.append(
                f"{package.path} is {package.version} in dependencies.txt, {resolved.versions[key]} was resolved")
        faults += misplaced(package, resolved)
    return faults


def misplaced(package, resolved):
    is_direct = package.identity in resolved.direct
    if package.through is None:
        return [] if is_direct else [f"{package.path} comes directly by dependencies.txt, and Package.swift has it not"]
    if is_direct:
        return [f"{package.path} comes through {package.through} by dependencies.txt, and Package.swift names it"]
    if package.identity in resolved.needs.get(package.through, ()):
        return []
    return [f"{package.path} does not come through {package.through}, as dependencies.txt says"]
