/// Somebody whom the broker lets in: a name, one accepted key, or two while they rotate, and what is allowed.
///
/// A file has one of them (`keys/allowed/<name>.pub`) and no secret.
package struct AllowedClient: Hashable, Sendable {
    /// The name of the file, which nothing but people read.
    package let name: String
    /// Accepted public keys, the newest last.
    package var keys: [CurveKey]
    /// What each of them may do.
    package var rights: BusRights

    /// While a key rotates its successor is accepted, too; a third one would be forgotten.
    package static let keyLimit = 2
    private static let prefixLimit = 256

    package init(name: String, keys: [CurveKey], rights: BusRights) {
        self.name = name
        self.keys = keys
        self.rights = rights
    }

    /// Reads a file.
    ///
    /// - Throws: ``BusError/keysInvalid(path:reason:)``.
    init(name: String, file path: String) throws(BusError) {
        let text = try CertificateText(KeyText.open(path), path: path)
        try text.check(["public-key", "publish", "subscribe"], path: path)
        self.name = name
        keys = []
        for value in text.values("public-key") {
            guard let key = CurveKey(value) else {
                throw .keysInvalid(
                    path: path, reason: "a public-key has \(CurveKey.length) characters in Z85")
            }
            keys.append(key)
        }
        guard (1...Self.keyLimit).contains(keys.count), Set(keys).count == keys.count else {
            throw .keysInvalid(
                path: path, reason: "it has \(keys.count) public keys; accepted: 1, or 2 that differ")
        }
        let (publish, subscribe) = (text.values("publish"), text.values("subscribe"))
        guard publish.count <= Self.prefixLimit, subscribe.count <= Self.prefixLimit,
            (publish + subscribe).allSatisfy({ $0.utf8.count <= 255 })
        else {
            throw .keysInvalid(
                path: path, reason: "rights are at most \(Self.prefixLimit) prefixes of at most 255 bytes")
        }
        rights = BusRights(publish: publish, subscribe: subscribe)
    }

    /// The text of the file.
    var text: String {
        var text = """
            #   What \(name) may do on Bitpal's bus: lines publish = "TOPIC." and subscribe = "TOPIC.", where
            #   "" is everything. Without subscribe = "heartbeat." it cannot tell when something is missing.
            #   It may speak as the producers whose topics "heartbeat.PRODUCER." it may publish, as no others.
            #   The broker reads this file again when it changes.
            curve

            """
        for key in keys { text += "    public-key = \"\(key.text)\"\n" }
        text += "bitpal\n"
        for prefix in rights.publish { text += "    publish = \"\(prefix)\"\n" }
        for prefix in rights.subscribe { text += "    subscribe = \"\(prefix)\"\n" }
        return text
    }
}
