import Bus
import Instruments
import MarketData
import MarketState
import Shapes
import Wire

/// Trades that are watched.
struct TradesLivePage: LivePage {
    private var view: TradesView
    private var link = BusLink()
    /// Who publishes these trades; others may be silent as they like.
    private var producers: Set<String> = []
    private var isChanged = true
    /// Whether the page that was drawn last had a trade that stands out.
    private var wasFresh = false
    /// What JSON still has to say, oldest first; a reader that is too slow for it is told how much it missed.
    private var unsaid: [any WireBody & Sendable] = []
    private var dropped: UInt64 = 0
    private let topic: String
    private let storedTopic: String
    /// Where stored trades end and live ones begin; unused where nothing is stored.
    private var seam = TapeSeam()
    private let isStored: Bool

    /// An empty page, for which stored trades are read where there are any: they show what was before we
    /// looked, and what was missed.
    init(_ instrument: InstrumentID, limit: Int, isStored: Bool) {
        view = TradesView(instrument: instrument, connection: .connecting, limit: limit)
        topic = Topic.trade(instrument)
        storedTopic = Topic.tradesStored(instrument)
        self.isStored = isStored
    }

    /// The stored trades are read from now on; `nil` when that is not necessary.
    mutating func beginReading() -> TapeSeam.Reading? {
        isStored && seam.wantsReading ? seam.begin() : nil
    }

    /// The newest stored trades, newest first.
    mutating func end(_ reading: TapeSeam.Reading, with stored: [Trade]) {
        seam.finish(reading, with: stored)
        view.put(stored)
        if seam.isJoined { view.regain() }
        isChanged = true
    }

    /// The stored trades could not be read.
    mutating func fail(_ reading: TapeSeam.Reading) { seam.fail(reading) }

    mutating func apply(_ batch: BusBatch, at now: Timestamp) -> [String] {
        for event in batch.events {
            link.note(event)
            switch event {
            case .synchronized(let prefixes) where prefixes.contains(topic): seam.confirm()
            // What its former life stored and did not come to say, nobody says.
            case .producerRestarted: seam.lose()
            case .gap(let gap): note(gap, of: batch.topic(gap.topic))
            case .message(let message): take(message, of: batch, at: now)
            default: break
            }
        }
        let isSilent = !link.silentProducers.isDisjoint(with: producers)
        let word = link.word == .live && isSilent ? .stale : link.word
        if view.connection != word || !unsaid.isEmpty { isChanged = true }
        view.connection = word
        return []
    }

    private mutating func note(_ gap: BusGap, of name: String) {
        if name == storedTopic { seam.noteStored() }
        guard name == topic else { return }
        seam.lose()
        view.lose(gap.received.map { $0 - gap.expected })
        keep(GapLine(gap: gap, topic: topic))
    }

    private mutating func take(_ message: BusMessage, of batch: BusBatch, at now: Timestamp) {
        switch try? batch.decode(message) {
        case .trade(view.instrument, let trade):
            producers.insert(batch.producer(message.producer))
            seam.hear(trade)
            view.add(trade, arrived: now)
            keep(TradeLine(trade, view.instrument))
        case .tradesStored(view.instrument, _): seam.noteStored()
        default: break
        }
    }

    private mutating func keep(_ line: any WireBody & Sendable) {
        if unsaid.count < 100_000 { unsaid.append(line) } else { dropped &+= 1 }
    }

    func needsDrawing(at now: Timestamp) -> Bool { isChanged || (wasFresh && !view.isFresh(at: now)) }

    mutating func draw(at now: Timestamp, columns: Int, rows: Int?) -> [StyledLine] {
        isChanged = false
        unsaid.removeAll(keepingCapacity: true)
        dropped = 0
        wasFresh = view.isFresh(at: now)
        return TradesPage(view: view, now: now, columns: columns, rows: rows).lines
    }

    mutating func news() -> [any WireBody] {
        isChanged = false
        var news: [any WireBody] = unsaid
        if dropped > 0 { news.append(DroppedLine(topic: topic, count: dropped)) }
        unsaid.removeAll(keepingCapacity: true)
        dropped = 0
        return news
    }
}
