import Foundation
import Threads

extension NetworkNamespace {
    /// Runs a closure on a thread of its own inside: what that thread starts, such as the threads of a bus,
    /// stays inside, and the rest of this process outside.
    ///
    /// - Throws: ``SystemFailure`` where the kernel refuses it, and what `body` throws.
    package func inside<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let path = file
        return try await NamedThread.run(name: "inside") { () throws(any Error) in
            let file = open(path, O_RDONLY | O_CLOEXEC)
            defer { if file >= 0 { close(file) } }
            guard file >= 0, try Self.enter(file) == 0 else { throw SystemFailure("entering \(path)") }
            return try body()
        }
    }

    /// `setns` for a network, which Swift's modules of the system leave out.
    private static func enter(_ file: Int32) throws -> Int32 {
        guard let address = dlsym(nil, "setns") else { throw SystemFailure("finding setns") }
        // SAFETY: this is its declaration, int setns(int, int), since Linux 3.0.
        let setns = unsafeBitCast(address, to: (@convention(c) (Int32, Int32) -> Int32).self)
        // CLONE_NEWNET of linux/sched.h.
        return setns(file, 0x4000_0000)
    }
}
