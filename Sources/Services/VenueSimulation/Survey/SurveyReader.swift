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
    private let simulation: DialectDescription
    private var dialect: (any Dialect)?
    private var topics: VenueTopicTable
    private var subject = MessageSubject()
    private var channelIDs: [Int: Int64] = [:]
    private var restImages: Set<String> = []
    private var instruments: [UInt8]?
    private var answers: [RequestAddress: [UInt8]] = [:]
    private var depth = RecordedDepth()
    private var session: (any VenueSession)?
    private var output = VenueOutput()
    private var messages = 0

    /// `nil` for a venue that cannot be simulated.
    private init?(_ header: RecordingHeader) {
        guard let simulation = DialectCatalogue.dialect(of: header.venue) else { return nil }
        self.header = header
        self.simulation = simulation
        dialect = simulation.recognize(nil)
        topics = VenueTopicTable(foldsCase: dialect?.foldsCase ?? false)
    }

    static func read(path: String) throws -> PlaybackScript {
        let reader = try RecordingReader(path: path)
        guard var survey = SurveyReader(reader.header) else {
            throw SimulationError.notSimulated(reader.header.venue, path: path)
        }
        try reader.forEach { survey.take($0) }
        guard let script = survey.script() else { throw SimulationError.nothingToPlay(path: path) }
        return script
    }

    /// What entries in memory hold; `nil` when there is nothing to play.
    static func read(_ header: RecordingHeader, _ entries: [RecordingEntry]) -> PlaybackScript? {
        guard var survey = SurveyReader(header) else { return nil }
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

    private mutating func take(_ frame: RecordingFrame) {
        if dialect == nil, let dialect = simulation.recognize(frame) {
            self.dialect = dialect
            topics = VenueTopicTable(foldsCase: dialect.foldsCase)
        }
        switch (frame.kind, frame.direction) {
        case (.ws, .in): takeMessage(frame.data, at: frame.time)
        case (.http, .in): takeAnswer(frame)
        default: break
        }
    }

    private mutating func takeMessage(_ message: UnsafeRawBufferPointer, at time: Timestamp) {
        guard let dialect else { return }
        dialect.sight(message, &topics, &subject)
        messages += 1
        if subject.channelID >= 0 {
            for topic in subject.topics { channelIDs[topic] = subject.channelID }
        }
        if subject.kind == .control || subject.isImage {
            depth.join(dialect.recordedDepth(in: message, isImage: subject.isImage))
        }
        guard needsScales, messages <= SurveyReader.scaleMessages else { return }
        if session == nil { session = configuration(for: dialect).makeSession() }
        output.removeAll()
        session?.receive(message, connection: 0, at: time, into: &output)
    }

    private mutating func takeAnswer(_ frame: RecordingFrame) {
        let url = String(decoding: frame.url, as: UTF8.self)
        if let symbol = dialect?.imageSymbol(ofURL: url) {
            restImages.insert(symbol)
            // A book in which nothing happened has no messages.
            _ = topics.enter(.book, symbol)
            if let request = session?.request(for: url) {
                session?.responded(to: request, status: 200, body: frame.data, at: frame.time, into: &output)
            }
            return
        }
        let address = RequestAddress(url: url)
        if dialect?.keeps(address) ?? false, answers[address] == nil { answers[address] = Array(frame.data) }
        let isList =
            address.isInstrumentList(of: simulation.description) || address.path == dialect?.earlierList
        if isList, instruments == nil { instruments = Array(frame.data) }
    }

    private func configuration(for dialect: any Dialect) -> VenueConfiguration {
        var configuration = VenueConfiguration.replay(of: simulation.description)
        configuration.options = dialect.options
        if dialect.depth > 0 { configuration.bookDepth = dialect.depth }
        return configuration
    }

    private func script() -> PlaybackScript? {
        guard var dialect, topics.topics.contains(where: { $0.kind.channel != nil }) else { return nil }
        dialect.depth = dialect.depth(of: depth)
        return PlaybackScript(
            dialect: dialect, topics: topics, channelIDs: channelIDs, restImages: restImages,
            instruments: instruments, answers: answers, listed: listed(),
            configuration: configuration(for: dialect),
            started: header.started)
    }

    /// Whether a list of ours is needed: there is no recorded one, or it has a part of them.
    private var needsScales: Bool { instruments == nil || dialect?.hasOneList == false }

    private func listed() -> [ListedInstrument] {
        guard needsScales, let session else { return [] }
        return topics.symbols.compactMap { symbol in
            guard let index = session.registry.find(symbol), let book = session.book(of: index) else {
                return nil
            }
            return ListedInstrument(symbol: symbol, priceScale: book.priceScale, sizeScale: book.sizeScale)
        }
    }
}
