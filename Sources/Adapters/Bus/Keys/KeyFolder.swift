import Glibc

/// The folder that an installation's keys are made in: `<service>.key` for each service, `bus-broker.pub` for
/// everybody, and `allowed/<service>.pub` for the broker.
package struct KeyFolder: Sendable {
    /// The broker's name among the others.
    package static let broker = "bus-broker"
    /// What the broker reads, beside its key file.
    package static let allowed = "allowed"

    private static let secretMode: mode_t = 0o600
    private static let openMode: mode_t = 0o644

    /// Where it is.
    package let path: String

    package init(_ path: String) { self.path = path }

    /// The folder with the clients that a broker lets in, when its key file is this one.
    package static func allowed(besideKeyFile path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return allowed }
        return "\(path[..<slash])/\(allowed)"
    }

    /// The file with a service's keys.
    package func keyFile(of name: String) -> String { "\(path)/\(name).key" }

    /// The folder with whom the broker lets in.
    package var allowedFolder: String { "\(path)/\(Self.allowed)" }

    /// Makes the folder and the broker's keys.
    ///
    /// - Throws: ``BusError/keysInvalid(path:reason:)`` also when the broker has keys already.
    package func make() throws(BusError) {
        let file = keyFile(of: Self.broker)
        guard access(file, F_OK) != 0 else {
            throw .keysInvalid(path: file, reason: "it is there already, and all services know this key")
        }
        try KeyText.makeFolder(path, mode: 0o700)
        try KeyText.makeFolder(allowedFolder, mode: 0o755)
        let pair = try CurveKeyPair.make()
        let open = """
            #   Public key of Bitpal's bus, by which clients know the broker.
            curve
                public-key = "\(pair.publicKey.text)"

            """
        try KeyText.write(open, to: "\(path)/\(Self.broker).pub", mode: Self.openMode)
        let keys = BusKeys(pair: pair, serverKey: pair.publicKey)
        try KeyText.write(keys.text(of: Self.broker), to: file, mode: Self.secretMode)
    }

    /// Makes keys for somebody, whom the broker lets in from then on.
    ///
    /// - Throws: ``BusError/keysInvalid(path:reason:)`` also when there is such a client, or no broker.
    package func add(_ name: String, _ rights: BusRights) throws(BusError) {
        try Self.check(name)
        let file = allowedFile(of: name)
        guard access(file, F_OK) != 0 else {
            throw .keysInvalid(path: file, reason: "it is there already; `bitpal keys rotate` changes a key")
        }
        let pair = try CurveKeyPair.make()
        try store(pair, of: AllowedClient(name: name, keys: [pair.publicKey], rights: rights))
    }

    /// Makes another pair for somebody; the former key is accepted, too, until ``retire(_:)``.
    ///
    /// - Throws: ``BusError/keysInvalid(path:reason:)`` also when two keys are accepted already.
    package func rotate(_ name: String) throws(BusError) {
        var client = try client(name)
        guard client.keys.count < AllowedClient.keyLimit else {
            throw .keysInvalid(
                path: allowedFile(of: name),
                reason: "it has two public keys already; `bitpal keys rotate \(name) --retire` takes out "
                    + "the former one")
        }
        let pair = try CurveKeyPair.make()
        client.keys.append(pair.publicKey)
        try store(pair, of: client)
    }

    /// Takes out somebody's former key: the newest is the only one that the broker lets in.
    ///
    /// - Returns: Whether there was a former one.
    package func retire(_ name: String) throws(BusError) -> Bool {
        var client = try client(name)
        guard client.keys.count > 1, let newest = client.keys.last else { return false }
        client.keys = [newest]
        try KeyText.write(client.text, to: allowedFile(of: name), mode: Self.openMode)
        return true
    }

    /// Whom the broker lets in.
    package func clients() throws(BusError) -> [AllowedClient] {
        try AllowList(folder: allowedFolder).clients
    }

    private func client(_ name: String) throws(BusError) -> AllowedClient {
        try Self.check(name)
        return try AllowedClient(name: name, file: allowedFile(of: name))
    }

    /// Who has the new key is let in before anybody has it.
    private func store(_ pair: CurveKeyPair, of client: AllowedClient) throws(BusError) {
        let server = try BusKeys(file: keyFile(of: Self.broker)).serverKey
        try KeyText.write(client.text, to: allowedFile(of: client.name), mode: Self.openMode)
        let keys = BusKeys(pair: pair, serverKey: server)
        let file = keyFile(of: client.name)
        // The user of a container reads a file that its host has opened to it.
        try KeyText.write(
            keys.text(of: client.name), to: file, mode: KeyText.mode(of: file) ?? Self.secretMode)
    }

    private func allowedFile(of name: String) -> String { "\(allowedFolder)/\(name).pub" }

    /// Refuses what cannot be a file's name, and the broker's own.
    private static func check(_ name: String) throws(BusError) {
        let isPlain = name.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard isPlain, (1...60).contains(name.utf8.count), name.first != "-", name != broker else {
            throw .keysInvalid(
                path: "the name \"\(name.prefix(80))\"",
                reason: "accepted: 1 to 60 small letters, digits and hyphens, and not \(broker)")
        }
    }
}
