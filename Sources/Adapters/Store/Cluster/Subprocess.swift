import CLinux
import Glibc
import Threads

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

    /// Starts a program.
    static func spawn(_ command: [String], output: ProcessSpawn.Output) throws(ClusterError) -> pid_t {
        do throws(ProcessSpawn.Refusal) {
            return try ProcessSpawn.spawn(command, environment: environment, output: output)
        } catch {
            throw .directory(path: command[0], problem: error.reason)
        }
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
        return ProcessSpawn.exitStatus(status)
    }

    /// A child's status when it has ended already.
    static func endedStatus(of process: pid_t) -> Int32? {
        var status: Int32 = 0
        return waitpid(process, &status, WNOHANG) == process ? ProcessSpawn.exitStatus(status) : nil
    }
}
