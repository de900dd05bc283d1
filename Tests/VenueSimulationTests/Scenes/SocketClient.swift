import Instruments
import MarketData
import NIOCore
import NIOPosix
import Support
import Testing
import Venues
import Web

/// One of our own venue sessions as the client of a simulator over real sockets.
actor SocketClient {
    private enum Input: Sendable {
        case opened(Int, WebSocketConnection)
        case messages(Int, [[UInt8]])
        case answered(VenueRequest, status: Int, body: [UInt8])
        case tick
    }

    private var session: any VenueSession
    private var output = VenueOutput()
    private var sockets: [Int: WebSocketConnection] = [:]
    private let compression: VenueCompression
    private let http = HTTPClient()
    private let inputs: AsyncStream<Input>
    private let feed: AsyncStream<Input>.Continuation
    private(set) var trades = 0

    init(_ configuration: VenueConfiguration) {
        session = configuration.makeSession()
        compression = configuration.description.compression
        (inputs, feed) = AsyncStream.makeStream()
    }

    func book(_ symbol: String) -> Book? {
        guard let index = session.registry.find(symbol), session.state(of: index) == .live else { return nil }
        return session.book(of: index)
    }

    /// Connects, subscribes and takes what comes until a condition holds; the suite's time limit ends it, too.
    func run(until isDone: @Sendable (isolated SocketClient) throws -> Bool) async throws {
        session.start(at: now, into: &output)
        obey()
        // The program's own tick: time acts by it alone.
        let ticking = MultiThreadedEventLoopGroup.singleton.next().scheduleRepeatedTask(
            initialDelay: .milliseconds(100), delay: .milliseconds(100)
        ) { [feed] _ in feed.yield(.tick) }
        defer { ticking.cancel() }
        for await input in inputs {
            take(input)
            if try isDone(self) { break }
        }
        for socket in sockets.values { socket.close() }
    }

    private var now: Timestamp {
        Timestamp(nanoseconds: Int64(clamping: NIODeadline.now().uptimeNanoseconds))
    }

    private func take(_ input: Input) {
        switch input {
        case .opened(let connection, let socket):
            sockets[connection] = socket
            session.opened(connection: connection, at: now, into: &output)
        case .messages(let connection, let messages):
            for message in messages {
                message.withUnsafeBytes {
                    session.receive($0, connection: connection, at: now, into: &output)
                }
            }
        case .answered(let request, let status, let body):
            body.withUnsafeBytes {
                session.responded(to: request, status: status, body: $0, at: now, into: &output)
            }
        case .tick: session.tick(at: now, into: &output)
        }
        obey()
    }

    /// Does what the session wants.
    private func obey() {
        trades += output.events.count { if case .trade = $0 { true } else { false } }
        let actions = output.actions
        output.removeAll()
        for action in actions {
            switch action {
            case .open(let connection, let url): open(connection, url)
            case .send(let connection, let text): sockets[connection]?.send(text: text)
            case .ping(let connection): sockets[connection]?.ping()
            case .request(let request): ask(request)
            // A recording that waits for a busy machine is silent, and no reason to go.
            case .reconnect: break
            }
        }
    }

    private func open(_ connection: Int, _ url: String) {
        var configuration = WebSocketConfiguration()
        // What plays makes the images of hundreds of books between two connections.
        configuration.openDeadline = .seconds(300)
        switch compression {
        case .none: break
        case .gzip: configuration.makeTransform = MessagePacking.gzip.makeTransform
        case .deflate: configuration.makeTransform = MessagePacking.deflate.makeTransform
        }
        Task { [feed, configuration] in
            do {
                let socket = try await WebSocketConnection.connect(
                    to: url, on: MultiThreadedEventLoopGroup.singleton.next(), configuration: configuration
                ) { batch in
                    let messages = (0..<batch.count).map { batch.withMessage($0) { Array($0) } }
                    feed.yield(.messages(connection, messages))
                    return .more
                }
                feed.yield(.opened(connection, socket))
                socket.resume()
            } catch {
                Issue.record("\(url): \(error)")
                feed.finish()
            }
        }
    }

    private func ask(_ request: VenueRequest) {
        Task { [feed, http] in
            let body = request.body.map { Array($0.utf8) }
            let answer = try? await http.send(body == nil ? "GET" : "POST", request.url, body: body)
            feed.yield(.answered(request, status: answer?.status ?? 0, body: answer?.body ?? []))
        }
    }
}
