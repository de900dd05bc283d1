public import ArgumentParser
import Bus
import Instruments
import JSONLines
import MarketData
import MarketStore
import Store
import Wire

/// The command `bitpal trades VENUE SYMBOL`.
public struct TradesCommand: AsyncParsableCommand {
    /// How the parser presents it.
    public static let configuration = CommandConfiguration(
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
    public init() {}

    /// Checks what the parser cannot.
    ///
    /// - Throws: A usage error.
    public func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit is \(limit); it must be 1 to 10000")
        }
    }

    /// Prints the trades, or follows them.
    ///
    /// - Throws: ``CommandFailure``.
    public func run() async throws {
        let client = try BusClient(bus.addresses())
        if watch { return try await follow(client) }
        let trades = try await database.use(client) { database in
            let trades = try await database.rows(RecentTrades(instrument.id, limit: limit))
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
        let output = StandardOutput()
        for trade in trades {
            var line = JSONLine()
            TradeJSON.write(trade, instrument.id, to: &line)
            try output.write(line.bytes)
        }
        try output.flush()
    }

    /// No trades is an answer for an instrument that exists.
    private func check(_ database: Database, _ client: BusClient) async throws {
        if try await database.first(FindInstrument(instrument.id)) != nil { return }
        let stored = try await database.rows(ListInstruments(venue: instrument.id.venue)).map(\.id)
        let known = (try? await client.instruments(of: instrument.id.venue)) ?? []
        if known.contains(instrument.id) { return }
        throw InstrumentNames.notFound(instrument.id, known: stored + known)
    }

    private func follow(_ client: BusClient) async throws {
        let known = try await client.instruments(of: instrument.id.venue)
        guard known.contains(instrument.id) else {
            throw InstrumentNames.notFound(instrument.id, known: known)
        }
        var page = TradesLivePage(instrument.id, limit: limit)
        // Live trades need no database; one that does not answer only leaves the past out.
        if let configuration = try? await database.find(client) {
            let request = RecentTrades(instrument.id, limit: limit)
            let past = try? await DatabaseOptions.use(configuration) { try await $0.rows(request) }
            for trade in (past ?? []).reversed() { page.addPast(trade) }
        }
        let subscriber = try client.subscriber([Topic.trade(instrument.id)], name: "bitpal-trades")
        try await client.run(subscriber, LiveView(page, from: subscriber, isJSON: json))
    }
}

/// Trades that are watched.
struct TradesLivePage: LivePage {
    /// What came and is still to be printed.
    private enum Unsaid {
        case trade(Trade)
        case gap(BusGap)
    }

    private var view: TradesView
    private var link = BusLink()
    /// Who publishes these trades; others may be silent as they like.
    private var producers: Set<String> = []
    private var isChanged = true
    /// Whether the page that was drawn last had a trade that stands out.
    private var wasFresh = false
    /// What JSON still has to say, oldest first; a reader that is too slow for it is told how much it missed.
    private var unsaid: [Unsaid] = []
    private var dropped: UInt64 = 0
    private let topic: String

    init(_ instrument: InstrumentID, limit: Int) {
        view = TradesView(instrument: instrument, connection: .connecting, limit: limit)
        topic = Topic.trade(instrument)
    }

    /// A trade that was there before we looked.
    mutating func addPast(_ trade: Trade) { view.add(trade, arrived: nil) }

    mutating func apply(_ batch: BusBatch, at now: Timestamp) -> [String] {
        for event in batch.events {
            link.note(event)
            if case .gap(let gap) = event, batch.topic(gap.topic) == topic {
                view.lose(gap.received.map { $0 - gap.expected })
                keep(.gap(gap))
                continue
            }
            guard case .message(let message) = event, let event = try? batch.decode(message),
                case .trade(view.instrument, let trade) = event
            else { continue }
            producers.insert(batch.producer(message.producer))
            view.add(trade, arrived: now)
            keep(.trade(trade))
        }
        let isSilent = !link.silentProducers.isDisjoint(with: producers)
        let word = link.word == .live && isSilent ? .stale : link.word
        if view.connection != word || !unsaid.isEmpty { isChanged = true }
        view.connection = word
        return []
    }

    private mutating func keep(_ event: Unsaid) {
        if unsaid.count < 100_000 { unsaid.append(event) } else { dropped &+= 1 }
    }

    func needsDrawing(at now: Timestamp) -> Bool { isChanged || (wasFresh && !view.isFresh(at: now)) }

    mutating func draw(at now: Timestamp, columns: Int, rows: Int?) -> [StyledLine] {
        isChanged = false
        unsaid.removeAll(keepingCapacity: true)
        dropped = 0
        wasFresh = view.isFresh(at: now)
        return TradesPage(view: view, now: now, columns: columns, rows: rows).lines
    }

    mutating func drawJSON(to line: inout JSONLine) {
        isChanged = false
        for event in unsaid {
            switch event {
            case .trade(let trade): TradeJSON.write(trade, view.instrument, to: &line)
            case .gap(let gap): write(gap, to: &line)
            }
        }
        unsaid.removeAll(keepingCapacity: true)
        guard dropped > 0 else { return }
        line.beginObject()
        line.pair("gap", topic)
        line.pair("dropped", dropped)
        line.endObject()
        line.endLine()
        dropped = 0
    }

    /// Trades that were missed: numbers of the topic, `received` being null when more may be missing.
    private func write(_ gap: BusGap, to line: inout JSONLine) {
        line.beginObject()
        line.pair("gap", topic)
        line.pair("expected", gap.expected)
        line.key("received")
        if let received = gap.received { line.integer(received) } else { line.null() }
        line.endObject()
        line.endLine()
    }
}
