package import Instruments

/// The token in use with Apple's push service, renewed as Apple asks: none older than an hour, and no new one
/// within 20 minutes.
package struct APNsTokens: Sendable {
    /// Nanoseconds within which Apple accepts no second new token.
    private static let pause: Int64 = 20 * 60 * 1_000_000_000

    private let key: APNsKey
    private var last: APNsToken?

    /// Takes the operator's key.
    package init(_ key: APNsKey) { self.key = key }

    /// The token to use now.
    ///
    /// - Throws: ``FieldFault`` when the key cannot sign.
    package mutating func token(at now: Timestamp) throws(FieldFault) -> APNsToken {
        let token = try key.token(reusing: last, at: now)
        last = token
        return token
    }

    /// Apple wants another one, see ``Answer/wantsNewAPNsToken``: the next is new unless this one is itself.
    package mutating func refused(_ token: APNsToken, at now: Timestamp) {
        if last == token, now.nanoseconds(since: token.issued) >= Self.pause { last = nil }
    }
}
