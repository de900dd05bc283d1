import CLinux
import Glibc

/// Programs that we start, without a shell, with a small environment of our own.
///
/// Foundation's Process would bring Foundation, and children that keep our descriptors.
enum Subprocess {
    struct Outcome {
        /// Exit status; 128 and the signal's number when a signal ended it.
        let status: Int32
        /// Standard output and error together, at most 64 KB of it.
        let output: String

        /// The last line that says something.
        var lastLine: String {
            output.split(whereSeparator: \.isNewline).last.map(String.init) ?? "exit status \(status)"
        }
    }

    private static let environment = [
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "TZ=UTC",
    ]
    private static let maximumOutput = 64 << 10

    /// Runs a program to its end; one that takes longer than the limit, or is no longer wanted, is killed.
    static func run(
        _ command: [String], limit: Duration, isCancelled: () -> Bool = { false }
    ) throws(ClusterError) -> Outcome {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw FileAccess.problem(command[0]) }
        let process: pid_t
        do throws(ClusterError) {
            defer { close(ends[1]) }
            process = try spawn(command, output: .descriptor(ends[1]))
        } catch {
            close(ends[0])
            throw error
        }
        let output = readAll(ends[0], process, Deadline(after: limit), isCancelled)
        close(ends[0])
        return Outcome(status: wait(for: process), output: output)
    }

    /// Where a program's standard output and error go.
    enum Output {
        case descriptor(Int32)
        case file(String)
    }

    /// Starts a program in a session of its own, so that Ctrl-C in our terminal does not reach it.
    static func spawn(_ command: [String], output: Output) throws(ClusterError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        switch output {
        case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
        case .file(let path):
            posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // A server that outlives us must not keep our sockets and locks.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        posix_spawn_file_actions_addchdir_np(&actions, "/")

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        resetSignals(&attributes)

        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        // SAFETY: the child has its own copy once posix_spawn returns.
        defer { for string in arguments + variables { free(string) } }
        var process = pid_t()
        let code = posix_spawn(&process, command[0], &actions, &attributes, arguments, variables)
        guard code == 0 else {
            throw .directory(path: command[0], problem: String(cString: strerror(code)))
        }
        return process
    }

    /// The child gets default signal treatment, whatever we block or ignore.
    private static func resetSignals(_ attributes: inout posix_spawnattr_t) {
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | Int32(BITPAL_SPAWN_SETSID)
        posix_spawnattr_setflags(&attributes, Int16(flags))
    }

    private static func readAll(
        _ descriptor: Int32, _ process: pid_t, _ deadline: Deadline, _ isCancelled: () -> Bool
    ) -> String {
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4 << 10)
        while true {
            let turn = Deadline(after: .milliseconds(100))
            guard waitForSocket(descriptor, events: POLLIN, signal: nil, until: turn) == .ready else {
                guard deadline.isOver || isCancelled() else { continue }
                // With what it started: it leads a session of its own.
                kill(-process, SIGKILL)
                break
            }
            let count = read(descriptor, &buffer, buffer.count)
            if count <= 0 { break }
            if output.count < maximumOutput { output += buffer.prefix(count) }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Waits for a child's end and returns its status.
    static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return exitStatus(status)
    }

    /// A child's status when it has ended already.
    static func endedStatus(of process: pid_t) -> Int32? {
        var status: Int32 = 0
        return waitpid(process, &status, WNOHANG) == process ? exitStatus(status) : nil
    }

    private static func exitStatus(_ status: Int32) -> Int32 {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
