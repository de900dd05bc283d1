import Bus
import Instruments
import MarketData
import MarketStore
import Store
import Wire

/// Many instruments of a venue at once.
struct FeedPatterns {
    let venue: Venue
    let text: String

    /// Wants what the pattern means, as far as the feed follows it.
    ///
    /// - Parameters:
    ///   - top: How many of the most volume; `nil` for all.
    ///   - channels: Kinds of data.
    ///   - client: The bus, which knows volumes and what the feed follows at most.
    ///   - database: Where the venue's instruments are, and what is wanted.
    /// - Returns: Lines for a person.
    /// - Throws: ``CommandFailure`` when nothing is meant, or volumes are not known.
    func add(
        top: Int?, _ channels: [String], _ client: BusClient, _ database: Database
    ) async throws -> [String] {
        var symbols = try await listed(in: database)
        if let top { symbols = try await mostTraded(top, of: symbols, client) }
        let limit = await limit(client)
        let (venue, now) = (venue, Timestamp.now)
        let ids = symbols.map { InstrumentID(venue: venue, symbol: $0) }
        let wish = try await database.transaction { session in
            let rows = try session.datedSubscriptions(on: [venue])
            let wish = FeedWish(ids, channels, among: rows, limit: limit)
            try session.addSubscriptions(
                of: wish.added, on: venue, channels: channels, wantedBy: FeedCommand.wantedBy, at: now)
            return wish
        }
        return wish.words(venue, limit: limit)
    }

    /// No longer wants what the pattern means, of what an operator added.
    ///
    /// - Returns: How many that were.
    /// - Throws: ``CommandFailure`` where an operator added nothing of it.
    func remove(_ database: Database) async throws -> Int {
        let pattern = SymbolPattern(text)
        let meant = Set(
            try await database.instruments(on: venue).filter(pattern.matches).map(\.id.symbol))
        let own = try await database.subscriptions(on: venue)
            .filter { $0.wantedBy == FeedCommand.wantedBy }.map(\.instrument)
            .filter { meant.contains($0.symbol) || pattern.matches($0.symbol) }
        guard !own.isEmpty else {
            throw CommandFailure(
                .notFound,
                "an operator added nothing of \(venue) that \(text) means; `bitpal feed list` shows what is")
        }
        return try await database.transaction { session in
            var removed = 0
            for id in own {
                removed += try session.execute(.removeSubscription(id, wantedBy: FeedCommand.wantedBy))
            }
            return removed
        }
    }

    private func listed(in database: Database) async throws -> [String] {
        let all = try await database.instruments(on: venue)
        let pattern = SymbolPattern(text)
        let meant = all.filter(pattern.matches).map(\.id.symbol)
        guard meant.isEmpty else { return meant }
        throw CommandFailure(
            .notFound,
            all.isEmpty
                ? "what \(venue) lists is not known yet: feed-ingestor learns it when it connects, for which "
                    + "one instrument by name is enough"
                : "none of the \(all.count) instruments of \(venue) is meant by \(text)")
    }

    private func mostTraded(
        _ count: Int, of symbols: [String], _ client: BusClient
    ) async throws -> [String] {
        let prefix = String(Topic.marketTickers(venue, part: 0).dropLast("0.".count))
        let parts = try await client.state([prefix]).events.compactMap { told -> MarketTickerPart? in
            if case .marketTickers(let part) = told.event { return part }
            return nil
        }
        let volumes = MarketVolumes(parts)
        guard !volumes.isEmpty else {
            throw CommandFailure(
                .notFound,
                "no volumes of \(venue)'s markets are on the bus, so that --top cannot be told; "
                    + "does feed-ingestor have \(venue) among its venues?")
        }
        return volumes.top(count, of: symbols)
    }

    /// How many the venue's feed follows at most, as it says; `nil` where none runs.
    private func limit(_ client: BusClient) async -> Int? {
        guard let state = try? await client.state([Topic.feedStatus(venue)]) else { return nil }
        for case .feedStatus(let status) in state.events.map(\.event) where status.subscriptionsLimit > 0 {
            return Int(clamping: status.subscriptionsLimit)
        }
        return nil
    }
}
