import CLinux
import Glibc

/// A descriptor that wakes a thread out of `poll`.
///
/// Any number of signals before the thread looks count as one. Waking a sleeping thread costs some twenty
/// microseconds: signal only a thread that is known to sleep.
public final class Wakeup: Sendable {
    /// Readable while a signal is pending; for `poll` only.
    public let descriptor: Int32

    /// Opens the descriptor.
    ///
    /// - Throws: ``ThreadError/noDescriptor(code:)`` when the process may open no more files.
    public init() throws(ThreadError) {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        if descriptor < 0 { throw .noDescriptor(code: errno) }
    }

    deinit { close(descriptor) }

    /// Makes the descriptor readable; callable from any thread.
    public func signal() {
        var one: UInt64 = 1
        // A full counter means that it is readable already.
        _ = write(descriptor, &one, 8)
    }

    /// Takes back all pending signals.
    public func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }
}
