import AccountStore
import Accounts
public import Credentials
import Instruments
import Store

/// A secret in the database that has to be read again, wherever it lies.
public struct StoredSecret: Hashable, Sendable {
    /// What it is; the word is part of what is authenticated.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Keys, tokens and passwords of a channel.
        case channel
        /// The link of a letter about an account.
        case letter
        /// A key of the installation that signs.
        case signing
        /// What a user shares with an authenticator.
        case authenticator = "totp"
    }

    /// What it is.
    public var kind: Kind
    /// Where it lies.
    public var place: SecretPlace
    /// What is stored.
    var bytes: [UInt8]

    /// The number of the key that opens it; `nil` where it is not sealed.
    public var keyNumber: UInt8? {
        switch kind {
        case .channel: channel.sealedBytes.flatMap { SealingKeys.number(of: $0) }
        case .signing where bytes.count == KeepSigningKey.size: nil
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
        return try keys.renewed(channel.sealedBytes ?? [], for: place).map {
            Array(ChannelSecrets(sealed: $0).json.utf8)
        }
    }

    var channel: ChannelSecrets { ChannelSecrets(json: String(decoding: bytes, as: UTF8.self)) }
}

/// All secrets that are stored, page by page.
struct ListStoredSecrets: Statement {
    static let pageSize = 1_000
    static let sql = """
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
        WHERE (kind, row_key) > ($1::text, $2::text)
        ORDER BY kind, row_key LIMIT \(pageSize)
        """

    let last: StoredSecret?

    func bind(_ parameters: inout Parameters) {
        parameters.append(last?.kind.rawValue ?? "")
        parameters.append(last?.place.row ?? "")
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> StoredSecret {
        guard let kind = StoredSecret.Kind(rawValue: try row.text()) else { throw row.refusal() }
        let (key, owner) = (try row.text(), try row.text())
        let place = SecretPlace(user: owner, row: key, purpose: kind.rawValue)
        return StoredSecret(kind: kind, place: place, bytes: try row.bytes())
    }
}

/// Stores a secret sealed anew, unless it was changed since it was read; `first` returns how many rows.
struct ReplaceStoredSecret: Statement {
    static let sql = """
        WITH channels AS (
            UPDATE alerts.channel SET secrets = convert_from($3::bytea, 'UTF8')::json
            WHERE channel_id = CASE WHEN $1::text = 'channel' THEN $2::text::uuid END
                AND convert_to(secrets::text, 'UTF8') = $4::bytea
            RETURNING 1
        ), letters AS (
            UPDATE accounts.letter SET sealed = $3
            WHERE letter_id = CASE WHEN $1 = 'letter' THEN $2::uuid END AND sealed = $4
            RETURNING 1
        ), keys AS (
            UPDATE alerts.signing_key SET secret = $3
            WHERE $1 = 'signing' AND name = $2 AND secret = $4
            RETURNING 1
        ), authenticators AS (
            UPDATE accounts.totp SET sealed = $3
            WHERE user_id = CASE WHEN $1 = 'totp' THEN $2::uuid END AND sealed = $4
            RETURNING 1
        )
        SELECT count(*) FROM (
            TABLE channels UNION ALL TABLE letters UNION ALL TABLE keys UNION ALL TABLE authenticators
        ) AS replaced
        """

    let secret: StoredSecret
    let new: [UInt8]

    func bind(_ parameters: inout Parameters) {
        parameters.append(secret.kind.rawValue)
        parameters.append(secret.place.row)
        parameters.append(bytes: new)
        parameters.append(bytes: secret.bytes)
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
}
