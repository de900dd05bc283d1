import Instruments

/// Who says the trades of each instrument, and when that producer was last heard.
///
/// It decides how far a venue's time may close candles: no further than its producer was heard. Of a producer
/// messages come in their order, and each second one that names the last number of each topic, so that up to
/// there no trade is missing unnoticed. After a partition began nothing else says that one is.
struct TradeVoices: Sendable {
    private static let nobody = -1

    /// By the subscriber's number of the producer.
    private var heard: [Timestamp?] = []
    /// The producer of each instrument's newest trade.
    private var voices: [Int] = []
    /// When anybody was heard.
    private var newest: Timestamp?

    /// Anything was heard of a producer.
    mutating func hear(_ producer: Int, at now: Timestamp) {
        while heard.count <= producer { heard.append(nil) }
        heard[producer] = now
        newest = now
    }

    /// A producer said a trade.
    mutating func say(_ index: Int, by producer: Int) {
        while voices.count <= index { voices.append(Self.nobody) }
        voices[index] = producer
    }

    /// The number means another producer from now on.
    mutating func forget(_ producer: Int) {
        if heard.indices.contains(producer) { heard[producer] = nil }
        for index in voices.indices where voices[index] == producer { voices[index] = Self.nobody }
    }

    /// Up to when an instrument's trades are known to be here: where nobody said any yet, up to when anybody
    /// was heard; `nil` where nobody was.
    func lastHeard(of index: Int) -> Timestamp? {
        guard voices.indices.contains(index), voices[index] != Self.nobody else { return newest }
        return heard[voices[index]] ?? newest
    }
}
