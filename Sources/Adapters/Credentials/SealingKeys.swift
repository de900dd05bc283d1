import Accounts
import Crypto
import Encodings
import Glibc

/// Why secrets cannot be sealed or opened.
package struct SealingFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line for a person; never a secret.
    package let description: String

    package init(description: String) { self.description = description }

    /// The process was told of no key file.
    package static let noKeyFile = SealingFault(
        description: "secrets are sealed, and this process has no key file; set BITPAL_KEY_FILE to the one "
            + "that the gateway and the notifier have")
}

/// Keys that seal what has to be read again: the secrets of authenticators and channels, letters that hold a
/// link, keys that sign.
///
/// Each secret is sealed with a key of its own, used once, and that key with one of these (AES-256-GCM,
/// random nonces of 96 bits). What is sealed for one place opens for no other: the place is part of what is
/// authenticated. Keys are numbered; the newest seals, all open, so that one can be replaced: then only the
/// secrets' own keys are sealed anew.
package struct SealingKeys: Sendable, CustomStringConvertible, CustomReflectable {
    private let keys: [UInt8: SymmetricKey]
    private let newest: UInt8

    /// Takes one key of 32 bytes, as number 1.
    package init(key: [UInt8]) throws(SealingFault) {
        try self.init(lines: "1 \(Base64URL.text(key))")
    }

    /// Reads lines of a number, 1...255, a blank, and 32 bytes in Base64 for URLs.
    ///
    /// One that begins with `#` is none, nor is the last one where it ends too early: somebody writes it.
    ///
    /// - Throws: ``SealingFault`` for anything else, a number twice, and no line at all.
    package init(lines: String) throws(SealingFault) {
        var keys: [UInt8: SymmetricKey] = [:]
        let isWhole = lines.hasSuffix("\n")
        let all = lines.split(separator: "\n")
        for (place, line) in all.enumerated() where !line.hasPrefix("#") {
            if !isWhole, place == all.count - 1, Self.isTorn(Array(line.utf8)[...]) { continue }
            let parts = line.split(separator: " ")
            guard parts.count == 2, let number = UInt8(parts[0]), number > 0,
                let key = Base64URL.bytes(parts[1]), key.count == 32,
                keys.updateValue(SymmetricKey(data: key), forKey: number) == nil
            else {
                throw SealingFault(
                    description: "a line of the key file is not a number and 32 bytes in Base64 for URLs")
            }
        }
        guard let newest = keys.keys.max() else { throw SealingFault(description: "the key file is empty") }
        self.keys = keys
        self.newest = newest
    }

    /// Whether a line ends before its key does.
    static func isTorn(_ line: ArraySlice<UInt8>) -> Bool {
        let parts = line.split(separator: UInt8(ascii: " "))
        return parts.count < 2 || parts.count == 2 && parts[1].count < Self.keyLength
    }

    /// The number of the key that seals.
    package var newestNumber: UInt8 { newest }

    /// Seals bytes.
    ///
    /// - Parameters:
    ///   - bytes: What is secret.
    ///   - place: Where it will lie.
    /// - Returns: A zero, the key's number, the sealed key of the secret (60 bytes), and the sealed secret:
    ///   its nonce, ciphertext and tag.
    /// - Throws: ``SealingFault`` when there is no randomness.
    package func seal(_ bytes: [UInt8], for place: SealingContext) throws(SealingFault) -> [UInt8] {
        let own = SymmetricKey(size: .bits256)
        guard let box = try? AES.GCM.seal(bytes, using: own, authenticating: place.secretContext).combined
        else { throw SealingFault(description: "a secret cannot be sealed") }
        return [Self.envelope, newest] + (try sealed(own, for: place)) + box
    }

    /// Opens what ``seal(_:for:)`` sealed.
    ///
    /// - Throws: ``SealingFault`` when it was changed, or sealed for another place, or with a key that is not
    ///   there.
    package func open(_ sealed: [UInt8], for place: SealingContext) throws(SealingFault) -> [UInt8] {
        guard sealed.first == Self.envelope else { return try openFormer(sealed, for: place) }
        let own = try ownKey(of: sealed, for: place)
        guard
            let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst(Self.headSize)),
            let bytes = try? AES.GCM.open(box, using: own, authenticating: place.secretContext)
        else { throw Self.closed(place) }
        return Array(bytes)
    }

    /// The same secret under the newest key.
    ///
    /// - Returns: `nil` when it is so already.
    /// - Throws: As ``open(_:for:)``.
    package func renewed(_ sealed: [UInt8], for place: SealingContext) throws(SealingFault) -> [UInt8]? {
        guard sealed.first == Self.envelope else {
            return try seal(try openFormer(sealed, for: place), for: place)
        }
        _ = try open(sealed, for: place)
        guard Self.number(of: sealed) != newest else { return nil }
        let own = try ownKey(of: sealed, for: place)
        return [Self.envelope, newest] + (try self.sealed(own, for: place)) + sealed.dropFirst(Self.headSize)
    }

    /// The number of the key that is needed to open; `nil` for what was never sealed.
    package static func number(of sealed: [UInt8]) -> UInt8? {
        sealed.first == envelope ? sealed.dropFirst().first : sealed.first
    }

    /// Whether a key of that number is there.
    func has(_ number: UInt8) -> Bool { keys[number] != nil }

    private func sealed(_ own: SymmetricKey, for place: SealingContext) throws(SealingFault) -> [UInt8] {
        guard let key = keys[newest],
            let box = try? AES.GCM.seal(
                own.withUnsafeBytes { Array($0) }, using: key, authenticating: place.keyContext(newest)),
            let combined = box.combined
        else { throw SealingFault(description: "a secret cannot be sealed") }
        return Array(combined)
    }

    private func ownKey(of sealed: [UInt8], for place: SealingContext) throws(SealingFault) -> SymmetricKey {
        guard sealed.count > Self.headSize, let key = keys[sealed[1]],
            let box = try? AES.GCM.SealedBox(combined: sealed[2..<Self.headSize]),
            let bytes = try? AES.GCM.open(box, using: key, authenticating: place.keyContext(sealed[1]))
        else { throw Self.closed(place) }
        return SymmetricKey(data: bytes)
    }

    /// What was sealed with a key of the file itself.
    private func openFormer(_ sealed: [UInt8], for place: SealingContext) throws(SealingFault) -> [UInt8] {
        guard let number = sealed.first, let key = keys[number],
            let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst()),
            let bytes = try? AES.GCM.open(box, using: key, authenticating: place.formerContext(number))
        else { throw Self.closed(place) }
        return Array(bytes)
    }

    private static func closed(_ place: SealingContext) -> SealingFault {
        SealingFault(description: "a sealed secret of \(place.purpose) does not open")
    }

    /// Characters of a key in Base64 for URLs.
    private static let keyLength = 43
    /// How a sealed secret with a key of its own begins; no key has this number.
    private static let envelope: UInt8 = 0
    /// Up to the sealed secret: the beginning, the key's number, and the sealed key, whose nonce has 12 bytes
    /// and whose tag has 16.
    private static let headSize = 2 + 12 + 32 + 16

    /// How many there are.
    package var description: String { "\(keys.count) sealing keys" }
    /// Without children, so that no dump shows a key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
