import Instruments
import MarketData
import Recordings
import Venues

extension Playback {
    /// Lets an entry happen: the true books follow it, and whoever subscribed to it gets it.
    mutating func play(_ entry: RecordingEntry, at now: Timestamp, into actions: inout [PlaybackAction]) {
        counters.played += 1
        playedSinceRewind = true
        position = entry.time
        guard entry.kind == .ws else { return playAnswer(entry, into: &actions) }
        if headSighting.kind != .market {
            teach(entry)
            let listeners = clients.filter { !$0.value.subscriptions.isEmpty }.keys.sorted()
            return broadcast(entry.data, to: listeners, at: now, into: &actions)
        }
        teach(entry)
        for topic in headSighting.topics {
            lastFrames[topic] = entry.data
            if topics[topic].kind == .book { continue }
            if topics[topic].kind == .trade { tape.append(entry.data, topic) }
            if topics[topic].kind == .candle, let candle = dialect.recordedCandle(entry.data) {
                candles.add(candle)
            }
        }
        for case .trade(let index, let trade) in truthOutput.events {
            candles.add(trade, of: truth.registry[index].symbol)
        }
        if headSighting.topics.count == 1 {
            broadcast(entry.data, to: subscribers[headSighting.topics[0]] ?? [], at: now, into: &actions)
        } else {
            deliverParts(entry.data, at: now, into: &actions)
        }
        for topic in headSighting.topics where views[topic] != nil {
            deliverViews(topic, isImage: headSighting.isImage, at: now, into: &actions)
        }
    }

    /// A message of several symbols goes whole to those who want all of them, and cut to the others.
    private mutating func deliverParts(
        _ frame: [UInt8], at now: Timestamp, into actions: inout [PlaybackAction]
    ) {
        let wanted = headSighting.topics.filter { !(subscribers[$0] ?? []).isEmpty }
        let receivers = Set(wanted.flatMap { subscribers[$0] ?? [] }).sorted()
        for receiver in receivers {
            let theirs = wanted.filter { subscribers[$0]?.contains(receiver) ?? false }
            if theirs.count == headSighting.topics.count {
                broadcast(frame, to: [receiver], at: now, into: &actions)
            } else {
                let symbols = Set(theirs.map { topics[$0].symbol })
                guard let part = RowFilter.rebuild(frame, keeping: symbols.contains) else { continue }
                broadcast(part, to: [receiver], at: now, into: &actions)
            }
        }
    }

    private mutating func deliverViews(
        _ topic: Int, isImage: Bool, at now: Timestamp, into actions: inout [PlaybackAction]
    ) {
        guard let book = book(of: topics[topic].symbol) else { return }
        for (depth, view) in (views[topic] ?? [:]).sorted(by: { $0.key < $1.key }) {
            let sides = book.top(depth)
            var messages: [[UInt8]] = []
            if isImage || (view.sides.bids.isEmpty && view.sides.asks.isEmpty) {
                messages = [dialect.image(of: book, depth: depth, channelID: channelID(topic), at: position)]
            } else {
                let changes = ViewChange.between(view.sides, sides, in: book.book)
                messages = dialect.update(
                    of: book, changes, depth: depth, channelID: channelID(topic), at: position)
            }
            views[topic]?[depth]?.sides = sides
            for message in messages { broadcast(message, to: view.clients, at: now, into: &actions) }
        }
    }

    /// A recorded REST answer with a whole book.
    private mutating func playAnswer(_ entry: RecordingEntry, into actions: inout [PlaybackAction]) {
        guard let url = entry.url, let symbol = dialect.imageSymbol(ofURL: url) else { return }
        if let request = truth.request(for: url) {
            truthOutput.removeAll()
            entry.data.withUnsafeBytes { body in
                truth.responded(to: request, status: 200, body: body, at: entry.time, into: &truthOutput)
            }
        }
        let limit = RequestAddress(url: url).integer("limit").map { Int(clamping: $0) } ?? 100
        answerWaiting(symbol, recorded: entry.data, limit: limit, into: &actions)
    }

    /// Lets the true books follow a message, acknowledgements included: they say how deep a book is.
    mutating func teach(_ entry: RecordingEntry) {
        truthOutput.removeAll()
        entry.data.withUnsafeBytes { frame in
            truth.receive(frame, connection: entry.connection, at: entry.time, into: &truthOutput)
        }
    }
}
