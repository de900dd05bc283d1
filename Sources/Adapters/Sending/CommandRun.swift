import CLinux
import Channels
import Glibc
import Threads

/// Runs a program of the operator's: an argument list, no shell, a small environment of our own.
enum CommandRun {
    private static let environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", "TZ=UTC"]

    /// The exit status as the answer's, and what it printed as the body.
    ///
    /// - Throws: ``SendFailure``; whoever takes longer than the limit is killed with what it started.
    static func run(
        _ arguments: [String], input: [UInt8], limits: SenderConfiguration
    ) async throws(SendFailure) -> Answer {
        guard let path = arguments.first, path.hasPrefix("/") else {
            throw .malformed("a command begins with an absolute path")
        }
        return try await NamedThread.run(name: "command") { () throws(SendFailure) -> Answer in
            try runBlocking(arguments, input, limits)
        }
    }

    private static func runBlocking(
        _ arguments: [String], _ input: [UInt8], _ limits: SenderConfiguration
    ) throws(SendFailure) -> Answer {
        PipeSignal.block()
        var (given, printed): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe2(&given, O_CLOEXEC) == 0 else { throw .failed("no descriptor is left") }
        guard pipe2(&printed, O_CLOEXEC) == 0 else {
            for end in given { close(end) }
            throw .failed("no descriptor is left")
        }
        let child: pid_t
        do throws(ProcessSpawn.Refusal) {
            defer {
                close(given[0])
                close(printed[1])
            }
            child = try ProcessSpawn.spawn(
                arguments, environment: environment, input: .descriptor(given[0]),
                output: .descriptor(printed[1]))
        } catch {
            close(given[1])
            close(printed[0])
            throw .failed("\(arguments[0]): \(error.reason)")
        }
        var exchange = PipeExchange(input: given[1], output: printed[0], keepLimit: limits.keepLimit)
        let deadline = ContinuousClock.now + limits.timeout
        let status = exchange.run(input, until: deadline) ? wait(for: child, until: deadline) : nil
        // It leads a session of its own: what it started ends with it, in time or not.
        kill(-child, SIGKILL)
        guard let status else {
            _ = wait(for: child, until: .now + .seconds(60))
            throw .timedOut(limits.timeout)
        }
        return Answer(status: Int(status), body: exchange.kept)
    }

    /// Its exit status, or 128 and the number of the signal that ended it; `nil` when the time was over.
    private static func wait(for child: pid_t, until deadline: ContinuousClock.Instant) -> Int32? {
        var status: Int32 = 0
        while waitpid(child, &status, WNOHANG) == 0 {
            guard ContinuousClock.now < deadline else { return nil }
            poll(nil, 0, 2)
        }
        return ProcessSpawn.exitStatus(status)
    }
}

/// Writes a program's input and reads its output at once, so that neither waits for the other.
private struct PipeExchange {
    private let input: Int32
    private let output: Int32
    /// Bytes of output.
    private let keepLimit: Int
    private(set) var kept: [UInt8] = []

    init(input: Int32, output: Int32, keepLimit: Int) {
        self.input = input
        self.output = output
        self.keepLimit = keepLimit
    }

    /// Returns when the program has closed its output; `false` when the time was over before.
    mutating func run(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Bool {
        for end in [input, output] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        defer { close(output) }
        var unwritten = bytes[...]
        var isWriting = true
        defer { if isWriting { close(input) } }
        while true {
            if isWriting, unwritten.isEmpty {
                close(input)
                isWriting = false
            }
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else { return false }
            var ends = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
            if isWriting { ends.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
            guard poll(&ends, nfds_t(ends.count), Int32(left) + 1) > 0 else { continue }
            if isWriting, ends[1].revents != 0 {
                let count = unwritten.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
                // Who does not read has closed it: that is no failure.
                let isGone = count < 0 && errno != EAGAIN
                unwritten = isGone ? [] : unwritten.dropFirst(max(count, 0))
            }
            if ends[0].revents != 0, !takeOutput() { return true }
        }
    }

    /// `false` at the end.
    private mutating func takeOutput() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4 << 10)
        let count = read(output, &buffer, buffer.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        kept += buffer.prefix(min(count, max(keepLimit - kept.count, 0)))
        return count > 0
    }
}
