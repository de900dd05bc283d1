import Credentials
import MarketStore
import Store

/// Whose secrets are meant, by the schema that they lie in: who works on one has no right to the other.
package enum SecretOwner: Hashable, Sendable, CaseIterable {
    /// Letters and authenticators, which are the gateway's.
    case accounts
    /// Channels and what signs, which the notifier uses, too.
    case alerts
}

extension Database {
    /// Secrets that are stored, ``StoredSecret/pageSize`` at once, after the last one that is known.
    func secrets(
        of owner: SecretOwner, after last: StoredSecret?
    ) async throws(StoreError) -> [StoredSecret] {
        let (kind, row) = (last?.kind.rawValue ?? "", last?.place.row ?? "")
        return switch owner {
        case .accounts:
            try await rows(
                """
                SELECT kind, row_key, owner, content FROM (
                    SELECT 'letter' AS kind, letter_id::text AS row_key, user_id::text AS owner,
                        sealed AS content
                    FROM accounts.letter WHERE sealed IS NOT NULL
                    UNION ALL
                    SELECT 'totp', user_id::text, user_id::text, sealed FROM accounts.totp
                ) AS stored
                WHERE (kind, row_key) > (\(kind)::text, \(row)::text)
                ORDER BY kind, row_key LIMIT \(Int64(StoredSecret.pageSize))
                """, StoredSecret.init)
        case .alerts:
            try await rows(
                """
                SELECT kind, row_key, owner, content FROM (
                    SELECT 'channel' AS kind, channel_id::text AS row_key, user_id::text AS owner,
                        convert_to(secrets::text, 'UTF8') AS content
                    FROM alerts.channel WHERE secrets::text <> '{}'
                    UNION ALL
                    SELECT 'signing', name, '', secret FROM alerts.signing_key
                ) AS stored
                WHERE (kind, row_key) > (\(kind)::text, \(row)::text)
                ORDER BY kind, row_key LIMIT \(Int64(StoredSecret.pageSize))
                """, StoredSecret.init)
        }
    }

    /// Stores a secret sealed anew; false when it was changed since it was read.
    func replace(_ secret: StoredSecret, with new: [UInt8]) async throws(StoreError) -> Bool {
        let (row, old) = (secret.place.row, secret.bytes)
        let change: Query =
            switch secret.kind {
            case .channel:
                """
                UPDATE alerts.channel SET secrets = convert_from(\(new)::bytea, 'UTF8')::json
                WHERE channel_id = \(row)::text::uuid AND convert_to(secrets::text, 'UTF8') = \(old)::bytea
                """
            case .letter:
                """
                UPDATE accounts.letter SET sealed = \(new)
                WHERE letter_id = \(row)::text::uuid AND sealed = \(old)
                """
            case .signing:
                "UPDATE alerts.signing_key SET secret = \(new) WHERE name = \(row) AND secret = \(old)"
            case .authenticator:
                """
                UPDATE accounts.totp SET sealed = \(new)
                WHERE user_id = \(row)::text::uuid AND sealed = \(old)
                """
            }
        return try await execute(change) == 1
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
