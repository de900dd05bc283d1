import Instruments
import Testing

@testable import Venues

/// How long a venue may say nothing.
@Suite("Silence of a connection")
struct SilenceTests {
    private func silent(_ limit: SilenceLimit) -> SessionDriver {
        var description = CounterVenue.description
        description.silence = limit
        var driver = SessionDriver(VenueConfiguration(description))
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    private func asked(_ driver: inout SessionDriver, after milliseconds: Int64) -> String {
        driver.tick(after: milliseconds * 1_000_000)
        return driver.output.actions.map { action in
            switch action {
            case .send: "ping"
            case .reconnect: "reconnect"
            default: "other"
            }
        }.joined(separator: " ")
    }

    @Test("is five seconds and five more where the venue says nothing else")
    func standard() {
        var driver = silent(SilenceLimit())
        #expect(asked(&driver, after: 4_900) == "")
        #expect(asked(&driver, after: 200) == "ping")
        #expect(asked(&driver, after: 4_900) == "")
        #expect(asked(&driver, after: 200) == "reconnect")
    }

    @Test("is the venue's own")
    func own() {
        var driver = silent(SilenceLimit(ping: .seconds(18), answer: .milliseconds(1_500)))
        #expect(asked(&driver, after: 17_900) == "")
        #expect(asked(&driver, after: 200) == "ping")
        #expect(asked(&driver, after: 1_400) == "")
        #expect(asked(&driver, after: 200) == "reconnect")
        let kucoin = SilenceLimit(ping: .seconds(18), answer: .seconds(10))
        #expect(KuCoin.description.silence == kucoin)
    }

    @Test("of a second connection is measured alike", arguments: [Binance.usdm, Huobi.description])
    func beside(_ venue: VenueDescription) {
        var description = venue
        description.silence = SilenceLimit(ping: .seconds(20), answer: .seconds(10))
        var driver = SessionDriver(VenueConfiguration(description))
        for connection in [0, 1] {
            driver.session.opened(connection: connection, at: driver.clock, into: &driver.output)
        }
        driver.tick(after: 19_000_000_000)
        #expect(driver.output.actions.isEmpty)
        driver.tick(after: 2_000_000_000)
        #expect(driver.output.actions == [.ping(connection: 0), .ping(connection: 1)])
    }
}
