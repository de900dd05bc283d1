import GatewayFrame
import Synchronization

/// How many exports of everything and imports there are at once: each holds a connection for what may take
/// long while it lasts, and what they all leave is for reports.
final class LongWorkLimit: Sendable {
    /// A place inside; free again when it is left, or nobody holds it.
    final class Permit: Sendable {
        private let door: LongWorkLimit
        private let isInside = Mutex(true)

        fileprivate init(_ door: LongWorkLimit) { self.door = door }

        deinit { leave() }

        /// Gives the place back, once: whoever still sends what was read holds no connection any more.
        func leave() {
            let wasInside = isInside.withLock { isInside in
                defer { isInside = false }
                return isInside
            }
            if wasInside { door.inside.withLock { $0 -= 1 } }
        }
    }

    /// At most so many at once.
    let limit: Int
    private let inside = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// Lets one in.
    ///
    /// - Returns: Its place.
    /// - Throws: `throttled` when there are enough.
    func enter() throws(Problem) -> Permit {
        let isFree = inside.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard !isFree else { return Permit(self) }
        var problem = Problem(.throttled, "others export or import; try again in a moment")
        problem.retryAfter = 10
        throw problem
    }
}
