// A planted race: two threads count without a lock. The thread sanitizer must name it.
import Foundation

final class Count: @unchecked Sendable {  // SAFETY: none, on purpose.
    var value = 0
}

let count = Count()
DispatchQueue.concurrentPerform(iterations: 2) { _ in
    for _ in 0..<100_000 { count.value += 1 }
}
print("counted \(count.value)")
