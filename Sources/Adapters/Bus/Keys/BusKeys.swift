/// What one service has to come to an encrypted bus: its own pair of keys, and the broker's public key, by
/// which it knows the broker.
///
/// A file has all three (`keys/<service>.key`), readable for its owner alone; whoever has it is that service.
package struct BusKeys: Hashable, Sendable {
    /// Who shows it is known by the broker.
    package let pair: CurveKeyPair
    /// Whoever does not have the secret to it is not the broker.
    package let serverKey: CurveKey

    package init(pair: CurveKeyPair, serverKey: CurveKey) {
        self.pair = pair
        self.serverKey = serverKey
    }

    /// Whether these are the broker's own.
    package var isServer: Bool { pair.publicKey == serverKey }

    /// Reads a file.
    ///
    /// - Throws: ``BusError/keysInvalid(path:reason:)``, never with a key in it.
    package init(file path: String) throws(BusError) {
        let text = try CertificateText(KeyText.secret(path), path: path)
        try text.check(["public-key", "secret-key", "server-key"], path: path)
        let publicKey = try Self.key("public-key", text, path)
        let secretKey = try Self.key("secret-key", text, path)
        pair = CurveKeyPair(publicKey: publicKey, secretKey: secretKey)
        serverKey = try Self.key("server-key", text, path)
        guard try pair.secretKey.publicKey() == publicKey else {
            throw .keysInvalid(path: path, reason: "its secret-key does not belong to its public-key")
        }
    }

    /// The text of the file.
    func text(of name: String) -> String {
        """
        #   Key of \(name) on Bitpal's bus. Whoever has this file is \(name): keep it secret.
        curve
            public-key = "\(pair.publicKey.text)"
            secret-key = "\(pair.secretKey.text)"
            server-key = "\(serverKey.text)"

        """
    }

    private static func key(
        _ name: String, _ text: CertificateText, _ path: String
    ) throws(BusError) -> CurveKey {
        let values = text.values(name)
        guard values.count == 1, let key = CurveKey(values[0]) else {
            throw .keysInvalid(
                path: path, reason: "it needs one \(name) of \(CurveKey.length) characters in Z85")
        }
        return key
    }
}
