import CPostgres
import Glibc
import Synchronization
import Threads

/// A thread with a connection that does nothing but LISTEN.
final class Listener: Sendable {
    /// How soon a reader that was too slow is offered ``ListenEvent/listening`` again.
    private static let offerInterval: Duration = .milliseconds(100)

    private let configuration: StoreConfiguration
    private let channels: [String]
    private let jitter: @Sendable () -> Double
    private let continuation: AsyncStream<ListenEvent>.Continuation
    private let signal: WakeSignal?
    private let end = Mutex<End>(End())

    private struct End {
        var isStopped = false
        var isOver = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private init(
        _ configuration: StoreConfiguration, _ channels: [String], _ jitter: @escaping @Sendable () -> Double,
        _ continuation: AsyncStream<ListenEvent>.Continuation
    ) {
        self.configuration = configuration
        self.channels = channels
        self.jitter = jitter
        self.continuation = continuation
        // Without a descriptor the stream ends at once, and its reader sees that.
        signal = try? WakeSignal()
    }

    static func make(
        _ configuration: StoreConfiguration, channels: [String], jitter: @escaping @Sendable () -> Double
    ) -> (ListenEvents, Listener) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ListenEvent.self, bufferingPolicy: .bufferingOldest(ListenEvents.capacity))
        let listener = Listener(configuration, channels, jitter, continuation)
        continuation.onTermination = { [weak listener] _ in listener?.stop() }
        return (ListenEvents(stream: stream), listener)
    }

    /// Starts the thread; the caller does so once.
    func start() {
        guard let signal else { return finish() }
        NamedThread.start(name: "postgres-listen") { [self] in
            run(signal)
            finish()
        }
    }

    /// Ends the thread and the sequence.
    func stop() {
        end.withLock { $0.isStopped = true }
        signal?.interrupt()
    }

    /// Suspends until the thread has ended.
    func ended() async {
        await withCheckedContinuation { continuation in
            let isOver = end.withLock { end in
                if !end.isOver { end.waiting.append(continuation) }
                return end.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    /// True when the thread has ended.
    var isOver: Bool { end.withLock { $0.isOver } }

    private var isStopped: Bool { end.withLock { $0.isStopped } }

    private func finish() {
        continuation.finish()
        let waiting = end.withLock { end in
            end.isOver = true
            defer { end.waiting = [] }
            return end.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    // MARK: The thread

    private func run(_ signal: WakeSignal) {
        var backoff = ConnectBackoff(bounds: configuration.reconnectDelay)
        while !isStopped {
            if let connection = connect(signal) {
                backoff.succeeded()
                follow(connection, signal)
                if !isStopped { continuation.yield(.lost) }
            }
            backoff.failed(at: .now, jitter: jitter())
            let pause = backoff.remaining(at: .now) ?? .milliseconds(1)
            if !isStopped { _ = waitForSocket(-1, events: 0, signal: signal, until: Deadline(after: pause)) }
        }
    }

    private func connect(_ signal: WakeSignal) -> Connection? {
        do throws(StoreError) {
            let connection = try Connection(configuration, signal: signal)
            let names = channels.map { "LISTEN \"\($0.replacing("\"", with: "\"\""))\"" }
            try connection.script(names.joined(separator: ";"), name: "LISTEN")
            return connection
        } catch {
            return nil
        }
    }

    private func follow(_ connection: Connection, _ signal: WakeSignal) {
        var mustReread = !offer(.listening)
        while !isStopped {
            let limit = mustReread ? Self.offerInterval : .zero
            let deadline = Deadline(after: limit)
            let socket = connection.socket
            if waitForSocket(socket, events: POLLIN, signal: signal, until: deadline) == .ready {
                connection.checkWhileIdle()
                if connection.isBroken { return }
            }
            while let notification = takeNotification(connection) {
                if !mustReread, !offer(notification) { mustReread = true }
            }
            if mustReread, offer(.listening) { mustReread = false }
        }
    }

    /// False when the reader's buffer is full.
    private func offer(_ event: ListenEvent) -> Bool {
        if case .dropped = continuation.yield(event) { false } else { true }
    }

    private func takeNotification(_ connection: Connection) -> ListenEvent? {
        guard let raw = PQnotifies(connection.handle) else { return nil }
        defer { PQfreemem(raw) }
        return .notification(
            channel: String(cString: raw.pointee.relname), payload: String(cString: raw.pointee.extra))
    }
}
