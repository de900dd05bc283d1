import Dispatch

/// Runs an actor on threads of its own, which writing to a terminal may block: one that is stopped with
/// Ctrl-S, or a slow line.
///
/// Swift's own threads are as many as the cores, and in `bitpal up` the whole platform runs on them.
final class ScreenExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "bitpal.screen")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
