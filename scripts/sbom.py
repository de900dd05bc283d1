#!/usr/bin/env python3
"""Writes what Bitpal is made of as a CycloneDX 1.5 document, and fails when it is not what dependencies.txt says.

    sbom.py [--resolved FILE] [--list FILE] [--output FILE]

--resolved  what `swift package show-dependencies --format json` printed; else it is asked, which after a build
            resolves nothing anew
--list      what is accepted, dependencies.txt
--output    where the document goes, .build/sbom.cdx.json

The same input gives the same bytes: the serial number is made of the content, and there is no time but
SOURCE_DATE_EPOCH. The file is written whole or not at all.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

from dependency_list import Fault, Package, differences, read_list, read_resolved

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Of the packages that install-dependencies.sh knows, these are needed where Bitpal is built and runs.
NEEDED = "demo"
ALL = ("demo", "test", "bench", "ci")


def main():
    options = parse()
    try:
        accepted = read_list(options.list.read_text(), options.list.name)
        resolved = read_resolved(options.resolved.read_text() if options.resolved else show_dependencies())
        faults = differences(accepted, resolved)
        if faults:
            raise Fault("\n".join(faults))
        document = describe(accepted, resolved)
    except (Fault, OSError) as error:
        sys.exit("\n".join(f"error: {line}" for line in str(error).splitlines()))
    write(options.output, json.dumps(document, indent=2, sort_keys=True) + "\n")
    print(f"{len(document['components'])} components in {os.path.relpath(options.output)}")


def parse():
    parser = argparse.ArgumentParser(description="Writes what Bitpal is made of as a CycloneDX document.")
    parser.add_argument("--resolved", type=pathlib.Path)
    parser.add_argument("--list", type=pathlib.Path, default=ROOT / "dependencies.txt")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / ".build/sbom.cdx.json")
    return parser.parse_args()


def show_dependencies():
    return run("swift", "package", "--package-path", str(ROOT), "show-dependencies", "--format", "json")


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        raise Fault(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
    return done.stdout


def describe(accepted, resolved):
    swift = [swift_component(package) for package in accepted]
    components = swift + [chart_library()] + debian_components()
    references = {package.identity: package.reference for package in accepted}
    name = f"bitpal@{product_version()}"
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application", "bom-ref": name, "name": "bitpal", "version": product_version(),
                "licenses": [{"expression": "Apache-2.0"}],
            },
        },
        "components": sorted(components, key=lambda component: component["bom-ref"]),
        "dependencies": sorted(
            [{"ref": name, "dependsOn": sorted(references[key] for key in resolved.direct)}]
            + [{"ref": references[key], "dependsOn": sorted(references[needed] for needed in through)}
               for key, through in resolved.needs.items()],
            key=lambda entry: entry["ref"]),
    }
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        if not epoch.isdigit():
            raise Fault(f"SOURCE_DATE_EPOCH is '{epoch}'; seconds since 1970 are accepted")
        moment = datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc)
        document["metadata"]["timestamp"] = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    document["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True)).urn
    return document


def product_version():
    """The one place where the version stands."""
    text = (ROOT / "Sources/Adapters/Version/ProductVersion.swift").read_text()
    return found(r'let number = "([^"]+)"', text, "ProductVersion.swift names no version")


def found(pattern, text, fault):
    match = re.search(pattern, text, re.MULTILINE)
    if not match:
        raise Fault(fault)
    return match[1]


def swift_component(package: Package):
    return {
        "type": "library", "bom-ref": package.reference, "group": package.owner, "name": package.name,
        "version": package.version, "purl": package.reference, "description": package.purpose,
        "licenses": [{"expression": package.licence}], "scope": "required",
        "externalReferences": [{"type": "vcs", "url": f"https://github.com/{package.path}"}],
    }


def chart_library():
    """What scripts/web-vendor.sh fetches for the page; the licence is that of the file, not of its wheel."""
    text = (ROOT / "scripts/web-vendor.sh").read_text()
    fault = "scripts/web-vendor.sh does not name package, version and sum of the file"
    name = found(r"\bpackage=(\S+)", text, fault)
    version = found(r"\bversion=(\S+)", text, fault)
    reference = f"pkg:pypi/{name}@{version}"
    return {
        "type": "library", "bom-ref": reference, "name": name, "version": version, "purl": reference,
        "description": "charts of the page; fetched, not kept", "licenses": [{"expression": "Apache-2.0"}],
        "scope": "optional",
        "hashes": [{"alg": "SHA-256", "content": found(r"\bfile_sum=(\S+)", text, fault)}],
    }


def debian_components():
    listed = {group: run(str(ROOT / "scripts/install-dependencies.sh"), "list", group).split() for group in ALL}
    names = sorted({name for group in ALL for name in listed[group]})
    versions = installed(names)
    return [debian_component(name, versions.get(name), name in listed[NEEDED]) for name in names]


def installed(names):
    """Versions and architectures by name of what is installed here; nothing on a system without dpkg."""
    form = "${Package}\t${Version}\t${Architecture}\t${Status}\n"
    try:
        # Ends with 1 when one of them is unknown, and still names the others.
        text = subprocess.run(["dpkg-query", "--show", f"--showformat={form}", *names],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    except FileNotFoundError:
        return {}
    rows = [line.split("\t") for line in text.splitlines()]
    return {row[0]: (row[1], row[2]) for row in rows if row[3] == "install ok installed"}


def debian_component(name, met, is_needed):
    version, architecture = met or (None, None)
    reference = f"pkg:deb/debian/{name.replace('+', '%2B')}"
    if met:
        reference += f"@{version.replace('+', '%2B').replace(':', '%3A')}?arch={architecture}"
    component = {
        "type": "library", "bom-ref": reference, "group": "debian", "name": name, "purl": reference,
        # Excluded: the tests, the checks and the measurements use it, nothing that is shipped does.
        "scope": "required" if is_needed else "excluded",
    }
    return component | ({"version": version} if met else {})


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    os.replace(part, path)


if __name__ == "__main__":
    main()
