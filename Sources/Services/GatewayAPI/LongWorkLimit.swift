import AccountStore
import GatewayFrame
import Synchronization

/// How many exports of everything and imports there are at once.
///
/// Each holds a connection for what may take long while it lasts, and what they all leave is for reports. A
/// user has only some of the places, so that whoever reads slowly leaves the others to others; and more than
/// one, where there is more, since the place of a request whose client is gone is free only once that is
/// noticed.
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
            if wasInside { door.inside.withLock { $0.remove(user) } }
        }
    }

    /// Who is inside, and how often.
    private struct Inside {
        var all = 0
        var byUser: [UserID: Int] = [:]

        mutating func add(_ user: UserID) {
            all += 1
            byUser[user, default: 0] += 1
        }

        mutating func remove(_ user: UserID) {
            all -= 1
            guard let count = byUser[user], count > 1 else {
                byUser[user] = nil
                return
            }
            byUser[user] = count - 1
        }
    }

    /// At most so many at once.
    let limit: Int
    /// At most so many of them of one user.
    let perUser: Int
    private let inside = Mutex(Inside())

    init(_ limit: Int, perUser: Int) { (self.limit, self.perUser) = (limit, perUser) }

    /// Lets a user in.
    ///
    /// - Returns: The user's place.
    /// - Throws: `throttled` when there are enough of the user's, or of all.
    func enter(_ user: UserID) throws(Problem) -> Permit {
        let refusal: String? = inside.withLock { inside in
            let own = inside.byUser[user] ?? 0
            guard own < perUser else {
                return "your own exports and imports are not done (\(own) of \(perUser) at once)"
            }
            guard inside.all < limit else { return "others export or import" }
            inside.add(user)
            return nil
        }
        guard let refusal else { return Permit(self, of: user) }
        var problem = Problem(.throttled, "\(refusal); try again in a moment")
        problem.retryAfter = 10
        throw problem
    }
}
