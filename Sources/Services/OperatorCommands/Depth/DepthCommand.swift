package import ArgumentParser
import Bus
import Instruments
import MarketData
import MarketState
import MarketStore
import Store
import Venues

/// The command `bitpal depth VENUE SYMBOL`.
package struct DepthCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "depth",
        abstract: "Shows what the depth of a live book says, and what a trade would cost.",
        usage: """
            bitpal depth VENUE SYMBOL [--within 5%] [--group TICK] [--quantity Q | --amount A] [--json]
            """,
        discussion: """
            Spread, middle price, micro-price (nearer to the side that has less) and imbalance (from -1, all \
            asks, to 1, all bids); sums within a distance of the middle price; the greatest levels. With \
            --quantity or --amount: average price, worst price and slippage against the best price, of \
            buying and of selling it.
            """)

    @OptionGroup var instrument: InstrumentArguments
    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions

    @Option(help: "How far from the middle price sums go, such as 5%.", transform: DepthCommand.basisPoints)
    var within = 500

    @Option(
        help: "Join levels on a grid of this step, such as 10.", transform: DepthCommand.positive("--group"))
    var group: DecimalNumber?

    @Option(help: "What to trade, in units of size.", transform: DepthCommand.positive("--quantity"))
    var quantity: DecimalNumber?

    @Option(help: "What to trade, in the quote asset.", transform: DepthCommand.positive("--amount"))
    var amount: DecimalNumber?

    @Flag(help: "One JSON object.")
    var json = false

    /// An unconfigured command, for the parser.
    package init() {}

    /// Checks that one thing at the most is to be traded.
    ///
    /// - Throws: A usage error.
    package func validate() throws {
        if quantity != nil, amount != nil {
            throw ValidationError("--quantity and --amount are two ways to say one thing; leave one out")
        }
    }

    /// Prints the report.
    ///
    /// - Throws: ``CommandFailure``.
    package func run() async throws {
        let client = try BusClient(bus.addresses())
        let follower = try await BookShowCommand.find(instrument.id, client)
        let countsContracts = try VenueNames.check(instrument.venue).countsContracts
        let known = try await describe(client, isNeeded: countsContracts && (quantity ?? amount) != nil)
        let question = DepthQuery(
            distance: within, tick: group, quantity: quantity, amount: amount,
            terms: countsContracts ? known.map(ContractTerms.init) : .spot,
            priceTick: known?.tickSize)
        let view = follower.retainedView(BookRange(depth: DepthQuery.levels))
        let report = try DepthReport(view, question)
        if json { return try StandardOutput.say(lines: [report]) }
        let terminal = Terminal()
        try terminal.print(report.lines(columns: terminal.isInteractive ? terminal.size.columns : 200))
    }

    /// What the database says of the instrument: its tick, and what a contract is worth.
    ///
    /// - Throws: ``CommandFailure`` when it is needed and not known.
    private func describe(_ client: BusClient, isNeeded: Bool) async throws -> Instrument? {
        let id = instrument.id
        do {
            let known = try await database.use(client) { try await $0.instrument(id) }
            guard known == nil, isNeeded else { return known }
        } catch {
            guard isNeeded else { return nil }
            throw error
        }
        throw CommandFailure(.notFound, "\(id) is not in the database, so that nobody says what it is worth")
    }

    private static func basisPoints(_ text: String) throws -> Int {
        let percent = try Percent.parse(text)
        guard let points = try? percent.rescaled(to: Scale(2) ?? .zero).units, points <= 10_000 else {
            throw ValidationError("--within is \"\(text)\"; accepted are steps of 0.01% up to 100%")
        }
        return Int(points)
    }

    private static func positive(_ name: String) -> @Sendable (String) throws -> DecimalNumber {
        { text in
            guard let number = try? DecimalNumber(parsing: text), number.units > 0 else {
                throw ValidationError("\(name) is \"\(text)\"; expected a number above 0")
            }
            return number
        }
    }
}
