import Instruments
import NIOCore
import Recordings
import ServiceLifecycle
import Venues
import Web

/// Follows a venue with its own session and writes every raw frame into a recording.
///
/// It lives on the event loop of its connections, so that frames are written in the order in which they came.
/// What the session wants done goes through a bounded stream to tasks of its own.
actor VenueRecorder: Service {
    private let loop: any EventLoop
    private let http = HTTPClient()
    private let writer: RecordingWriter
    private let limit: Duration?
    private let ping: VenuePing
    private let webSocket: WebSocketConfiguration
    private var session: any VenueSession
    private var output = VenueOutput()
    private var connections: [Int: WebSocketConnection] = [:]
    private var addresses: [Int: String] = [:]
    /// The recording's number of each open connection; 1 is REST.
    private var numbers: [Int: Int] = [:]
    private var nextNumber = 2
    /// Whether the session asked for the right to connect, which the query of an address then holds.
    private var hidesQueries = false
    private var isEnding = false
    private var lastError: String?
    /// Why the file could not be written any further.
    private(set) var fault: CommandFailure?
    private var lastTime = Timestamp.zero
    private let actions: AsyncStream<VenueAction>
    private let act: AsyncStream<VenueAction>.Continuation

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// Records for `limit`, or without end where it is `nil`.
    init(
        _ configuration: VenueConfiguration, writer: RecordingWriter, limit: Duration?, loop: any EventLoop
    ) {
        ping = configuration.description.ping
        // What is written is the text, as a replay of the venue reads it.
        webSocket = WebSocketConfiguration(
            makeTransform: configuration.description.compression.packing?.makeTransform)
        session = configuration.makeSession()
        self.writer = writer
        self.limit = limit
        self.loop = loop
        (actions, act) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(4_096))
    }

    /// The session that saw the same frames; its books are what a replay must give.
    var replica: any VenueSession { session }

    /// Lines written, and what went wrong last.
    var outcome: (records: Int, lastError: String?) { (writer.header.records, lastError) }

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await record()
        } onGracefulShutdown: {
            self.act.finish()
        }
    }

    private func record() async throws {
        let (actions, limit) = (actions, limit)
        session.start(at: .now, into: &output)
        try take()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // The shutdown ends the stream, and with it the recording.
                try await withThrowingDiscardingTaskGroup { tasks in
                    for await action in actions { tasks.addTask { try await self.perform(action) } }
                    tasks.cancelAll()
                }
            }
            group.addTask { try await self.tick() }
            if let limit { group.addTask { try await Task.sleep(for: limit) } }
            defer { group.cancelAll() }
            try await group.next()
        }
        isEnding = true
        for connection in connections.values { connection.close() }
        try finish()
    }

    private func finish() throws {
        do throws(RecordingError) { try writer.finish() } catch {
            throw CommandFailure(.failed, error.description)
        }
    }

    private func write(_ entry: RecordingEntry) throws {
        // What came with the answer to the upgrade is read after our subscriptions were sent; lines keep to
        // the order of time all the same, since whoever plays them relies on it.
        var entry = entry
        entry.time = max(entry.time, lastTime)
        lastTime = entry.time
        do throws(RecordingError) {
            try writer.write(entry)
        } catch {
            guard case .notText = error else { throw CommandFailure(.failed, error.description) }
            // One frame that is no text does not end a recording of hours.
            lastError = "a frame that is no text was left out"
        }
    }

    // MARK: - The session

    private func tick() async throws {
        while true {
            try await Task.sleep(for: .milliseconds(100))
            session.tick(at: .now, into: &output)
            try take()
        }
    }

    /// Does at once what can be done at once, and hands on the rest.
    private func take() throws {
        let actions = output.actions
        output.removeAll()
        for action in actions {
            switch action {
            case .send(let connection, let text):
                guard let open = connections[connection], let number = numbers[connection] else { continue }
                guard case .accepted = open.send(text: text) else {
                    // A subscription that was not sent would be missed for ever.
                    open.close(reason: "too much is waiting to be sent")
                    continue
                }
                try write(
                    RecordingEntry(
                        time: .now, connection: number, kind: .ws, direction: .out, data: Array(text.utf8)))
            case .ping(let connection): connections[connection]?.ping()
            case .reconnect(let connection, let reason):
                guard let open = connections[connection] else { continue }
                let isAlive = ping == .frame && open.silence < .seconds(11)
                if !isAlive { open.close(reason: reason) }
            case .open, .request: act.yield(action)
            }
        }
    }

    private func perform(_ action: VenueAction) async throws {
        switch action {
        case .open(let connection, let url):
            // Of a connection that there is already, where it is opened the next time.
            guard addresses.updateValue(url, forKey: connection) == nil else { return }
            try await keepOpen(connection)
        case .request(let request): try await ask(request)
        case .send, .ping, .reconnect: break
        }
    }

    private func ask(_ request: VenueRequest) async throws {
        var status = 0
        var body: [UInt8] = []
        do throws(WebError) {
            let response = try await send(request)
            (status, body) = (response.status, response.body)
        } catch {
            lastError = error.description
        }
        let now = Timestamp.now
        // The right to connect is nobody's but ours.
        if request.purpose == .connection { hidesQueries = true }
        if status == 200, request.purpose != .connection {
            try write(
                RecordingEntry(
                    time: now, connection: 1, kind: .http, direction: .in, url: request.url, data: body))
        }
        body.withUnsafeBytes {
            session.responded(to: request, status: status, body: $0, at: now, into: &output)
        }
        try take()
    }

    private func send(_ request: VenueRequest) async throws(WebError) -> HTTPResponse {
        guard let body = request.body else { return try await http.get(request.url) }
        return try await http.send(
            "POST", request.url, headers: [("Content-Type", "application/json")], body: Array(body.utf8))
    }

    // MARK: - Connections

    /// Connects, and connects again with growing pauses, until the recording ends.
    private func keepOpen(_ connection: Int) async throws {
        var backoff = Backoff()
        var random = SystemRandomNumberGenerator()
        while !Task.isCancelled, let url = addresses[connection] {
            let start = Timestamp.now
            var isHealthy = false
            do throws(WebError) {
                let socket = try await WebSocketConnection.connect(
                    to: url, on: loop, configuration: webSocket
                ) { batch in
                    self.assumeIsolated { $0.receive(batch, connection) } ? .more : .pause
                }
                isHealthy = true
                try await follow(socket, connection, url)
            } catch {
                lastError = error.description
            }
            let health = isHealthy ? Timestamp.now.nanoseconds(since: start) : 0
            let wait = backoff.delay(afterHealthy: health, atLeast: 0, using: &random)
            try await Task.sleep(for: .nanoseconds(wait))
        }
    }

    private func follow(_ socket: WebSocketConnection, _ connection: Int, _ url: String)
        async throws(WebError)
    {
        let now = Timestamp.now
        connections[connection] = socket
        numbers[connection] = nextNumber
        let shown = hidesQueries ? String(url.prefix { $0 != "?" }) : url
        do {
            try write(
                RecordingEntry(time: now, connection: nextNumber, kind: .ws, direction: .open, url: shown))
            nextNumber += 1
            session.opened(connection: connection, at: now, into: &output)
            try take()
        } catch {
            end(error)
        }
        socket.resume()
        let closure = await socket.closed()
        connections[connection] = nil
        session.closed(connection: connection, at: .now, into: &output)
        do { try take() } catch { end(error) }
        if case .failed(let error) = closure, !isEnding { lastError = error.description }
    }

    /// Takes a burst of frames; answers false when nothing can be written any more.
    private func receive(_ batch: WebSocketBatch, _ connection: Int) -> Bool {
        guard !isEnding, let number = numbers[connection] else { return false }
        let time = Timestamp(nanoseconds: batch.receivedNanoseconds)
        do {
            for index in 0..<batch.count {
                try write(
                    RecordingEntry(
                        time: time, connection: number, kind: .ws, direction: .in, data: batch.copy(index)))
                batch.withMessage(index) {
                    session.receive($0, connection: connection, at: time, into: &output)
                }
            }
            try take()
            return true
        } catch {
            end(error)
            return false
        }
    }

    /// Ends the recording after a fault of the file.
    private func end(_ error: any Error) {
        fault = CommandFailure(error)
        isEnding = true
        act.finish()
    }
}
