import Glibc
package import Logging
import Synchronization

/// Whether there is room where a database keeps its files, for what can be fetched again.
///
/// What stops for want of room begins again with a quarter more than the least, so that it does not come and
/// go with each file. Looking costs a system call, and asks for no right to the directory itself: it may be
/// another user's, who lists it to nobody, but whoever looks must be able to get there.
///
/// What nobody knows stops nothing, and is said, see ``report(to:_:)``.
package final class DiskRoom: Sendable {
    /// Too few bytes are free.
    package struct Shortage: Hashable, Sendable, CustomStringConvertible {
        package let free: UInt64
        /// So many are enough.
        package let enough: UInt64

        /// One line for a person.
        package var description: String {
            "the disk is nearly full: \(free >> 20) MiB are free where PostgreSQL keeps its files, and "
                + "\(enough >> 20) MiB are needed"
        }
    }

    /// What a look found.
    private enum Reading {
        case free(UInt64)
        case unknown(String)
    }

    /// Whom it is told, and what they know.
    private struct Telling {
        var health: HealthRegistry?
        var logger: Logger?
        var unknown: String?
    }

    private let least: UInt64
    private let read: @Sendable () -> Reading
    private let isShort = Mutex(false)
    private let telling = Mutex(Telling())

    private init(atLeast least: UInt64, reading: @escaping @Sendable () -> Reading) {
        self.least = least
        read = reading
    }

    /// - Parameters:
    ///   - least: Bytes that stay free.
    ///   - read: How many are free; `nil` when nobody knows.
    package convenience init(least: UInt64, read: @escaping @Sendable () -> UInt64?) {
        self.init(atLeast: least) { read().map(Reading.free) ?? .unknown("nobody says") }
    }

    /// Of the disk that a directory is on.
    package convenience init(least: UInt64, directory: String) {
        self.init(atLeast: least) {
            var status = statvfs()
            guard statvfs(directory, &status) == 0 else {
                return .unknown("\(directory): \(String(cString: strerror(errno)))")
            }
            // File systems of the kernel's own, and those without a bound, count no blocks.
            guard status.f_blocks > 0 else { return .unknown("\(directory) is on no disk that has a size") }
            return .free(UInt64(status.f_bavail) * UInt64(status.f_frsize))
        }
    }

    /// Why nobody knows now how much is free; `nil` where that is known.
    package func unknown() -> String? {
        guard case .unknown(let reason) = look() else { return nil }
        return reason
    }

    /// What is missing now; `nil` where there is room, or nobody knows.
    package func shortage() -> Shortage? {
        guard case .free(let free) = look() else { return nil }
        let enough = least + least / 4
        return isShort.withLock { isShort in
            isShort = free < (isShort ? enough : least)
            return isShort ? Shortage(free: free, enough: enough) : nil
        }
    }

    /// Says from now on when nobody knows how much is free, and when that is known again.
    ///
    /// In the log once, and in `/health/fresh` as long as it lasts. It stands in the way of nothing, so the
    /// process stays ready.
    package func report(to health: HealthRegistry, _ logger: Logger) {
        telling.withLock { $0 = Telling(health: health, logger: logger) }
        _ = look()
    }

    private func look() -> Reading {
        let reading = read()
        let reason: String? = if case .unknown(let reason) = reading { reason } else { nil }
        let (before, health, logger) = telling.withLock { telling in
            defer { telling.unknown = reason }
            return (telling.unknown, telling.health, telling.logger)
        }
        guard before != reason, let health else { return reading }
        let component = health.component("database-disk")
        component.setReady(true)
        let trouble = reason.map { "how much is free where PostgreSQL keeps its files is unknown: \($0)" }
        component.setFresh(reason == nil, trouble ?? "")
        if let trouble {
            logger?.warning("Nobody notices when the disk is full", metadata: ["why": "\(trouble)"])
        } else {
            logger?.notice("How much is free where PostgreSQL keeps its files is known again")
        }
        return reading
    }
}

extension DiskRoom {
    /// Where PostgreSQL keeps its files.
    ///
    /// - Parameters:
    ///   - settings: Those that all processes share.
    ///   - standard: The directory where none is configured; `nil` for none.
    /// - Returns: `nil` where nobody looks.
    package static func ofDatabase(_ settings: Settings, orIn standard: String? = nil) -> DiskRoom? {
        let least = settings[SharedSettings.databaseLeastFree]
        guard least > 0, let directory = settings[SharedSettings.databaseDirectory] ?? standard else {
            return nil
        }
        return DiskRoom(least: UInt64(least) << 20, directory: directory)
    }
}
