import Glibc
import Logging

/// Logs to standard error, one line an event.
struct LogfmtHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel: Logger.Level
    private let service: String
    private let clock: @Sendable () -> Int64
    private let write: @Sendable (String) -> Void

    init(
        service: String, level: Logger.Level, clock: @escaping @Sendable () -> Int64 = DayClock.nanoseconds,
        write: @escaping @Sendable (String) -> Void = StandardError.write
    ) {
        self.service = service
        self.clock = clock
        self.write = write
        logLevel = level
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var merged = metadata
        if let provided = metadataProvider?.get() { merged.merge(provided) { _, newer in newer } }
        if let own = event.metadata { merged.merge(own) { _, newer in newer } }
        write(
            LogLine.format(
                time: clock(), level: event.level, service: service, message: "\(event.message)",
                error: event.error.map { "\($0)" }, metadata: merged))
    }
}

/// The process's standard error.
enum StandardError {
    /// Writes a line in one call, so that lines of different threads do not mix.
    static func write(_ line: String) {
        var line = line
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                // Nobody can be told that standard error is gone.
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}

/// The machine's clocks.
enum DayClock {
    /// Nanoseconds since 1970-01-01 UTC.
    static func nanoseconds() -> Int64 { read(CLOCK_REALTIME) }

    /// Nanoseconds of a clock that never steps.
    static func monotonic() -> Int64 { read(CLOCK_MONOTONIC) }

    /// Nanoseconds that all threads of this process have run.
    static func processor() -> Int64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var now = timespec()
        clock_gettime(clock, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
