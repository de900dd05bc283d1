// The same with a lock: the thread sanitizer must say nothing.
import Dispatch
import Synchronization

final class Count: Sendable {
    let value = Mutex(0)
}

let count = Count()
DispatchQueue.concurrentPerform(iterations: 2) { _ in
    for _ in 0..<100_000 { count.value.withLock { $0 += 1 } }
}
print("counted \(count.value.withLock { $0 })")
