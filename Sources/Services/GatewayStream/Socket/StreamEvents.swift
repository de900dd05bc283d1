import AccountStore
import GatewayFrame
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Server-sent events of the stream, for one client: what it wants, and where it goes on.
struct StreamEvents: Sendable {
    /// Things that one client may follow this way.
    static let topicLimit = 20
    /// Bytes of one write.
    private static let writeSize = 16 << 10

    let hub: StreamHub
    let identity: Identity?
    let topics: [StreamTopic]
    let places: [StreamCursor?]

    /// What an address asks for: `channel=ticker:kraken:BTC/USD`, up to 20 times, or one `channel` and `key`.
    static func names(_ query: RequestQuery) throws(Problem) -> [(StreamChannel, String)] {
        let given = query.all("channel")
        guard (1...topicLimit).contains(given.count) else {
            throw .invalid(
                "channel", "\(given.count) of them",
                accepted: "1 to \(topicLimit) such as ticker:kraken:BTC/USD")
        }
        let key = try query.text("key")
        guard key == nil || given.count == 1 else {
            throw .invalid("key", key, accepted: "only with one channel; else channel=CHANNEL:KEY")
        }
        var names: [(StreamChannel, String)] = []
        for text in given {
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let channel = StreamChannel(rawValue: String(parts[0])) else {
                let accepted = StreamChannel.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid("channel", text, accepted: "one of \(accepted), a colon and a key")
            }
            guard key == nil || parts.count == 1 else {
                throw .invalid("key", key, accepted: "nothing where the channel has a key already")
            }
            names.append((channel, key ?? (parts.count == 2 ? String(parts[1]) : "")))
        }
        return names
    }

    /// Where a client was, from its `Last-Event-ID`; one that does not fit is as none.
    static func places(_ text: String?, count: Int) -> [StreamCursor?] {
        let none = [StreamCursor?](repeating: nil, count: count)
        let parts = text?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        guard parts.count == count else { return none }
        return parts.map { part in
            let numbers = part.split(separator: ".").map { UInt64($0, radix: 36) }
            guard numbers.count == 2, let epoch = numbers[0], let sequence = numbers[1] else { return nil }
            return StreamCursor(epoch: epoch, sequence: sequence)
        }
    }

    /// Writes until the client goes or the connection is ended.
    ///
    /// - Throws: When the client is gone.
    @concurrent
    func run(_ writer: inout any ResponseBodyWriter, on loop: any EventLoop) async throws {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let listener = try await loop.submit {
            let listener = EventListener(self, loop) { signal.yield() }
            try listener.begin()
            return NIOLoopBound(listener, eventLoop: loop)
        }.get()
        defer { loop.execute { listener.value.leave() } }
        signal.yield()
        for await _ in signals.cancelOnGracefulShutdown() {
            while true {
                let (text, isOver) = try await loop.submit { listener.value.read(atMost: Self.writeSize) }
                    .get()
                if isOver { return }
                guard text.readableBytes > 0 else { break }
                try await writer.write(text)
            }
        }
    }
}

/// What one client of server-sent events was told; on one event loop.
private final class EventListener: StreamListener {
    private let events: StreamEvents
    private let shard: StreamShard
    private let signal: () -> Void
    private var client: StreamCore.ClientID = 0
    private var places: [StreamCursor?]
    private var hasBeat = true
    private var isOver = false

    var identity: Identity? { events.identity }
    // What its subscriptions take is held by the answer that they are.
    var permit: ClientLimit.Permit? { nil }

    init(_ events: StreamEvents, _ loop: any EventLoop, signal: @escaping () -> Void) {
        self.events = events
        self.signal = signal
        places = events.places
        shard = events.hub.shard(on: loop)
    }

    func begin() throws(Problem) {
        client = shard.open(self)
        for (index, topic) in events.topics.enumerated() {
            do {
                try shard.subscribe(client, "\(index)", to: topic, after: events.places[index])
            } catch {
                shard.close(client)
                throw error
            }
        }
    }

    func leave() { shard.close(client) }

    func wake() { signal() }

    func beat(_ time: String) {
        hasBeat = true
        signal()
    }

    func end(code: UInt16, reason: String) {
        isOver = true
        signal()
    }

    /// What there is to write.
    func read(atMost size: Int) -> (ByteBuffer, isOver: Bool) {
        var text = ByteBuffer()
        if hasBeat {
            hasBeat = false
            text.writeString(": heartbeat\n\n")
        }
        while !isOver, text.readableBytes < size, let news = shard.next(client) {
            guard let index = Int(news.id) else { continue }
            for piece in news.pieces { write(piece, index, news.topic, &text) }
        }
        return (text, isOver)
    }

    private func write(_ piece: StreamLog.Piece, _ index: Int, _ topic: StreamTopic, _ text: inout ByteBuffer)
    {
        let name = "\"channel\":\"\(topic.channel.rawValue)\",\"key\":\(StreamEncoder.quoted(topic.key))"
        switch piece {
        case .skipped(let count):
            places[index]?.sequence += count
            text.writeString("event: skipped\ndata: {\(name),\"count\":\(count)}\n\n")
        case .snapshot(let place, let data):
            places[index] = place
            begin("snapshot", &text)
            text.writeString("{\(name),\"epoch\":\(place.epoch),\"sequence\":\(place.sequence),\"data\":")
            finish(data, topic, &text)
        case .change(let sequence, let data):
            places[index]?.sequence = sequence
            begin("change", &text)
            text.writeString("{\(name),\"sequence\":\(sequence),\"data\":")
            finish(data, topic, &text)
        }
    }

    /// The id says where the client is with all of its things.
    private func begin(_ event: String, _ text: inout ByteBuffer) {
        let id = places.map { place in
            place.map { "\(String($0.epoch, radix: 36)).\(String($0.sequence, radix: 36))" } ?? ""
        }
        text.writeString("id: \(id.joined(separator: ","))\nevent: \(event)\ndata: ")
    }

    private func finish(_ data: [[UInt8]], _ topic: StreamTopic, _ text: inout ByteBuffer) {
        StreamEncoder.write(data, isList: topic.channel.conflation == .items, into: &text)
        text.writeString("}\n\n")
    }
}
