import Instruments
import MarketData
import Testing

@testable import Venues

/// What a venue says of a derivative, and what is told of it.
///
/// Messages are those of the venues' documentation, as each case names it, with the fields that are read.
struct DerivativeCase: Sendable, CustomTestStringConvertible {
    let venue: VenueDescription
    let symbol: String
    /// What is sent to follow the state and the liquidations, in any order; parts of it.
    let asks: [String]
    /// Messages with the states after each, `nil` where nothing is told.
    let says: [(message: String, state: String?)]
    /// Messages of liquidations with what is told.
    var liquidations: [(message: String, told: [String])] = []
    /// What a request is answered with, after all messages, and the state then.
    var fetched: (url: String, body: String, state: String)?
    /// Connection of the messages.
    var connection = 0

    var testDescription: String { venue.venue.rawValue }
}

@Suite("Derivatives")
struct DerivativeTests {
    private func followed(_ item: DerivativeCase, _ channels: Set<VenueChannel>) -> SessionDriver {
        var configuration = VenueConfiguration(item.venue)
        configuration.subscriptions = [(item.symbol, channels)]
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: item.connection, at: driver.clock, into: &driver.output)
        return driver
    }

    private func receive(
        _ text: String, _ item: DerivativeCase, _ driver: inout SessionDriver
    ) -> [MarketEvent] {
        var text = text
        driver.output.removeAll()
        text.withUTF8 { bytes in
            driver.session.receive(
                UnsafeRawBufferPointer(bytes), connection: item.connection, at: driver.clock,
                into: &driver.output)
        }
        return driver.output.events
    }

    @Test(
        "are asked for, told with all that is known, and forgotten with the connection",
        arguments: DerivativeCase.all)
    func states(_ item: DerivativeCase) throws {
        var driver = followed(item, [.derivative])
        let asked = driver.output.actions.map { "\($0)" }.joined(separator: "\n")
            .replacing("\\\"", with: "\"")
        for part in item.asks { #expect(asked.contains(part), "\(part) in \(asked)") }
        for (message, state) in item.says {
            let events = receive(message, item, &driver)
            #expect(events.count == (state == nil ? 0 : 1), "\(events)")
            if let state { #expect(derivatives(events) == [state]) }
        }
        #expect(driver.output.counters.malformed == 0 && driver.output.counters.unexpected == 0)
        // The same again is nothing new; after a new connection it is.
        let last = try #require(item.says.last)
        #expect(derivatives(receive(last.message, item, &driver)).isEmpty)
        if let fetched = item.fetched {
            #expect(derivatives(try driver.respond(fetched.url, fetched.body)) == [fetched.state])
        }
        driver.session.closed(connection: item.connection, at: driver.clock, into: &driver.output)
        driver.session.opened(connection: item.connection, at: driver.clock, into: &driver.output)
        let first = try #require(item.says.first)
        #expect(derivatives(receive(first.message, item, &driver)) == [first.state].compactMap { $0 })
    }

    @Test("are told to nobody who has not asked", arguments: DerivativeCase.all)
    func others(_ item: DerivativeCase) {
        var driver = followed(item, [.trade])
        for (message, _) in item.says + item.liquidations.map({ ($0.message, nil) }) {
            let events = receive(message, item, &driver)
            #expect(derivatives(events).isEmpty && liquidations(events).isEmpty)
        }
    }

    @Test(
        "tell of positions that are closed",
        arguments: DerivativeCase.all.filter { !$0.liquidations.isEmpty })
    func closed(_ item: DerivativeCase) {
        var driver = followed(item, [.liquidation])
        for (message, told) in item.liquidations {
            let events = receive(message, item, &driver)
            #expect(liquidations(events) == told && events.count == told.count, "\(events)")
        }
        #expect(driver.output.counters.malformed == 0)
    }

    @Test("have what their venue's description promises", arguments: VenueCatalogue.standard.descriptions)
    func described(_ description: VenueDescription) {
        let items = DerivativeCase.all.filter { $0.venue.venue == description.venue }
        let says = items.flatMap { $0.says.map(\.state) + [$0.fetched?.state] }.compactMap { $0 }.joined()
        var known: Set<DerivativeFigure> = []
        if says.contains("index") { known.insert(.indexPrice) }
        if says.contains("funding") { known.insert(.funding) }
        if says.contains("open") { known.insert(.openInterest) }
        if items.contains(where: { !$0.liquidations.isEmpty }) { known.insert(.liquidations) }
        #expect(items.isEmpty == description.derivatives.isEmpty)
        #expect(known == description.derivatives)
    }
}

/// What events tell of the state of derivatives.
func derivatives(_ events: [MarketEvent]) -> [String] {
    events.compactMap { event in
        guard case .derivative(_, let ticker) = event else { return nil }
        var parts: [String] = []
        if let price = ticker.markPrice { parts.append("mark \(price)") }
        if let price = ticker.indexPrice { parts.append("index \(price)") }
        if let rate = ticker.fundingRate { parts.append("funding \(rate)") }
        if let rate = ticker.predictedFundingRate { parts.append("then \(rate)") }
        if let time = ticker.nextFundingTime { parts.append("at \(time.nanoseconds / 1_000_000_000)") }
        if let seconds = ticker.fundingIntervalSeconds { parts.append("every \(seconds)") }
        if let open = ticker.openInterest {
            parts.append("open \(open) " + (ticker.openInterestUnit.map { "\($0)" } ?? "of nothing"))
        }
        return parts.joined(separator: " ")
    }
}

/// What events tell of liquidations.
func liquidations(_ events: [MarketEvent]) -> [String] {
    events.compactMap { event in
        guard case .liquidation(_, let told) = event else { return nil }
        return "\(told.id ?? "-") \(told.side) \(told.price)×\(told.size)"
    }
}
