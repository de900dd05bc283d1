import MarketStore
import Store

/// Reads what venues list beyond what is known.
struct ListingReads: Sendable {
    let database: Database

    /// - Returns: In the order of their numbers; `nil` when there is nothing new.
    func read(_ request: EvaluatorCore.ListingRequest) async throws(StoreError) -> [Listing]? {
        let (venue, number) = (request.venue, request.number ?? 0)
        let seen = try await database.withSession { try $0.listings(on: venue, after: number) }
        guard !seen.isEmpty || request.number == nil else { return nil }
        // Once more with nobody writing: a lower number may not have been visible yet.
        return try await database.transaction { session in
            try session.lockInstruments()
            return try session.listings(on: venue, after: number)
        }
    }
}
