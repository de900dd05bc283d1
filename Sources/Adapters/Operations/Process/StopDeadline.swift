import Dispatch
import Glibc
import Logging
import Synchronization

/// Ends the process when its services do not stop, however badly they hang.
///
/// It waits on a dispatch queue of its own: a service that blocks Swift's pool could keep a task from
/// running.
final class StopDeadline: Sendable {
    /// How long they may take after ``graceful``, cancelled.
    static let cancelled = Duration.seconds(1)

    /// How long services may take to stop by themselves.
    let graceful: Duration
    private let isArmed = Atomic(false)
    /// The names of the services that have begun and not ended.
    private let running = Mutex<[String]>([])
    private let queue = DispatchQueue(label: "bitpal.stop-deadline")
    private let logger: Logger
    private let lastDeeds: ExitActions

    init(graceful: Duration, logger: Logger, lastDeeds: ExitActions) {
        self.graceful = graceful
        self.logger = logger
        self.lastDeeds = lastDeeds
    }

    func began(_ service: String) { running.withLock { $0.append(service) } }

    func ended(_ service: String) {
        running.withLock { running in running.firstIndex(of: service).map { _ = running.remove(at: $0) } }
    }

    /// Starts the clock; once is enough, later calls change nothing.
    ///
    /// - Parameter cause: The failure that stops the process, told when its end cannot be waited for.
    func arm(because cause: (any Error)? = nil) {
        guard !isArmed.exchange(true, ordering: .relaxed) else { return }
        let limit = graceful + Self.cancelled
        let (seconds, attoseconds) = (limit + .milliseconds(200)).components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
            let reason = cause.map { "\($0)" } ?? "a signal"
            let late = self.running.withLock { $0.joined(separator: ", ") }
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
