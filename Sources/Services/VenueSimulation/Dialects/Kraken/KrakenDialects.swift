import Instruments
import JSON
import Recordings
import Venues

/// Kraken's two interfaces, which a recording is of one of.
enum KrakenDialects {
    static let description = DialectDescription(
        description: Kraken.description, recognize: recognize,
        synthetic: SyntheticVenue(
            instruments: SyntheticInstrument.kraken, dialect: KrakenV2Dialect(depth: syntheticDepth),
            bookDepth: syntheticDepth, wording: { _, started in SyntheticKraken(started: started) }))

    /// Levels a side that the synthetic books are said to have; they never have more.
    private static let syntheticDepth = 500

    /// The address of a connection tells, or else the form of its first message.
    private static func recognize(_ entry: RecordingFrame?) -> (any Dialect)? {
        guard let entry, entry.kind == .ws else { return nil }
        switch entry.direction {
        case .open:
            let path = RequestAddress(url: String(decoding: entry.url, as: UTF8.self)).path
            return path.hasSuffix("/v2") ? KrakenV2Dialect() : KrakenV1Dialect()
        case .in:
            let document = entry.data.first == 0x5B ? nil : JSONValue(message: entry.data)
            let isV1 = entry.data.first == 0x5B || document?["event"] != nil
            return isV1 ? KrakenV1Dialect() : KrakenV2Dialect()
        default: return nil
        }
    }

    /// What a message says of the depth of its book, of either interface: what was granted, and what an image
    /// has.
    static func depth(in message: UnsafeRawBufferPointer, isImage: Bool) -> RecordedDepth {
        var depth = RecordedDepth()
        guard let document = JSONValue(message: message) else { return depth }
        let granted = document["result"]?["depth"] ?? document["subscription"]?["depth"]
        depth.granted = Int(clamping: granted?.integer ?? 0)
        guard isImage else { return depth }
        let sides = document["data"]?.elements.first ?? document.elements.dropFirst().first
        for name in ["bids", "asks", "bs", "as"] {
            depth.ofImages = max(depth.ofImages, sides?[name]?.elements.count ?? 0)
        }
        return depth
    }

    /// What was granted, or else the least that Kraken offers and the images fit in.
    static func depth(of recorded: RecordedDepth) -> Int {
        if recorded.granted > 0 { return recorded.granted }
        return [10, 25, 100, 500, 1_000].first { $0 >= recorded.ofImages } ?? 1_000
    }
}
