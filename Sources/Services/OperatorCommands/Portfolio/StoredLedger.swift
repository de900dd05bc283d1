import Instruments
import LedgerFiles
import Portfolio
import PortfolioStore
import Store
import Wire

extension StoredLedger {
    /// Reads a portfolio by its name, and the prices of what it names.
    ///
    /// - Throws: ``CommandFailure``.
    static func read(
        _ name: String, from store: PortfolioStoreOptions, at moment: Timestamp? = nil,
        needsPrices: Bool = false, base: Asset? = nil
    ) async throws -> StoredLedger {
        try await store.use { database in
            let portfolio = try await store.find(name, in: database)
            return try await database.transaction(.snapshot) { session in
                try session.ledger(of: portfolio, at: moment, needsPrices: needsPrices, base: base)
            }
        }
    }
}

extension PortfolioStoreOptions {
    /// An asset or an instrument, by its stored daily closes.
    ///
    /// - Throws: ``CommandFailure`` that says what is accepted.
    func benchmark(_ name: String, in base: Asset) async throws -> Benchmark {
        try await use { database in
            try await database.transaction(.snapshot) { session in
                try session.benchmark(name, in: base)
            }
        }
    }

    /// The prices of the moment that portfolio-service values a portfolio by; none while it does not.
    ///
    /// Who only has a database is not kept waiting for long.
    func livePrices(of portfolio: StoredPortfolio) async throws -> [LivePrice] {
        let topic = Topic.portfolioValuation(portfolio.id.description)
        let client = try BusClient(bus.addresses())
        guard let state = try? await client.state([topic], timeout: .milliseconds(500)) else { return [] }
        return state.events.flatMap { message -> [LivePrice] in
            guard case .portfolioValuation(let known) = message.event else { return [] }
            return known.freshPositions.compactMap { position in
                LivePrice(
                    asset: position.asset, currency: known.base, price: position.price,
                    time: Timestamp(nanoseconds: position.priceTimeUnixNanos), source: position.source)
            }
        }
    }
}
