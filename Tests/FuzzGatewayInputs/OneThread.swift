import Synchronization

/// Runs what is asynchronous to its end on the thread that asks, so that an input is one call.
///
/// For what waits for nothing but its own parts: there is no other thread that could wake it.
final class OneThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// The result.
    ///
    /// - Precondition: The body waits for nothing that happens elsewhere.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
        let thread = OneThread()
        let result = Kept<Value>()
        Task(executorPreference: thread) {
            let value = await body()
            result.value.withLock { $0 = value }
        }
        while let job = thread.jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: thread.asUnownedTaskExecutor())
        }
        guard let value = result.value.withLock({ $0 }) else {
            preconditionFailure("it waits for something that happens elsewhere")
        }
        return value
    }

    private final class Kept<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }
}
