package import AccountStore
package import Store

/// What a database knows, before a backup takes the place of what is there, of links that show portfolios.
package struct KnownShareLinks: Sendable {
    /// Those that show something.
    let open: [UniqueID]
    private(set) var withdrawn: [UniqueID]

    /// Takes over what was kept apart, of what the database knows nothing.
    ///
    /// - Parameter names: As ``AccountStore/CredentialState/name`` has them.
    package mutating func learn(withdrawn names: Set<String>) {
        let known = Set((open + withdrawn).map { CredentialState.shareLink($0, isWithdrawn: false).name })
        for name in names.subtracting(known).sorted() {
            let words = name.split(separator: " ")
            guard words.count == 2, words[0] == CredentialState.shareLinkWord else { continue }
            if let id = UniqueID(String(words[1])) { withdrawn.append(id) }
        }
    }
}

extension CredentialState {
    fileprivate static let shareLinkWord = "share"

    /// A link that shows a portfolio.
    fileprivate static func shareLink(_ id: UniqueID, isWithdrawn: Bool) -> CredentialState {
        CredentialState(name: "\(shareLinkWord) \(id)", isWithdrawn: isWithdrawn)
    }
}

extension Session {
    /// Every link that shows a portfolio, and whether it was taken back, with its portfolio or by itself.
    package func shareLinkStates() throws(StoreError) -> [CredentialState] {
        try links().map { .shareLink($0.id, isWithdrawn: $0.isWithdrawn) }
    }

    /// What is known of links; nobody makes or revokes one until the transaction ends.
    ///
    /// Inside a transaction only.
    ///
    /// - Throws: ``StoreError``.
    package func knownShareLinks() throws(StoreError) -> KnownShareLinks {
        try script("LOCK TABLE portfolio.portfolio, portfolio.share_link IN SHARE ROW EXCLUSIVE MODE")
        let links = try links()
        return KnownShareLinks(
            open: links.filter { !$0.isWithdrawn }.map(\.id),
            withdrawn: links.filter(\.isWithdrawn).map(\.id))
    }

    /// Revokes the links that a backup brought back and that were revoked, or that nobody knew.
    ///
    /// - Parameters:
    ///   - known: What was known before.
    ///   - keepsUnknown: Whether links that nobody knew stay as they are in the backup.
    /// - Returns: How many that were.
    /// - Throws: ``StoreError``.
    package func withdrawShareLinks(
        by known: KnownShareLinks, keepingUnknown keepsUnknown: Bool
    ) throws(StoreError) -> Int {
        try execute(
            """
            UPDATE portfolio.share_link SET revoked_at = statement_timestamp()
            WHERE revoked_at IS NULL AND (
                share_id = ANY (\(known.withdrawn))
                OR NOT \(keepsUnknown) AND share_id <> ALL (\(known.open)))
            """)
    }

    private func links() throws(StoreError) -> [(id: UniqueID, isWithdrawn: Bool)] {
        try rows(
            """
            SELECT share_id, revoked_at IS NOT NULL OR deleted_at IS NOT NULL
            FROM portfolio.share_link JOIN portfolio.portfolio USING (portfolio_id)
            """
        ) { row in (try row.uniqueID(), try row.bool()) }
    }
}
