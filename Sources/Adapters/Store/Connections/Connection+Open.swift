import CPostgres
import Glibc

extension Connection {
    /// Connects within the configured time.
    static func connect(
        _ configuration: StoreConfiguration, _ signal: WakeSignal
    ) throws(StoreError) -> OpaquePointer {
        guard let handle = start(ConnectionOptions.effective(configuration)) else {
            throw .connectFailed(reason: "out of memory", retryAfter: .seconds(1))
        }
        if let error = poll(handle, configuration, signal) {
            PQfinish(handle)
            throw error
        }
        return handle
    }

    /// Source: PostgreSQL manual 15, 34.1, "PQconnectPoll": first wait as if it had asked to write.
    private static func poll(
        _ handle: OpaquePointer, _ configuration: StoreConfiguration, _ signal: WakeSignal
    ) -> StoreError? {
        guard PQstatus(handle) != CONNECTION_BAD else { return failure(handle, configuration) }
        let deadline = Deadline(after: configuration.connectTimeout)
        var events = POLLOUT
        while true {
            switch waitForSocket(PQsocket(handle), events: events, signal: signal, until: deadline) {
            case .ready: break
            case .woken:
                signal.drain()
                if signal.isInterrupted { return .cancelled }
                continue
            case .timedOut:
                let reason = "no answer within \(configuration.connectTimeout) (\(configuration.description))"
                return .connectFailed(reason: reason, retryAfter: configuration.reconnectDelay.lowerBound)
            }
            switch PQconnectPoll(handle) {
            case PGRES_POLLING_OK: return nil
            case PGRES_POLLING_READING: events = POLLIN
            case PGRES_POLLING_WRITING: events = POLLOUT
            default: return failure(handle, configuration)
            }
        }
    }

    private static func failure(_ handle: OpaquePointer, _ configuration: StoreConfiguration) -> StoreError {
        let reason = ConnectionOptions.firstLine(of: String(cString: PQerrorMessage(handle)))
        return .connectFailed(reason: reason, retryAfter: configuration.reconnectDelay.lowerBound)
    }

    private static func start(_ options: [String: String]) -> OpaquePointer? {
        let sorted = options.sorted { $0.key < $1.key }
        let keywords = sorted.map { strdup($0.key) }
        let values = sorted.map { strdup($0.value) }
        // SAFETY: libpq copies the strings and wants both arrays to end with NULL; both live past the call.
        defer { for string in keywords + values { free(string) } }
        let keywordPointers = keywords.map { UnsafePointer($0) } + [nil]
        let valuePointers = values.map { UnsafePointer($0) } + [nil]
        return PQconnectStartParams(keywordPointers, valuePointers, 0)
    }
}
