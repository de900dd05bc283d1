import Instruments
import JSON
import MarketData
import Recordings
import Venues

/// Reads a recording once to learn what it holds and that it can be read to its end.
struct SurveyReader {
    /// Messages whose numbers are looked at for decimal places, where the recording has no list of
    /// instruments.
    private static let scaleMessages = 5_000

    private let header: RecordingHeader
    private var dialect: (any Dialect)?
    private var topics: TopicTable
    private var sighting = Sighting()
    private var channelIDs: [Int: Int64] = [:]
    private var restImages: Set<String> = []
    private var instruments: [UInt8]?
    private var grantedDepth = 0
    private var imageDepth = 0
    private var session: (any VenueSession)?
    private var output = VenueOutput()
    private var messages = 0

    private init(_ header: RecordingHeader) {
        self.header = header
        dialect = SurveyReader.dialect(of: header.venue)
        topics = TopicTable(foldsCase: dialect?.foldsCase ?? false)
    }

    static func read(path: String) throws -> PlaybackScript {
        let reader = try RecordingReader(path: path)
        var survey = SurveyReader(reader.header)
        try reader.forEach { survey.take($0) }
        guard let script = survey.script() else { throw SimulationError.nothingToPlay(path: path) }
        return script
    }

    /// What entries in memory hold; `nil` when there is nothing to play.
    static func read(_ header: RecordingHeader, _ entries: [RecordingEntry]) -> PlaybackScript? {
        var survey = SurveyReader(header)
        for entry in entries {
            let url = Array((entry.url ?? "").utf8)
            entry.data.withUnsafeBytes { data in
                url.withUnsafeBytes { url in
                    survey.take(
                        RecordingFrame(
                            time: entry.time, connection: entry.connection, kind: entry.kind,
                            direction: entry.direction, url: url, data: data))
                }
            }
        }
        return survey.script()
    }

    /// Kraken's is found by its first message.
    private static func dialect(of venue: Venue) -> (any Dialect)? {
        switch venue {
        case .bitmex: BitMEXDialect()
        case .binance, .binanceUS, .binanceUSDM: BinanceDialect(venue: venue)
        default: nil
        }
    }

    private mutating func take(_ frame: RecordingFrame) {
        switch (frame.kind, frame.direction) {
        case (.ws, .in): takeMessage(frame.data, at: frame.time)
        case (.http, .in): takeAnswer(frame)
        case (.ws, .open) where dialect == nil && header.venue == .kraken:
            let isV2 = RequestAddress(url: String(decoding: frame.url, as: UTF8.self)).path.hasSuffix("/v2")
            dialect = isV2 ? KrakenV2Dialect() : KrakenV1Dialect()
        default: break
        }
    }

    private mutating func takeMessage(_ message: UnsafeRawBufferPointer, at time: Timestamp) {
        if dialect == nil, header.venue == .kraken {
            let document = message.first == 0x5B ? nil : JSONValue(message: message)
            let isV1 = message.first == 0x5B || document?["event"] != nil
            dialect = isV1 ? KrakenV1Dialect() : KrakenV2Dialect()
        }
        guard let dialect else { return }
        dialect.sight(message, &topics, &sighting)
        messages += 1
        if sighting.channelID >= 0 {
            for topic in sighting.topics { channelIDs[topic] = sighting.channelID }
        }
        if sighting.kind == .control || sighting.isImage { noteDepth(message) }
        guard instruments == nil, messages <= SurveyReader.scaleMessages else { return }
        if session == nil { session = VenueSessions.make(configuration(for: dialect)) }
        output.removeAll()
        session?.receive(message, connection: 0, at: time, into: &output)
    }

    private mutating func takeAnswer(_ frame: RecordingFrame) {
        let url = String(decoding: frame.url, as: UTF8.self)
        if let symbol = dialect?.imageSymbol(ofURL: url) {
            restImages.insert(symbol)
            if let request = session?.request(for: url) {
                session?.responded(to: request, status: 200, body: frame.data, at: frame.time, into: &output)
            }
            return
        }
        let path = RequestAddress(url: url).path
        let isList = ["/instrument/active", "/exchangeInfo", "/AssetPairs"].contains { path.hasSuffix($0) }
        if isList, instruments == nil { instruments = Array(frame.data) }
    }

    /// The depth of the books: what the venue granted, or else what the images have.
    private mutating func noteDepth(_ message: UnsafeRawBufferPointer) {
        guard header.venue == .kraken || sighting.isImage, let document = JSONValue(message: message) else {
            return
        }
        if header.venue == .bitmex {
            if document["table"]?.text == "orderBookL2_25" { grantedDepth = 25 }
            return
        }
        let granted = document["result"]?["depth"] ?? document["subscription"]?["depth"]
        grantedDepth = max(grantedDepth, Int(clamping: granted?.integer ?? 0))
        guard sighting.isImage else { return }
        let sides = document["data"]?.elements.first ?? document.elements.dropFirst().first
        for name in ["bids", "asks", "bs", "as"] {
            imageDepth = max(imageDepth, sides?[name]?.elements.count ?? 0)
        }
    }

    private func configuration(for dialect: any Dialect) -> VenueConfiguration {
        var configuration = VenueConfiguration.replay(of: dialect.venue)
        configuration.krakenInterface = dialect is KrakenV1Dialect ? .v1 : .v2
        if dialect.depth > 0 { configuration.bookDepth = dialect.depth }
        return configuration
    }

    private func script() -> PlaybackScript? {
        guard var dialect, topics.topics.contains(where: { $0.kind.channel != nil }) else { return nil }
        if header.venue == .kraken {
            // The depths that Kraken offers.
            let nearest = [10, 25, 100, 500, 1_000].first { $0 >= imageDepth } ?? 1_000
            dialect.depth = grantedDepth > 0 ? grantedDepth : nearest
        } else {
            dialect.depth = grantedDepth
        }
        return PlaybackScript(
            dialect: dialect, topics: topics, channelIDs: channelIDs, restImages: restImages,
            instruments: instruments, listed: listed(), configuration: configuration(for: dialect),
            started: header.started)
    }

    private func listed() -> [ListedInstrument] {
        guard instruments == nil, let session else { return [] }
        return topics.symbols.compactMap { symbol in
            guard let index = session.registry.find(symbol), let book = session.book(of: index) else {
                return nil
            }
            return ListedInstrument(symbol: symbol, priceScale: book.priceScale, sizeScale: book.sizeScale)
        }
    }
}
