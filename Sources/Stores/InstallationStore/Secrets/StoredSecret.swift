import AlertStore
package import Credentials
import MarketStore
import Store

/// A secret in the database that has to be read again, wherever it lies.
package struct StoredSecret: Hashable, Sendable {
    /// What it is; the word is part of what is authenticated.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Keys, tokens and passwords of a channel.
        case channel
        /// The link of a letter about an account.
        case letter
        /// A key of the installation that signs.
        case signing
        /// What a user shares with an authenticator.
        case authenticator = "totp"
    }

    package var kind: Kind
    /// Where it lies.
    package var place: SealingContext
    var bytes: [UInt8]

    /// The number of the key that opens it; `nil` where it is not sealed.
    package var keyNumber: UInt8? {
        switch kind {
        case .channel: channel.sealedBytes.flatMap { SealingKeys.number(of: $0) }
        case .signing where bytes.count == KeptKey.size: nil
        default: SealingKeys.number(of: bytes)
        }
    }

    /// What is to be stored instead.
    ///
    /// - Returns: `nil` when it is sealed with the newest key already.
    /// - Throws: `SealingFault` when it does not open.
    func renewed(by keys: SealingKeys) throws(SealingFault) -> [UInt8]? {
        guard keyNumber != nil else {
            let sealed = try keys.seal(bytes, for: place)
            return kind == .channel ? Array(ChannelSecrets(sealed: sealed).json.utf8) : sealed
        }
        guard kind == .channel else { return try keys.renewed(bytes, for: place) }
        return try keys.renewed(channel.sealedBytes ?? [], of: place).map {
            Array(ChannelSecrets(sealed: $0).json.utf8)
        }
    }

    var channel: ChannelSecrets { ChannelSecrets(json: String(decoding: bytes, as: UTF8.self)) }
}

extension Database {
    /// All secrets that are stored, ``StoredSecret/pageSize`` at once, after the last one that is known.
    func secrets(after last: StoredSecret?) async throws(StoreError) -> [StoredSecret] {
        try await rows(
            """
            SELECT kind, row_key, owner, content FROM (
                SELECT 'channel' AS kind, channel_id::text AS row_key, user_id::text AS owner,
                    convert_to(secrets::text, 'UTF8') AS content
                FROM alerts.channel WHERE secrets::text <> '{}'
                UNION ALL
                SELECT 'letter', letter_id::text, user_id::text, sealed
                FROM accounts.letter WHERE sealed IS NOT NULL
                UNION ALL
                SELECT 'signing', name, '', secret FROM alerts.signing_key
                UNION ALL
                SELECT 'totp', user_id::text, user_id::text, sealed FROM accounts.totp
            ) AS stored
            WHERE (kind, row_key) > (\(last?.kind.rawValue ?? "")::text, \(last?.place.row ?? "")::text)
            ORDER BY kind, row_key LIMIT \(Int64(StoredSecret.pageSize))
            """, StoredSecret.init)
    }

    /// Stores a secret sealed anew; false when it was changed since it was read.
    func replace(_ secret: StoredSecret, with new: [UInt8]) async throws(StoreError) -> Bool {
        let (kind, row, old) = (secret.kind.rawValue, secret.place.row, secret.bytes)
        let count = try await first(
            """
            WITH channels AS (
                UPDATE alerts.channel SET secrets = convert_from(\(new)::bytea, 'UTF8')::json
                WHERE channel_id = CASE WHEN \(kind)::text = 'channel' THEN \(row)::text::uuid END
                    AND convert_to(secrets::text, 'UTF8') = \(old)::bytea
                RETURNING 1
            ), letters AS (
                UPDATE accounts.letter SET sealed = \(new)
                WHERE letter_id = CASE WHEN \(kind) = 'letter' THEN \(row)::uuid END AND sealed = \(old)
                RETURNING 1
            ), keys AS (
                UPDATE alerts.signing_key SET secret = \(new)
                WHERE \(kind) = 'signing' AND name = \(row) AND secret = \(old)
                RETURNING 1
            ), authenticators AS (
                UPDATE accounts.totp SET sealed = \(new)
                WHERE user_id = CASE WHEN \(kind) = 'totp' THEN \(row)::uuid END AND sealed = \(old)
                RETURNING 1
            )
            SELECT count(*) FROM (
                TABLE channels UNION ALL TABLE letters UNION ALL TABLE keys UNION ALL TABLE authenticators
            ) AS replaced
            """
        ) { try $0.int64() }
        return count == 1
    }
}

extension StoredSecret {
    /// Rows of a read.
    static let pageSize = 1_000

    fileprivate init(_ row: inout RowReader) throws(StoreError) {
        let kind = try row.word(Kind.self)
        let (key, owner) = (try row.text(), try row.text())
        let place = SealingContext(user: owner, row: key, purpose: kind.rawValue)
        self.init(kind: kind, place: place, bytes: try row.bytes())
    }
}
