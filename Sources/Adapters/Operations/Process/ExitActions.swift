import Synchronization

/// What is done at the very end of a process whose services did not stop in time: what else would outlive it.
///
/// Each takes no time to speak of: the process ends right after them, whatever they have begun.
package final class ExitActions: Sendable {
    private let deeds = Mutex<[@Sendable () -> Void]>([])

    init() {}

    /// Adds one; they are done in the order in which they were added.
    package func add(_ deed: @escaping @Sendable () -> Void) { deeds.withLock { $0.append(deed) } }

    /// Does all of them.
    func perform() { for deed in deeds.withLock({ $0 }) { deed() } }
}
