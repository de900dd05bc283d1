import Glibc
import Synchronization

/// Whether there is room where a database keeps its files, for what can be fetched again.
///
/// What stops for want of room begins again with a quarter more than the least, so that it does not come and
/// go with each file. Looking costs a system call.
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

    private let least: UInt64
    private let read: @Sendable () -> UInt64?
    private let isShort = Mutex(false)

    /// - Parameters:
    ///   - least: Bytes that stay free.
    ///   - read: How many are free; `nil` when nobody knows, and then there is room.
    package init(least: UInt64, read: @escaping @Sendable () -> UInt64?) {
        self.least = least
        self.read = read
    }

    /// Of the disk that a directory is on.
    package convenience init(least: UInt64, directory: String) {
        self.init(least: least) {
            var status = statvfs()
            guard statvfs(directory, &status) == 0 else { return nil }
            return UInt64(status.f_bavail) * UInt64(status.f_frsize)
        }
    }

    /// What is missing now; `nil` where there is room.
    package func shortage() -> Shortage? {
        guard let free = read() else { return nil }
        let enough = least + least / 4
        return isShort.withLock { isShort in
            isShort = free < (isShort ? enough : least)
            return isShort ? Shortage(free: free, enough: enough) : nil
        }
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
