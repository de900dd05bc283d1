package import ArgumentParser
import Bus
import Instruments
import MarketData
import MarketState
import MarketStore
import Store
import Wire

/// The command `bitpal trades VENUE SYMBOL`.
package struct TradesCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "trades",
        abstract: "Shows the newest trades, from the database and live from the bus. Times are UTC.")

    @OptionGroup var instrument: InstrumentArguments
    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions

    @Option(help: "How many trades.")
    var limit = 30

    @Flag(help: "Follow the bus and redraw in place until Ctrl-C.")
    var watch = false

    @Flag(help: "One JSON object per line, newest first; with --watch, each new trade as it comes.")
    var json = false

    /// An unconfigured command, for the parser.
    package init() {}

    /// Checks what the parser cannot.
    ///
    /// - Throws: A usage error.
    package func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit is \(limit); it must be 1 to 10000")
        }
    }

    /// Prints the trades, or follows them.
    ///
    /// - Throws: ``CommandFailure``.
    package func run() async throws {
        let client = try BusClient(bus.addresses())
        if watch { return try await follow(client) }
        let trades = try await database.use(client) { database in
            let trades = try await database.recentTrades(of: instrument.id, limit: limit)
            if trades.isEmpty { try await check(database, client) }
            return trades
        }
        try show(trades)
    }

    private func show(_ trades: [Trade]) throws {
        guard json else {
            var view = TradesView(instrument: instrument.id, limit: limit)
            // Oldest first, so that equal times keep their order.
            for trade in trades.reversed() { view.add(trade, arrived: nil) }
            let terminal = Terminal()
            let page = TradesPage(view: view, now: .now, columns: terminal.size.columns, rows: nil)
            return try terminal.print(page.lines)
        }
        try StandardOutput.say(lines: trades.map { TradeLine($0, instrument.id) })
    }

    /// No trades is an answer for an instrument that exists.
    private func check(_ database: Database, _ client: BusClient) async throws {
        if try await database.instrument(instrument.id) != nil { return }
        let stored = try await database.instruments(on: instrument.id.venue).map(\.id)
        let known = (try? await client.instruments(of: instrument.id.venue)) ?? []
        if known.contains(instrument.id) { return }
        throw InstrumentNames.notFound(instrument.id, known: stored + known)
    }

    private func follow(_ client: BusClient) async throws {
        let known = try await client.instruments(of: instrument.id.venue)
        guard known.contains(instrument.id) else {
            throw InstrumentNames.notFound(instrument.id, known: known)
        }
        // Live trades need no database; one that does not answer only leaves the past out, as JSON does.
        guard !json, let configuration = try? await database.find(client) else {
            return try await watch(client, nil)
        }
        try await DatabaseOptions.use(configuration) { try await watch(client, $0) }
    }

    private func watch(_ client: BusClient, _ database: Database?) async throws {
        let page = TradesLivePage(instrument.id, limit: limit, isStored: database != nil)
        let topics = [Topic.trade(instrument.id), Topic.tradesStored(instrument.id)]
        let subscriber = try client.subscriber(topics, name: "bitpal-trades")
        guard let database else {
            return try await client.run(subscriber, LiveView(page, from: subscriber, isJSON: json))
        }
        let past = TapeReader(database: database, id: instrument.id, limit: limit)
        let view = LiveView(page, from: subscriber, isJSON: json) { await past.bring(to: $0) }
        try await client.run(subscriber, view)
    }
}

/// Brings what is stored of a tape to whoever watches it.
private struct TapeReader: Sendable {
    let database: Database
    let id: InstrumentID
    /// Rows.
    let limit: Int

    func bring(to screen: LiveScreen<TradesLivePage>) async {
        while !Task.isCancelled {
            guard let reading = await screen.change({ $0.beginReading() }) else {
                await pause(.milliseconds(100))
                continue
            }
            if let past = try? await database.recentTrades(of: id, limit: limit) {
                await screen.change { $0.end(reading, with: past) }
            } else {
                await screen.change { $0.fail(reading) }
                await pause(.seconds(1))
            }
        }
    }

    private func pause(_ duration: Duration) async { try? await Task.sleep(for: duration) }
}
