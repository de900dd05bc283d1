import Bus
import BusBroker
import FeedIngestion
import GatewayAPI
import Glibc
import Instruments
import Operations
import ServiceLifecycle
import VenueSimulation
import Venues

/// Where everything is, for the lines that a person reads after the start.
struct InstallationPaths: Sendable {
    private let plan: UpPlan
    private let process: ServiceProcess
    private let feed: FeedIngestionConfiguration
    private let own: PrivateDatabase?

    init(plan: UpPlan, process: ServiceProcess, feed: FeedIngestionConfiguration, own: PrivateDatabase?) {
        self.plan = plan
        self.process = process
        self.feed = feed
        self.own = own
    }

    /// What is shown when nobody names an instrument: of a venue that exists, where one is followed.
    var firstInstrument: InstrumentID {
        let known = VenueCatalogue.standard
        let followed = feed.venues.filter { !$0.subscriptions.isEmpty }
        guard let venue = followed.first(where: { known[$0.venue]?.closure == nil }) ?? followed.first else {
            return known.firstInstrument
        }
        return InstrumentID(venue: venue.venue, symbol: venue.subscriptions[0].symbol)
    }

    /// The lines, once it is known where the broker listens.
    func lines(bus: String, simulator: String?, links: [String]) -> [String] {
        let followed = feed.venues.filter { !$0.subscriptions.isEmpty }
        let venues = (followed.isEmpty ? feed.venues : followed).map(\.venue.rawValue)
            .joined(separator: ", ")
        let market =
            switch (plan.profile, plan.recordings.isEmpty) {
            case (.live, _): "live: \(venues)"
            case (.demo, true): "a synthetic market that speaks as \(venues)"
            case (.demo, false): "recordings of \(venues)"
            }
        let first = firstInstrument
        let operations = process.settings[SharedSettings.operationsAddress(of: "up")]
        let book = "\(first.venue) \(first.symbol)"
        var lines = ["", "Bitpal is up.", "  market      \(market)"]
        if let simulator { lines.append("  simulator   \(simulator)") }
        lines += [
            "  bus         \(bus) and the next two ports",
            "  database    \(own.map { "\($0.directory) (private PostgreSQL)" } ?? "BITPAL_DATABASE_URL")",
            "  operations  http://\(operations)/metrics, /health/ready",
        ]
        lines += [
            "", "In another terminal:", "  bitpal book \(book) --watch", "  bitpal trades \(book) --watch",
            "  bitpal status", "", "Ctrl-C stops everything.", "",
        ]
        return lines + links + (links.isEmpty ? [] : [""])
    }
}

/// Says where everything is as soon as it is there.
struct StartReport: Service {
    let places: InstallationPaths
    let broker: BusBroker
    let simulator: VenueSimulator?
    let gateway: Gateway.Assembly?
    /// The path of the link that makes the first operator; `nil` when there is one.
    let setup: String?

    func run() async {
        // Whoever cannot listen says so himself, and better.
        if let lines = try? await cancelWhenGracefulShutdown(lines) {
            for line in lines { print(line) }
            // A pipe would keep the lines until there are more of them.
            fflush(nil)
        }
        try? await gracefulShutdown()
    }

    private func lines() async throws -> [String] {
        let bus = try await broker.bound().publish
        var venues: String?
        if let simulator {
            let address = try await simulator.bound()
            venues = "ws://\(address.host):\(address.port)"
        }
        var links: [String] = []
        if let gateway {
            links = Self.links(gateway.page(at: try await gateway.bound()), setup: setup)
        }
        return places.lines(bus: bus, simulator: venues, links: links)
    }

    /// What to open: last, where a person looks first, and each link alone on its line, to be copied.
    static func links(_ page: String, setup: String?) -> [String] {
        let address = page.hasSuffix("/") ? String(page.dropLast()) : page
        guard let setup else { return ["The page:", "\(address)/"] }
        return [
            "The page:", "\(address)/",
            "Nobody runs this installation yet. This link makes you its operator, once:", address + setup,
        ]
    }
}
