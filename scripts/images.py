#!/usr/bin/env python3
"""Asks the registry for the digests of the base images and writes them into services/images.txt.

    images.py [--output FILE]

A tag can be moved, a digest cannot: the file says what the tags of Dockerfile and docker-compose.yml were when it was
written, and a later run names those that lead elsewhere since. Needs the client `docker`, and a registry or, where its
buildx is missing, an engine. The file is written whole or not at all.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
HEADING = "# What the tags of the base images led to; `make images` writes it anew.\n"
# Seconds for an answer; an image that has to be pulled is some hundred megabytes.
PATIENCE = 900


def main():
    parser = argparse.ArgumentParser(description="Writes the digests of the base images.")
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "services/images.txt")
    output = parser.parse_args().output
    images = base_images((ROOT / "Dockerfile").read_text(), (ROOT / "docker-compose.yml").read_text())
    met, faults = {}, []
    for image in images:
        try:
            met[image] = digest(image)
        except LookupError as error:
            faults.append(f"error: {image}: {error}")
    if faults:
        sys.exit("\n".join(faults + [f"error: {output.name} is left as it is: not every image has been asked for"]))
    before = read(output)
    for image, found in met.items():
        if before.get(image, found) != found:
            print(f"{image} was {before[image]} and is {found} now")
    part = output.with_name(output.name + ".part")
    part.write_text(HEADING + "".join(f"{image} {met[image]}\n" for image in images))
    os.replace(part, output)
    print(f"{len(images)} digests in {os.path.relpath(output)}")


def base_images(dockerfile, compose):
    """Those that are not built here, sorted: what Dockerfile begins from and docker-compose.yml runs."""
    arguments = dict(re.findall(r"^ARG (\w+)=(\S+)$", dockerfile, re.MULTILINE))
    stages = set(re.findall(r"^FROM \S+ AS (\S+)$", dockerfile, re.MULTILINE))
    froms = [re.sub(r"\$\{(\w+)\}", lambda name: arguments.get(name[1], name[0]), image)
             for image in re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)]
    runs = re.findall(r"^\s+image: (\S+)$", compose, re.MULTILINE)
    return sorted({image for image in froms if image not in stages}
                  | {image for image in runs if not image.startswith("bitpal/")})


def digest(image):
    """What a tag leads to: an index of all architectures, where there is one."""
    asked = docker("buildx", "imagetools", "inspect", image)
    found = re.search(rf"^Digest:\s+({DIGEST.pattern})$", asked.stdout, re.MULTILINE)
    if asked.returncode == 0 and found:
        return found[1]
    pulled = docker("pull", "--quiet", image)
    if pulled.returncode:
        raise LookupError(f"no registry or engine answers: {reason(pulled)}")
    inspected = docker("image", "inspect", "--format", "{{range .RepoDigests}}{{println .}}{{end}}", image)
    found = DIGEST.search(inspected.stdout)
    if inspected.returncode or not found:
        raise LookupError(f"the engine names no digest: {reason(inspected)}")
    return found[0]


def docker(*arguments):
    try:
        return subprocess.run(["docker", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=PATIENCE)
    except FileNotFoundError:
        raise LookupError("there is no `docker` here; install Docker's client") from None
    except subprocess.TimeoutExpired:
        raise LookupError(f"no answer within {PATIENCE} s") from None


def reason(done):
    lines = done.stderr.strip().splitlines()
    return lines[-1] if lines else f"`docker` ended with {done.returncode} and said nothing"


def read(path):
    if not path.exists():
        return {}
    lines = [line.split() for line in path.read_text().splitlines() if not line.startswith("#")]
    return {line[0]: line[1] for line in lines if len(line) == 2}


if __name__ == "__main__":
    main()
