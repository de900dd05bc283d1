import Accounts
import Crypto
import Glibc

/// Why secrets cannot be sealed or opened.
public struct SealingFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line for a person; never a secret.
    public let description: String
}

/// Keys that seal what has to be read again: the secrets of authenticators, letters that hold a link.
///
/// AES-256-GCM with a random nonce. What is sealed for one user and purpose opens for no other: both are part
/// of what is authenticated. Keys are numbered; the newest seals, all open, so that one can be replaced.
public struct SealingKeys: Sendable, CustomStringConvertible, CustomReflectable {
    private let keys: [UInt8: SymmetricKey]
    private let newest: UInt8

    /// Takes one key of 32 bytes, as number 1.
    public init(key: [UInt8]) throws(SealingFault) {
        try self.init(lines: "1 \(Base64URL.text(key))")
    }

    /// Reads lines of a number, 1...255, a blank, and 32 bytes in Base64 for URLs.
    ///
    /// - Throws: ``SealingFault`` for anything else, a number twice, and no line at all.
    public init(lines: String) throws(SealingFault) {
        var keys: [UInt8: SymmetricKey] = [:]
        for line in lines.split(separator: "\n") {
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

    /// Reads a file, which is made with a new key when it is not there.
    ///
    /// - Parameter path: Its folder exists. Several processes may make the file at once: all read the same.
    /// - Throws: ``SealingFault`` when it cannot be read or made, or others than its owner may read it,
    ///   unless it is a container's secret.
    public init(file path: String) throws(SealingFault) {
        let made = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 {
            let line = Array("1 \(Secrets.text())\n".utf8)
            let count = write(made, line, line.count)
            close(made)
            guard count == line.count else {
                unlink(path)
                throw SealingFault(description: "the key file \(path) cannot be written (error \(errno))")
            }
        }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SealingFault(description: "the key file \(path) cannot be read (error \(errno))")
        }
        defer { close(descriptor) }
        var status = stat()
        // Secrets of containers have their host's mode, and nobody else's processes beside them.
        let isMounted = path.hasPrefix("/run/secrets/")
        guard fstat(descriptor, &status) == 0, isMounted || status.st_mode & 0o077 == 0 else {
            throw SealingFault(description: "the key file \(path) may be read by others: chmod 600 it")
        }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = read(descriptor, &bytes, bytes.count)
        try self.init(lines: String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self))
    }

    /// Seals bytes.
    ///
    /// - Parameters:
    ///   - bytes: What is secret.
    ///   - user: The text of the key of whose it is.
    ///   - purpose: What it is for.
    /// - Returns: The key's number, nonce, ciphertext and tag.
    /// - Throws: ``SealingFault`` when there is no randomness.
    public func seal(_ bytes: [UInt8], for user: String, purpose: String) throws(SealingFault) -> [UInt8] {
        guard let key = keys[newest],
            let box = try? AES.GCM.seal(
                bytes, using: key, authenticating: Self.context(user, purpose, newest)),
            let combined = box.combined
        else { throw SealingFault(description: "a secret cannot be sealed") }
        return [newest] + combined
    }

    /// Opens what ``seal(_:for:purpose:)`` sealed.
    ///
    /// - Throws: ``SealingFault`` when it was changed, or sealed for somebody or something else, or with a
    ///   key that is not there.
    public func open(_ sealed: [UInt8], for user: String, purpose: String) throws(SealingFault) -> [UInt8] {
        guard let number = sealed.first, let key = keys[number],
            let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst()),
            let bytes = try? AES.GCM.open(
                box, using: key, authenticating: Self.context(user, purpose, number))
        else { throw SealingFault(description: "a sealed secret of \(purpose) does not open") }
        return Array(bytes)
    }

    private static func context(_ user: String, _ purpose: String, _ number: UInt8) -> [UInt8] {
        Array("\(user)|\(purpose)|\(number)".utf8)
    }

    /// How many there are.
    public var description: String { "\(keys.count) sealing keys" }
    /// Without children, so that no dump shows a key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
