import Accounts
import Encodings
import GatewayFrame
import Instruments
import JSON
import JWTKit
import Web

/// Apple's public keys, as they are now: fetched when one is needed, kept for a day, and fetched again for a
/// key that is not among them, but not again and again.
///
/// Source: Apple, "Fetch Apple's public key for verifying token signature", 2026: any number of keys, which
/// change at any time; RFC 7517 for their form.
actor AppleKeys {
    /// One key, with the only algorithm that it is for.
    struct Key: Sendable {
        let algorithm: String
        let key: JWK
    }

    /// Gets the document.
    typealias Fetch = @Sendable () async throws -> [UInt8]

    /// Nanoseconds after which keys are fetched anew.
    static let lifetime: Int64 = 86_400_000_000_000
    /// Nanoseconds between two attempts to fetch them.
    static let pause: Int64 = 60_000_000_000
    /// The largest document, in bytes, and the most keys in it.
    static let limits = (bytes: 64 << 10, keys: 32)

    private let fetch: Fetch
    private let clock: @Sendable () -> Timestamp
    private var keys: [String: Key] = [:]
    private var fetched: Timestamp?
    private var asked: Timestamp?
    private var isFetching = false
    /// Who came while somebody else fetches.
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(clock: @escaping @Sendable () -> Timestamp, fetch: @escaping Fetch) {
        self.clock = clock
        self.fetch = fetch
    }

    /// Gets the document by HTTP.
    static func get(_ url: String, by client: HTTPClient) async throws -> [UInt8] {
        let answer = try await client.get(url, maximumBytes: limits.bytes)
        guard answer.status == 200 else {
            throw AppleKeysUnavailable(reason: "\(url) answers with \(answer.status)")
        }
        return answer.body
    }

    /// The key with an id; `nil` when Apple has none.
    ///
    /// - Throws: What fetching throws, when there are no keys at all.
    func key(_ id: String) async throws -> Key? {
        let now = clock()
        let isFresh = fetched.map { now.nanoseconds(since: $0) < Self.lifetime } ?? false
        if isFresh, let key = keys[id] { return key }
        if isFetching {
            await withCheckedContinuation { waiting.append($0) }
            return try known(id)
        }
        let mayAsk = asked.map { now.nanoseconds(since: $0) >= Self.pause } ?? true
        guard mayAsk else { return try known(id) }
        do {
            try await refresh(at: now)
        } catch {
            // Keys of yesterday are better than nobody signing in; Apple keeps old ones for long.
            guard let key = keys[id] else { throw error }
            return key
        }
        return keys[id]
    }

    private func known(_ id: String) throws -> Key? {
        guard fetched != nil else { throw AppleKeysUnavailable(reason: "they could not be fetched") }
        return keys[id]
    }

    /// Fetches once, however many wait for it.
    private func refresh(at now: Timestamp) async throws {
        (asked, isFetching) = (now, true)
        defer {
            // Who went away in the middle of it has not asked.
            if Task.isCancelled { asked = nil }
            isFetching = false
            for waiter in waiting { waiter.resume() }
            waiting = []
        }
        keys = try Self.read(try await fetch())
        fetched = now
    }

    /// The keys of a document; those of a kind that is not known are left out.
    ///
    /// - Throws: ``AppleKeysUnavailable`` for a document that has none.
    static func read(_ bytes: [UInt8]) throws -> [String: Key] {
        guard bytes.count <= limits.bytes, case .object(let document)? = try? JSONInput.read(bytes),
            case .array(let entries)? = document["keys"], entries.count <= limits.keys
        else { throw AppleKeysUnavailable(reason: "what came is no key set") }
        var keys: [String: Key] = [:]
        for case .object(let members) in entries {
            guard let (id, key) = key(members.dictionary.compactMapValues(\.string)) else { continue }
            keys[id] = key
        }
        guard !keys.isEmpty else { throw AppleKeysUnavailable(reason: "the key set has no key of use") }
        return keys
    }

    /// The algorithm comes from the key, never from a token.
    private static func key(_ members: [String: String]) -> (String, Key)? {
        guard let id = members["kid"], !id.isEmpty, members["use"].map({ $0 == "sig" }) ?? true else {
            return nil
        }
        let name = JWKIdentifier(string: id)
        switch (members["kty"], members["alg"]) {
        case ("RSA", "RS256"):
            guard let modulus = members["n"], let exponent = members["e"],
                Base64URL.bytes(modulus)?.count ?? 0 >= 256
            else { return nil }
            return (
                id,
                Key(
                    algorithm: "RS256",
                    key: .rsa(.rs256, identifier: name, modulus: modulus, exponent: exponent))
            )
        case ("EC", "ES256"):
            guard members["crv"] == "P-256", let x = members["x"], let y = members["y"] else { return nil }
            return (
                id,
                Key(algorithm: "ES256", key: .ecdsa(.es256, identifier: name, x: x, y: y, curve: .p256))
            )
        default: return nil
        }
    }
}

/// Why there are no keys.
struct AppleKeysUnavailable: Error, CustomStringConvertible {
    var reason: String
    var description: String { "Apple's keys cannot be used: \(reason)" }
}

extension JSONValue {
    /// A text; `nil` for anything else.
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
}
