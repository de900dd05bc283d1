import GatewayFrame
package import Instruments

/// Which names of the market there are: nothing is followed, and nothing kept, for one that somebody made up.
package struct KnownNames: Sendable {
    /// What is known of a name.
    package enum Standing: Hashable, Sendable {
        /// A venue lists it, it is configured, or the bus has spoken of it.
        case known
        case unknown
        /// No venue has said yet what it lists, as in the first moments of a new installation.
        case early
    }

    /// Of an instrument.
    var instrument: @Sendable (InstrumentID) async throws -> Standing
    /// Of a pair such as `BTC-USD`.
    var pair: @Sendable (String) async throws -> Standing
    /// Of a venue.
    var venue: @Sendable (String) async throws -> Standing

    /// - Parameters:
    ///   - instrument: What is known of an instrument.
    ///   - pair: The same of a pair such as `BTC-USD`.
    ///   - venue: The same of a venue.
    package init(
        instrument: @escaping @Sendable (InstrumentID) async throws -> Standing,
        pair: @escaping @Sendable (String) async throws -> Standing,
        venue: @escaping @Sendable (String) async throws -> Standing
    ) {
        (self.instrument, self.pair, self.venue) = (instrument, pair, venue)
    }

    /// Takes every name, where nobody knows which there are.
    static let any = KnownNames { _ in
        .known
    } pair: { _ in
        .known
    } venue: { _ in
        .known
    }

    /// Looks at an instrument.
    ///
    /// - Throws: `not-found`; `unavailable` when it cannot be told now.
    func check(_ id: InstrumentID) async throws(Problem) {
        try await check("instrument \(id); /v1/instruments?q= finds what there is") {
            try await instrument(id)
        }
    }

    /// Looks at a pair.
    ///
    /// - Throws: As ``check(_:)``.
    func check(pair text: String) async throws(Problem) {
        try await check("pair \"\(text)\"; /v1/index lists them") { try await pair(text) }
    }

    /// Looks at a venue; `*` stands for all.
    ///
    /// - Throws: As ``check(_:)``.
    func check(venue text: String) async throws(Problem) {
        if text == "*" { return }
        try await check("venue \"\(text)\"; /v1/venues lists them") { try await venue(text) }
    }

    private func check(_ what: String, _ ask: () async throws -> Standing) async throws(Problem) {
        let standing: Standing
        do {
            standing = try await ask()
        } catch {
            throw Problem(.unavailable, "the database does not answer; try again in a moment")
        }
        switch standing {
        case .known: return
        case .unknown: throw .notFound(what)
        case .early:
            var problem = Problem(
                .unavailable, "no venue has said yet what it lists; try again in a moment")
            problem.retryAfter = 5
            throw problem
        }
    }
}
