"""A PostgreSQL cluster of a lane: made once by initdb, copied for each, gone with the run."""

import glob
import os
import shutil
import subprocess

USER = "postgres"
# Nobody needs these data after a crash of the machine. What tests crashes starts a durable cluster of its own.
SETTINGS = {
    "listen_addresses": "''", "max_connections": 200, "shared_buffers": "128MB", "fsync": "off",
    "synchronous_commit": "off", "full_page_writes": "off", "max_wal_size": "1GB", "random_page_cost": 1.1,
    "jit": "off", "timezone": "'UTC'", "log_timezone": "'UTC'", "log_min_messages": "warning", "autovacuum": "on",
    "unix_socket_permissions": "0700",
}


def programs():
    """The folder of the newest server."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: float(path.split("/")[4]))
    if not found:
        raise FileNotFoundError("no PostgreSQL server: scripts/install-dependencies.sh test")
    return found[-1]


def as_server(command):
    """PostgreSQL refuses to run as root."""
    return ["runuser", "-u", USER, "--", *command] if os.geteuid() == 0 else command


def make(folder):
    """The cluster that the lanes copy."""
    os.makedirs(folder)
    if os.geteuid() == 0:
        shutil.chown(folder, USER)
    run([f"{programs()}/initdb", "-D", f"{folder}/data", "-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale",
        "--no-sync"], folder)


def start(folder, model):
    """Starts a copy; its URL."""
    os.makedirs(folder)
    subprocess.run(["cp", "-a", f"{model}/data", folder], check=True)
    if os.geteuid() == 0:
        shutil.chown(folder, USER)
    with open(f"{folder}/data/postgresql.conf", "a") as file:
        for name, value in {**SETTINGS, "unix_socket_directories": f"'{folder}'"}.items():
            file.write(f"{name} = {value}\n")
    run([f"{programs()}/pg_ctl", "-D", f"{folder}/data", "-s", "-w", "-t", "60", "-l", f"{folder}/server.log", "start"],
        folder)
    return f"postgresql:///postgres?host={folder}&user={USER}"


def stop(folder):
    subprocess.run(as_server([f"{programs()}/pg_ctl", "-D", f"{folder}/data", "-s", "-m", "immediate", "stop"]),
        check=False, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run(command, folder):
    with open(f"{folder}.log", "ab") as log:
        done = subprocess.run(as_server(command), cwd="/", stdin=subprocess.DEVNULL, stdout=log,
            stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        with open(f"{folder}.log") as log:
            raise RuntimeError(f"{command[0]} failed:\n{log.read()[-2000:]}")
