package import ArgumentParser
import Bus
import Instruments
import MarketStore
import Wire

/// The command `bitpal index [PAIR]`.
package struct IndexCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Shows the index price of an asset, with its markets, their weights, and what is left out.",
        discussion: """
            The index is the volume-weighted median over the spot markets whose book is live and fresh; a \
            market that differs too much is left out. Markets in stablecoins and other currencies are \
            converted by those coins' and currencies' own indices. Without a PAIR all indices are listed.
            """)

    @Argument(help: ArgumentHelp("Such as BTC-USD.", valueName: "PAIR"), transform: IndexCommand.pair)
    var pair: IndexPair?

    @OptionGroup var bus: BusOptions

    @Flag(help: "Follow the bus and redraw in place until Ctrl-C.")
    var watch = false

    @Flag(help: "One JSON object per line; with --watch, each change as it comes.")
    var json = false

    /// An unconfigured command, for the parser.
    package init() {}

    /// Prints the index, or follows it.
    ///
    /// - Throws: ``CommandFailure``, with status 3 when nobody says the index.
    package func run() async throws {
        let client = try BusClient(bus.addresses())
        let prefix = pair?.topic ?? "index."
        var page = IndexPage(isWatching: watch, isSingle: pair != nil)
        for event in try await client.state([prefix]).events {
            if case .indexPrice(let price) = event.event { page.take(price) }
        }
        if let pair, page.isEmpty {
            let known = try await client.state(["index."]).events.compactMap { event -> String? in
                if case .indexPrice(let price) = event.event { price.pair } else { nil }
            }
            throw IndexCommand.notFound(pair, known)
        }
        if watch {
            let subscriber = try client.subscriber([prefix], name: "bitpal-index")
            return try await client.run(subscriber, LiveView(page, from: subscriber, isJSON: json))
        }
        if json { return try StandardOutput.say(lines: page.news()) }
        let terminal = Terminal()
        let columns = terminal.isInteractive ? terminal.size.columns : .max
        try terminal.print(page.draw(at: .now, columns: columns, rows: nil))
    }

    static func notFound(_ pair: IndexPair, _ known: [String]) -> CommandFailure {
        let near = NearestNames.symbols(to: pair.description, among: known)
        let others = near.isEmpty ? known.sorted() : near
        let hint =
            others.isEmpty ? "no spot market is followed" : "there are \(others.joined(separator: ", "))"
        return CommandFailure(.notFound, "there is no index \(pair); \(hint)")
    }

    private static func pair(_ text: String) throws -> IndexPair {
        guard let pair = IndexPair(text) else {
            throw ValidationError("\"\(text)\" is no pair; expected BASE-QUOTE such as BTC-USD")
        }
        return pair
    }
}

/// Two assets as a person types them: `BTC-USD`, `btc/usd`.
struct IndexPair: Sendable, Hashable, CustomStringConvertible {
    let base: String
    let quote: String

    init?(_ text: String) {
        let parts = text.uppercased().split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) else { return nil }
        (base, quote) = (String(parts[0]), String(parts[1]))
    }

    var description: String { "\(base)-\(quote)" }

    var topic: String { Topic.index(base: base, quote: quote) }
}
