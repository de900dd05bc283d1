import Instruments
import NIOCore
import Operations
import Support
import Testing
import Venues
import Web

@testable import FeedIngestion

@Suite("Trial of venues at the first start", .timeLimit(.minutes(2)))
struct VenueTrialTests {
    private static let list = """
        {"error":[],"result":{"XXBTZUSD":{"wsname":"XBT/USD","pair_decimals":1,"lot_decimals":8}}}
        """

    /// Kraken and Bitstamp at two ports.
    private static func feed(_ kraken: Int, _ other: Int) -> FeedIngestionConfiguration {
        let venues = [(Kraken.description, kraken), (Bitstamp.description, other)].map { description, port in
            var venue = VenueConfiguration(description)
            venue.restURL = "http://127.0.0.1:\(port)"
            venue.subscriptions = [(description.usualSymbols[0], [.book])]
            return venue
        }
        return FeedIngestionConfiguration(venues: venues)
    }

    private static func settle(
        _ feed: inout FeedIngestionConfiguration, in folder: String, triesAll: Bool = false
    ) async throws -> [String] {
        var lines: [String] = []
        let venues = LiveVenues(in: folder, triesAll: triesAll) { Timestamp(nanoseconds: 1) }
        try await venues.settle(&feed) { lines.append($0) }
        return lines
    }

    private static func followed(_ feed: FeedIngestionConfiguration) -> [String] {
        feed.venues.filter { !$0.subscriptions.isEmpty }.map(\.venue.rawValue)
    }

    @Test("leaves out who does not answer, says why and how to try again, and keeps it for later starts")
    func leavesOut() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        try await TestVenue.run { venue in
            venue.answer("/0/public/AssetPairs", Self.list)
            let closed = Int(try FreePorts.run(of: 1))
            var feed = Self.feed(venue.port, closed)
            let lines = try await Self.settle(&feed, in: folder)
            #expect(lines.count == 3 && lines[1] == "  kraken: answers")
            #expect(lines[2].hasPrefix("  bitstamp: does not answer: no connection to 127.0.0.1:\(closed)"))
            #expect(lines[2].hasSuffix("; left out, try again: bitpal up --profile live --try-venues"))
            #expect(Self.followed(feed) == ["kraken"] && !feed.venues[1].pricesAllMarkets)
            // The next start asks nobody, and says again what is left out.
            let asked = venue.asked.count
            var later = Self.feed(venue.port, closed)
            #expect(try await Self.settle(&later, in: folder) == [lines[2]])
            #expect(Self.followed(later) == ["kraken"] && venue.asked.count == asked)
        }
    }

    @Test("tries all again when it is told to, and follows what answers by then")
    func triesAgain() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        try await TestVenue.run { venue in
            venue.answer("/0/public/AssetPairs", Self.list)
            venue.answer("/api/v2/markets/", "no", status: 451)
            var feed = Self.feed(venue.port, venue.port)
            let first = try await Self.settle(&feed, in: folder)
            #expect(first[2].contains("it does not serve this region (status 451); left out"))
            venue.answer("/api/v2/markets/", "[]")
            var again = Self.feed(venue.port, venue.port)
            let lines = try await Self.settle(&again, in: folder, triesAll: true)
            #expect(lines[1...] == ["  kraken: answers", "  bitstamp: answers"])
            #expect(Self.followed(again) == ["kraken", "bitstamp"])
        }
    }

    @Test("takes nobody's silence for a venue's where none answers: all stay")
    func noNetwork() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let closed = Int(try FreePorts.run(of: 2))
        for _ in 1...2 {
            var feed = Self.feed(closed, closed + 1)
            let lines = try await Self.settle(&feed, in: folder)
            #expect(lines.count == 4 && lines[3].hasPrefix("  None answers: that is the network here"))
            #expect(Self.followed(feed) == ["kraken", "bitstamp"])
        }
    }

    @Test("leaves nothing out of what somebody has named")
    func named() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        try await TestVenue.run { venue in
            venue.answer("/0/public/AssetPairs", Self.list)
            var feed = Self.feed(venue.port, Int(try FreePorts.run(of: 1)))
            feed.areVenuesNamed = true
            let lines = try await Self.settle(&feed, in: folder)
            #expect(lines[2].hasSuffix("; followed all the same, as named"))
            #expect(Self.followed(feed) == ["kraken", "bitstamp"])
        }
        let settings = try Settings.load(
            service: "feed-ingestor", keys: FeedIngestionConfiguration.keys,
            environment: ["BITPAL_FEED_INGESTOR_VENUES": "kraken"])
        #expect(try FeedIngestionConfiguration(settings: settings).areVenuesNamed)
        let usual = try Settings.load(service: "feed-ingestor", keys: FeedIngestionConfiguration.keys)
        #expect(try !FeedIngestionConfiguration(settings: usual).areVenuesNamed)
    }

    @Test("knows a list from something that answers in a venue's place")
    func portal() async throws {
        try await TestVenue.run { venue in
            venue.answer("/0/public/AssetPairs", "<html>Sign in to the network</html>")
            let found = await VenueTrial { Timestamp(nanoseconds: 1) }.run(
                [Self.feed(venue.port, 1).venues[0]])
            #expect(
                found[.kraken]
                    == .refuses("something else answers in its place: what came is not its list"))
        }
    }

    @Test("says in words of its own what each status and failure means")
    func words() {
        #expect(VenueAnswer(status: 429, isReadable: false) == .answers)
        let expected: [(VenueAnswer, String)] = [
            (VenueAnswer(status: 403, isReadable: true), "(status 403)"),
            (VenueAnswer(status: 503, isReadable: true), "it is in trouble (status 503)"),
            (VenueAnswer(status: 404, isReadable: true), "it answers with status 404"),
            (VenueAnswer(.nameUnresolved(host: "api.x", reason: "r")), "the name api.x is not known here"),
            (VenueAnswer(.tlsFailed(host: "api.x", reason: "expired")), "(TLS): expired"),
            (VenueAnswer(.timedOut(.request, after: .seconds(10))), "no answer within 10.0 seconds"),
        ]
        for (answer, part) in expected {
            guard case .refuses(let reason) = answer else {
                Issue.record("\(part) is no answer")
                continue
            }
            #expect(reason.contains(part), "\(reason)")
        }
    }

    @Test("tries every venue of the catalogue: each session asks for something first")
    func everyVenue() {
        for description in VenueCatalogue.standard.descriptions {
            var session = VenueConfiguration(description).makeSession()
            var output = VenueOutput()
            session.start(at: Timestamp(nanoseconds: 1), into: &output)
            let hasRequest = output.actions.contains { if case .request = $0 { true } else { false } }
            #expect(hasRequest, "\(description.venue)")
        }
    }

    @Test("is kept as text, of which lines that make no sense say nothing")
    func text() {
        let verdicts = VenueVerdicts([.kraken: .answers, .binance: .refuses("it is in trouble (status 503)")])
        #expect(verdicts.text == "binance refuses it is in trouble (status 503)\nkraken answers\n")
        #expect(VenueVerdicts(text: verdicts.text) == verdicts)
        #expect(VenueVerdicts(text: "kraken\nx refuses\n\n gemini maybe so\n") == VenueVerdicts())
        property { rng in
            let damaged = rng.damaged(Array(verdicts.text.utf8))
            let read = VenueVerdicts(text: String(decoding: damaged, as: UTF8.self))
            try #require(read.answers.count <= 3)
        }
    }
}
