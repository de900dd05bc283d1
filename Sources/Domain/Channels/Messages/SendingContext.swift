package import Instruments

/// What a message needs besides its notice: everything that is not pure is passed in here.
package struct SendingContext: Sendable {
    /// The time of this attempt.
    package var now: Timestamp
    /// Where a person looks at alerts: a URL to which `?id=…` is added; `nil` where there is no such page.
    package var page: String?
    /// Ends such letters with one POST and no question (RFC 8058); `nil` where there is no such address.
    package var unsubscribe: String?
    /// From whom letters come; they cannot be written without.
    package var sender: MailSender?
    /// The token for Apple's push service, from ``APNsTokens/token(at:)``.
    package var apns: APNsToken?
    /// What else is set up for Apple's push service.
    package var apnsAccount = APNsAccount()
    /// Whether a device tells it without a sound.
    package var isSilent = false
    /// The number on the app's icon; `nil` leaves it as it is.
    package var badge: Int?
    /// Who we are to the push services of browsers.
    package var vapid: VAPIDKey?
    /// 48 bytes from a generator fit for keys, new for each attempt; only Web Push needs them.
    package var entropy: Secret?

    /// Knows the time and nothing else.
    package init(now: Timestamp) { self.now = now }
}

/// What the messages of some kinds need besides a notice and the time: whoever sends puts it into the
/// ``SendingContext``.
package enum SendingNeed: Hashable, Sendable {
    /// What the operator has set up for Apple's push service, a token for it, and the number on the icon.
    case appleToken
    /// Who we are to the push services of browsers, and entropy.
    case browserKey
    /// Where letters are ended.
    case unsubscribeLink
}

/// From whom letters come.
package struct MailSender: Hashable, Sendable {
    /// An address without a name, which receives what comes back.
    package let address: String
    /// What stands before it.
    package let name: String

    /// - Throws: ``FieldFault`` for what is no address, or a name with line breaks.
    package init(address: String, name: String) throws(FieldFault) {
        guard MailAddress.isValid(address) else {
            throw FieldFault(
                "sender.address", String(address.prefix(60)),
                accepted: "an address such as alerts@example.org in ASCII, at most 254 bytes")
        }
        guard name.utf8.count <= 128, !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw FieldFault(
                "sender.name", String(name.prefix(60)),
                accepted: "a text of at most 128 bytes without line breaks")
        }
        self.address = address
        self.name = name
    }

    var domain: String { address.split(separator: "@").last.map(String.init) ?? "" }
}
