import CLinux
import Glibc

/// Runs blocking work on a thread of its own.
///
/// For work that blocks in C for long or for ever: a socket's loop, a database connection. Swift's own
/// threads are as many as the cores, so a blocked one stops everything else.
public enum NamedThread {
    /// Starts a thread, waits for its end without blocking the caller's thread, and returns what the body
    /// returned.
    ///
    /// Cancelling the waiting task does not end the body: the owner of the body says how it ends.
    ///
    /// - Parameters:
    ///   - name: What `ps -L`, `top -H` and a debugger show; Linux keeps the first 15 bytes.
    ///   - body: Runs once, on the new thread.
    /// - Returns: What the body returned.
    /// - Throws: What the body throws.
    /// - Precondition: The system can start one more thread.
    public static func run<Value: Sendable, Failure: Error>(
        name: String, _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            start(name: name) {
                do throws(Failure) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// Starts a thread and returns at once; for owners that keep their own account of when it ends.
    ///
    /// - Parameters:
    ///   - name: What `ps -L`, `top -H` and a debugger show; Linux keeps the first 15 bytes.
    ///   - work: Runs once, on the new thread.
    /// - Precondition: The system can start one more thread.
    public static func start(name: String, _ work: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        // SAFETY: the box is retained once here and released once, by the thread that starts.
        let box = Unmanaged.passRetained(ThreadStart(name: name, work: work))
        var thread = pthread_t()
        let code = pthread_create(&thread, &attributes, threadMain, box.toOpaque())
        precondition(code == 0, "the system refused one more thread (error \(code))")
    }
}

private final class ThreadStart: Sendable {
    let name: String
    let work: @Sendable () -> Void

    init(name: String, work: @escaping @Sendable () -> Void) {
        self.name = name
        self.work = work
    }
}

private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // SAFETY: `start` retained exactly this object for this thread.
    let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
    _ = start.name.withCString { bitpal_name_thread($0) }
    start.work()
    return nil
}
