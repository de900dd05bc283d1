import Instruments
import MarketData
import Support
import Testing
import Venues

@testable import VenueSimulation

/// What a venue of the synthetic market is made of, and who reads it.
private struct Speaker: Sendable, CustomTestStringConvertible {
    let description: VenueDescription
    var options: [String: String] = [:]
    let instruments: [SyntheticInstrument]
    let wording: @Sendable (Timestamp) -> any SyntheticProtocol

    var testDescription: String { description.venue.rawValue }

    static let all: [Speaker] = [
        Speaker(description: Binance.spot, instruments: SyntheticInstrument.binance) {
            SyntheticBinance(isFutures: false, started: $0)
        },
        Speaker(description: Binance.usdm, instruments: SyntheticInstrument.binanceUSDM) {
            SyntheticBinance(isFutures: true, started: $0)
        },
        Speaker(description: OKX.description, instruments: SyntheticInstrument.okx) {
            SyntheticOKX(started: $0)
        },
        Speaker(description: Bybit.spot, instruments: SyntheticInstrument.bybit) {
            SyntheticBybit(started: $0)
        },
        Speaker(
            description: Coinbase.description,
            options: ["interface": CoinbaseInterface.exchange.rawValue],
            instruments: SyntheticInstrument.coinbase
        ) { SyntheticCoinbase(started: $0) },
    ]
}

@Suite("Wordings of the synthetic market")
struct SyntheticWordingTests {
    private static let started = Timestamp(nanoseconds: 1_795_861_233_000_000_000)

    @Test("our own session of the venue reads books and trades as they are", arguments: Speaker.all)
    fileprivate func reading(speaker: Speaker) throws {
        var configuration = VenueConfiguration.replay(of: speaker.description)
        configuration.options = speaker.options
        var session = configuration.makeSession()
        var wording = speaker.wording(Self.started)
        var output = VenueOutput()
        var trades: [String] = []
        func read(_ messages: [[UInt8]], at time: Timestamp) {
            for message in messages {
                message.withUnsafeBytes { session.receive($0, connection: 1, at: time, into: &output) }
            }
            for case .trade(let index, let trade) in output.events {
                let symbol = session.registry[index].symbol
                let price = trade.price.decimal(trade.priceScale).normalized
                trades.append(
                    "\(symbol) \(trade.side) \(price) \(trade.size.decimal(trade.sizeScale).normalized)")
            }
            output.removeAll()
        }
        var model = PriceModel(seed: 9)
        var paths = speaker.instruments.map { $0.path(at: speaker.description.venue, in: &model) }
        var flows: [SyntheticFlow] = []
        for (place, instrument) in speaker.instruments.enumerated() {
            let fair = paths[place].units(at: Self.started, in: &model)
            flows.append(SyntheticFlow(instrument, seed: UInt64(place), around: fair))
            if let image = wording.image(of: flows[place], at: Self.started) {
                // A session that nobody told of a symbol learns it from the stream.
                read(wording.beginning(of: flows[place], at: Self.started), at: Self.started)
                let asked = session.request(for: image.url)
                let request = try #require(asked, "\(image.url)")
                image.body.withUnsafeBytes {
                    session.responded(to: request, status: 200, body: $0, at: Self.started, into: &output)
                }
            } else {
                read(wording.beginning(of: flows[place], at: Self.started), at: Self.started)
            }
        }
        var said: [String] = []
        for number in 1...3_000 {
            let place = number % flows.count
            let time = Self.started.adding(nanoseconds: Int64(number) * 20_000_000)
            let step = flows[place].step(towards: paths[place].units(at: time, in: &model))
            if let trade = step.trade {
                let instrument = speaker.instruments[place]
                let price = trade.price.decimal(instrument.priceScale).normalized
                said.append(
                    "\(instrument.symbol) \(trade.side) \(price) \(trade.size.decimal(instrument.sizeScale).normalized)"
                )
            }
            read(wording.messages(of: step, flows[place], topChanged: true, at: time), at: time)
        }
        #expect(said.count > 200 && trades == said)
        #expect(session.registry.ids.count == flows.count)
        for flow in flows {
            let index = try #require(session.registry.find(flow.instrument.symbol))
            #expect(session.state(of: index) == .live, "\(flow.instrument.symbol)")
            let book = try #require(session.book(of: index))
            #expect(Self.texts(book) == Self.texts(flow.book), "\(flow.instrument.symbol)")
        }
    }

    private static func texts(_ book: Book) -> [String] {
        let top = book.top(.max)
        return (top.bids + top.asks).map {
            "\($0.price.decimal(book.priceScale).normalized) \($0.size.decimal(book.sizeScale).normalized)"
        }
    }
}
