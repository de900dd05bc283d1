import Dispatch
import Glibc
import Logging
import Synchronization

/// Ends the process when its services do not stop, however badly they hang.
///
/// It waits on a dispatch queue of its own: a service that blocks Swift's pool could keep a task from
/// running.
final class StopDeadline: Sendable {
    /// How long services may take to stop by themselves.
    static let graceful = Duration.seconds(3)
    /// How long they may take after that, cancelled.
    static let cancelled = Duration.seconds(1)

    private let isArmed = Atomic(false)
    /// What has begun and not ended, in that order.
    private let running = Mutex<[(number: Int, name: String)]>([])
    private let queue = DispatchQueue(label: "bitpal.stop-deadline")
    private let logger: Logger
    private let lastDeeds: LastDeeds

    init(logger: Logger, lastDeeds: LastDeeds) {
        self.logger = logger
        self.lastDeeds = lastDeeds
    }

    /// Notes that a service runs, until ``ended(_:)`` is told of its number.
    func began(_ name: String) -> Int {
        running.withLock { running in
            let number = (running.last?.number ?? 0) + 1
            running.append((number, name))
            return number
        }
    }

    func ended(_ number: Int) { running.withLock { $0.removeAll { $0.number == number } } }

    /// Starts the clock; once is enough, later calls change nothing.
    ///
    /// - Parameter cause: The failure that stops the process, told when its end cannot be waited for.
    func arm(because cause: (any Error)? = nil) {
        guard !isArmed.exchange(true, ordering: .relaxed) else { return }
        let limit = Self.graceful + Self.cancelled
        queue.asyncAfter(deadline: .now() + .seconds(Int(limit.components.seconds)) + .milliseconds(200)) {
            let reason = cause.map { "\($0)" } ?? "a signal"
            let late = self.running.withLock { $0.map(\.name).joined(separator: ", ") }
            self.logger.critical(
                "Services did not stop in time",
                metadata: ["limit": "\(limit)", "cause": "\(reason)", "services": "\(late)"])
            self.lastDeeds.perform()
            ProcessExit.now(.software)
        }
    }
}

/// The end of the process.
enum ProcessExit {
    /// Writes what is buffered and ends at once: destructors of C libraries must not run under their threads.
    static func now(_ status: ExitStatus) -> Never {
        fflush(nil)
        _exit(status.rawValue)
    }
}
