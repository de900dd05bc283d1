import ArgumentParser
import Bus
import Instruments
import JSON
import Portfolio
import Shapes
import Wire

struct PortfolioValueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "value",
        abstract: "What a portfolio is worth now, by the index prices of the bus.",
        discussion: "A price that is missing is named, and one that is not of now says why. Times are UTC.")

    @OptionGroup var bus: BusOptions
    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Flag(help: "Follow the bus and redraw in place until Ctrl-C.") var watch = false
    @Flag(help: "One JSON object; with --watch one for each change.") var json = false

    func run() async throws {
        let portfolio = try await gateway.client().portfolio(self.portfolio)
        let name = portfolio.text("name")
        let addresses = try bus.addresses()
        let client = try BusClient(addresses)
        let topic = Topic.portfolioValuation(portfolio.text("id"))
        var page = ValuationPage(name: name, topic: topic, stored: portfolio["change"]?.integer ?? 0)
        if watch {
            let subscriber = try client.subscriber([topic], name: "bitpal-value")
            return try await client.run(subscriber, LiveView(page, from: subscriber, isJSON: json))
        }
        // What was just stored is valued within a second: nobody is told what it was worth before.
        let deadline = ContinuousClock.now + .seconds(3)
        repeat {
            if page.valuation != nil { try await Task.sleep(for: .milliseconds(100)) }
            let state = try await client.state([topic])
            for message in state.events {
                if case .portfolioValuation(let valuation) = message.event { page.replace(with: valuation) }
            }
        } while page.isBehind && ContinuousClock.now < deadline
        guard page.valuation != nil else {
            throw CommandFailure(
                .unreachable,
                """
                nobody has valued "\(name)" yet on the bus at \(addresses.publish); is portfolio-service, \
                or `bitpal up`, running there? --bus names another
                """)
        }
        if json { return try StandardOutput.say(lines: page.news()) }
        let terminal = Terminal()
        try terminal.print(page.draw(at: .now, columns: terminal.size.columns, rows: nil))
    }
}

/// What a portfolio is worth, watched or once.
struct ValuationPage: LivePage {
    private(set) var valuation: Bitpal_V1_PortfolioValuation?
    private let name: String
    private let topic: String
    /// The last change of its transactions that is known to be stored.
    private let stored: Int64
    private var link = BusLink()
    private var isChanged = true
    /// What JSON still has to say.
    private var unsaid: [Bitpal_V1_PortfolioValuation] = []

    init(name: String, topic: String, stored: Int64 = 0) {
        self.name = name
        self.topic = topic
        self.stored = stored
    }

    /// Whether its transactions have changed since it was valued.
    var isBehind: Bool { valuation.map { $0.change < stored } ?? false }

    /// Takes one in the place of those before.
    mutating func replace(with valuation: Bitpal_V1_PortfolioValuation) {
        unsaid.removeAll()
        take(valuation)
    }

    mutating func take(_ valuation: Bitpal_V1_PortfolioValuation) {
        self.valuation = valuation
        isChanged = true
        if unsaid.count < 1_000 { unsaid.append(valuation) }
    }

    mutating func apply(_ batch: BusBatch, at now: Timestamp) -> [String] {
        var wanted: [String] = []
        let before = link
        for event in batch.events {
            link.note(event)
            if case .gap = event { wanted = [topic] }
            guard case .message(let message) = event,
                case .portfolioValuation(let valuation)? = try? batch.decode(message),
                valuation.timeUnixNanos > self.valuation?.timeUnixNanos ?? .min
            else { continue }
            take(valuation)
        }
        if before != link { isChanged = true }
        return wanted
    }

    func needsDrawing(at now: Timestamp) -> Bool { isChanged }

    mutating func draw(at now: Timestamp, columns: Int, rows: Int?) -> [StyledLine] {
        isChanged = false
        guard let valuation else { return [StyledLine("\(name): not valued yet", .faint)] }
        let time = Timestamp(nanoseconds: valuation.timeUnixNanos).iso8601(fractionDigits: 0)
        var lines = [StyledLine("\(name) at \(time), in \(valuation.base)", .strong)]
        if isBehind {
            lines.append(StyledLine("as it was before its transactions changed", .warning))
        }
        if link.word == .offline {
            lines.append(StyledLine("the bus is silent: last known values", .warning))
        }
        lines += TextTable(valuation.positions, Self.columns).lines(columns: columns)
        if valuation.value.isEmpty {
            let names = valuation.missing.joined(separator: ", ")
            lines.append(
                StyledLine(
                    "value unknown without a price of \(names); the rest is worth "
                        + "\(Self.rounded(valuation.knownValue, 2)) \(valuation.base)", .warning))
        } else {
            lines.append(
                StyledLine("value \(Self.rounded(valuation.value, 2)) \(valuation.base)", .strong))
        }
        return lines
    }

    private static let columns: [Column<Bitpal_V1_PortfolioPosition>] = [
        Column("asset", text: \.asset), Column("amount", .right, text: \.amount),
        Column("price", .right) { rounded($0.price, 8) }, Column("value", .right) { rounded($0.value, 2) },
        Column("") { position in
            if position.price.isEmpty { return TextTable.Cell("no price", .warning) }
            return position.stale.isEmpty
                ? TextTable.Cell(position.source, .faint)
                : TextTable.Cell("stale: \(position.stale)", .warning)
        },
    ]

    private static func rounded(_ text: String, _ places: Int) -> String {
        guard let amount = try? Amount(parsing: text) else { return "" }
        return places == 2 ? amount.text(places: 2) : amount.rounded(places: places).description
    }

    mutating func news() -> [any WireBody] {
        isChanged = false
        defer { unsaid.removeAll() }
        return unsaid.map { PortfolioValuationBody($0, named: name) }
    }
}
