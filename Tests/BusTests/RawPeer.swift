import Bus
import Threads

/// A socket that obeys the test and nothing else, for what our own publisher and subscriber never do.
///
/// Its work runs on a thread of its own, because it blocks.
enum RawPeer {
    /// Connects as a publisher, waits for the broker's subscription, sends these messages, and then lets
    /// `body` go on with the connection open.
    static func publish(
        _ messages: [[[UInt8]]], on bus: TestBus, _ body: () async throws -> Void = {}
    ) async throws {
        let wakeup = try Wakeup()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (sent, signal) = AsyncStream.makeStream(of: Void.self)
            group.addTask {
                try await NamedThread.run(name: "raw-publish") { () throws(BusError) in
                    let socket = try BusSocket(.publisher, context: bus.context)
                    try socket.connect(bus.addresses.publish)
                    let frame = BusFrame()
                    wait(for: socket)
                    while case .nothingWaiting = socket.receive(into: frame) { wait(for: socket) }
                    for message in messages { send(message, to: socket, frame) }
                    signal.finish()
                    var poll = BusPoll(capacity: 1)
                    poll.add(wakeup)
                    poll.wait(milliseconds: -1)
                }
            }
            for await _ in sent {}
            do {
                try await body()
            } catch {
                wakeup.signal()
                throw error
            }
            wakeup.signal()
            try await group.waitForAll()
        }
    }

    /// Sends these frames to the state socket and returns the answers' frames up to the one that `isLast`
    /// says.
    static func ask(
        _ questions: [[[UInt8]]], on bus: TestBus, isLast: @escaping @Sendable ([[UInt8]]) -> Bool
    ) async throws -> [[[UInt8]]] {
        try await NamedThread.run(name: "raw-ask") { () throws(BusError) in
            let socket = try BusSocket(.stateClient, context: bus.context)
            try socket.connect(bus.addresses.state)
            let frame = BusFrame()
            for question in questions { send(question, to: socket, frame) }
            var answers: [[[UInt8]]] = []
            while answers.last.map(isLast) != true {
                var answer: [[UInt8]] = []
                repeat {
                    while case .nothingWaiting = socket.receive(into: frame) { wait(for: socket) }
                    answer.append(Array(frame.bytes))
                } while frame.hasMore
                answers.append(answer)
            }
            return answers
        }
    }

    private static func send(
        _ message: [[UInt8]], to socket: borrowing BusSocket, _ frame: borrowing BusFrame
    ) {
        for (index, part) in message.enumerated() {
            frame.fill(part)
            while socket.send(frame, more: index < message.count - 1) == .full {
                wait(for: socket, milliseconds: 1)
            }
        }
    }

    private static func wait(for socket: borrowing BusSocket, milliseconds: Int = -1) {
        var poll = BusPoll(capacity: 1)
        poll.add(socket)
        poll.wait(milliseconds: milliseconds)
    }
}
