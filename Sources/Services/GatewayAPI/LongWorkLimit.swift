import AccountStore
import GatewayFrame
import Synchronization

/// How many exports of everything and imports there are at once.
///
/// Each holds a connection for what may take long while it lasts, and what they all leave is for reports. A
/// user has one place, so that whoever reads slowly leaves the others to others.
final class LongWorkLimit: Sendable {
    /// A place inside; free again when it is left, or nobody holds it.
    final class Permit: Sendable {
        private let door: LongWorkLimit
        private let user: UserID
        private let isInside = Mutex(true)

        fileprivate init(_ door: LongWorkLimit, of user: UserID) { (self.door, self.user) = (door, user) }

        deinit { leave() }

        /// Gives the place back, once: whoever still sends what was read holds no connection any more.
        func leave() {
            let wasInside = isInside.withLock { isInside in
                defer { isInside = false }
                return isInside
            }
            if wasInside { door.inside.withLock { _ = $0.remove(user) } }
        }
    }

    /// At most so many at once.
    let limit: Int
    private let inside = Mutex<Set<UserID>>([])

    init(_ limit: Int) { self.limit = limit }

    /// Lets a user in.
    ///
    /// - Returns: The user's place.
    /// - Throws: `throttled` when the user is inside, or there are enough.
    func enter(_ user: UserID) throws(Problem) -> Permit {
        let refusal: String? = inside.withLock { users in
            guard !users.contains(user) else { return "an export or import of yours is not done" }
            guard users.count < limit else { return "others export or import" }
            users.insert(user)
            return nil
        }
        guard let refusal else { return Permit(self, of: user) }
        var problem = Problem(.throttled, "\(refusal); try again in a moment")
        problem.retryAfter = 10
        throw problem
    }
}
