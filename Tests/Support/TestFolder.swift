import CLinux
import Glibc
import Synchronization

/// The run's temporary folder, with a watchdog that removes it when this process is gone.
///
/// The watchdog is a shell that reads a pipe whose other end only this process holds: the read ends when the
/// process ends, also by SIGKILL. Then it stops every process that works inside the folder, drops the
/// databases that were made elsewhere, and removes the folder.
final class TestFolder: Sendable {
    /// Made once; the error is the same for everybody.
    static let shared = Result { try TestFolder() }

    private let path: String
    private let count = Atomic<Int>(0)

    private static let watchdog = """
        cd /; trap '' INT TERM HUP; read -r _; round=0
        while [ $round -lt 40 ]; do
            alive=0
            for process in /proc/[0-9]*; do
                case "$(readlink "$process/cwd")" in
                "$1"/*) alive=1; kill -QUIT "${process#/proc/}" ;;
                esac
            done
            [ $alive = 1 ] || break
            round=$((round + 1)); sleep 0.1
        done
        if [ -n "$POSTGRES_TEST_URL" ]; then
            sed 's/.*/DROP DATABASE IF EXISTS & WITH (FORCE);/' "$1/databases" |
                psql -q "$POSTGRES_TEST_URL"
        fi
        rm -rf "$1"
        """

    private init() throws {
        // Short: the paths of sockets inside may have 107 bytes. Who runs the tests may give a place for it.
        let place = ProcessNumber.environment("TEST_FOLDER") ?? "/tmp"
        var template = Array("\(place)/bitpal-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemFailure("mkdtemp") }
        path = String(cString: made)
        // The server's user must get through; what is inside protects itself.
        chmod(path, 0o755)
        try Self.startWatchdog(path)
    }

    func makeDirectory() throws -> String {
        let directory = "\(path)/\(count.add(1, ordering: .relaxed).newValue)"
        guard mkdir(directory, 0o755) == 0 else { throw SystemFailure("mkdir") }
        return directory
    }

    func note(database: String) throws {
        let descriptor = open(path + "/databases", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw SystemFailure("open") }
        defer { close(descriptor) }
        let line = Array("\(database)\n".utf8)
        guard write(descriptor, line, line.count) == line.count else { throw SystemFailure("write") }
    }

    private static func startWatchdog(_ path: String) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemFailure("pipe") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        // The test runner waits for its output to close.
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A session of its own: Ctrl-C ends the tests, and the watchdog cleans up after them.
        posix_spawnattr_setflags(&attributes, Int16(BITPAL_SPAWN_SETSID))
        let words: [String] = ["/bin/sh", "-c", watchdog, "sh", path]
        let arguments = words.map { strdup($0) } + [nil]
        let variables = ["PATH", "POSTGRES_TEST_URL"].map { name in
            strdup("\(name)=\(ProcessNumber.environment(name) ?? "")")
        }
        // SAFETY: the child has its own copy once posix_spawn returns.
        defer { for string in arguments + variables { free(string) } }
        var process = pid_t()
        guard posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, variables + [nil]) == 0
        else {
            throw SystemFailure("posix_spawn")
        }
        close(ends[0])
        // The writing end stays open, on purpose, until this process is gone.
    }
}

/// A call of the system that failed.
struct SystemFailure: Error, CustomStringConvertible {
    let description: String

    init(_ call: String) { description = "\(call): \(String(cString: strerror(errno)))" }
}

/// What tells this process from others.
enum ProcessNumber {
    static var current: Int32 { getpid() }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
