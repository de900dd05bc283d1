import Instruments

/// Whether the producers that books follow are there.
///
/// It decides one thing: whether a book that says live may still be believed, now that its producer may be
/// gone. A producer that is only known from what a broker kept has three seconds to be heard.
struct ProducerPresence: Sendable {
    /// How long a producer may be known from kept messages only, nanoseconds.
    static let grace: Int64 = 3_000_000_000

    private struct Producer {
        /// Empty in a free place.
        let name: String
        var epoch: UInt64
        var isHeard = false
        var isSilent = false
        let knownSince: Timestamp
    }

    /// Places; those of producers that are gone are used again.
    var count: Int { producers.count }

    private var producers: [Producer] = []
    private(set) var isBusSilent = false

    /// The place of a producer, which may be new.
    mutating func index(of name: String, at now: Timestamp) -> Int {
        // A handful at the most: a search costs less than a table.
        if let known = producers.firstIndex(where: { $0.name == name }) { return known }
        let new = Producer(name: name, epoch: 0, knownSince: now)
        if let free = producers.firstIndex(where: { $0.name.isEmpty }) {
            producers[free] = new
            return free
        }
        producers.append(new)
        return producers.count - 1
    }

    /// Forgets producers of whom nobody has heard for long, but those in a place that is needed.
    mutating func forget(_ names: Set<String>, except needed: Set<Int>) {
        for place in producers.indices
        where names.contains(producers[place].name) && !needed.contains(place) {
            producers[place] = Producer(name: "", epoch: 0, knownSince: .zero)
        }
    }

    /// A live message or a heartbeat came.
    mutating func heard(_ index: Int, epoch: UInt64) {
        producers[index].epoch = max(producers[index].epoch, epoch)
        producers[index].isHeard = true
        producers[index].isSilent = false
        isBusSilent = false
    }

    /// Nothing came for three seconds.
    mutating func silent(_ index: Int) { producers[index].isSilent = true }

    /// A new life began.
    mutating func restarted(_ index: Int, epoch: UInt64) {
        producers[index].epoch = epoch
        producers[index].isHeard = true
        producers[index].isSilent = false
        isBusSilent = false
    }

    /// Nothing at all came for three seconds, or something came again.
    mutating func bus(isSilent: Bool) { isBusSilent = isSilent }

    /// Whether the producer lives in a later life than `epoch`.
    func isPast(_ index: Int, epoch: UInt64) -> Bool { producers[index].epoch > epoch }

    /// Why a book of that producer's life cannot be believed; `nil` when it can.
    func doubt(_ index: Int, epoch: UInt64, at now: Timestamp) -> String? {
        let producer = producers[index]
        if isBusSilent { return "nothing comes over the bus" }
        if producer.isSilent { return "nothing comes from \(producer.name)" }
        if producer.epoch > epoch { return "\(producer.name) has started again" }
        if !producer.isHeard, now.nanoseconds(since: producer.knownSince) >= Self.grace {
            return "nothing comes from \(producer.name)"
        }
        return nil
    }
}
