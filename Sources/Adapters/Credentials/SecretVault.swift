import Accounts
import Glibc
import Synchronization

/// The file with the keys that seal, as long as the process runs.
///
/// It follows the file: a key that an operator adds seals from then on, without a restart. Whoever asks it to
/// open something that does not open is an alarm: told to who made it, and counted.
package final class SecretVault: Sendable {
    /// Where the file is.
    package let path: String
    private let alarm: @Sendable (SealingFault) -> Void
    private let state: Mutex<State>

    private struct State {
        var keys: SealingKeys
        var version: Version
        var failures: UInt64 = 0
    }

    /// What changes with the file.
    private struct Version: Hashable {
        var device: UInt
        var file: UInt
        /// Bytes.
        var size: Int
        var seconds: Int
        var nanoseconds: Int
    }

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - path: Its folder exists.
    ///   - isMade: Whether it is made with a new key when it is not there. Several processes may do so at
    ///     once: all read the same.
    ///   - alarm: Told of each secret that does not open; one line, never a secret.
    /// - Throws: ``SealingFault`` when it cannot be read or made, or others than its owner may read it,
    ///   unless they do not get into its folder, or it is a container's secret.
    package init(
        file path: String, isMade: Bool = true, alarm: @escaping @Sendable (SealingFault) -> Void = { _ in }
    ) throws(SealingFault) {
        if isMade { try KeyFile.make(path) }
        let (keys, version) = try Self.read(path)
        self.path = path
        self.alarm = alarm
        state = Mutex(State(keys: keys, version: version))
    }

    /// Secrets that did not open since the start.
    package var failures: UInt64 { state.withLock { $0.failures } }

    /// The keys as the file has them now; the last ones that could be read while it cannot.
    package var keys: SealingKeys {
        state.withLock { state in
            if let found = try? Self.version(path), found != state.version,
                let (keys, version) = try? Self.read(path)
            {
                (state.keys, state.version) = (keys, version)
            }
            return state.keys
        }
    }

    /// As ``SealingKeys/seal(_:for:)``.
    package func seal(_ bytes: [UInt8], for place: SealingContext) throws(SealingFault) -> [UInt8] {
        try keys.seal(bytes, for: place)
    }

    /// As ``SealingKeys/open(_:for:)``, and an alarm where it throws.
    package func open(_ sealed: [UInt8], for place: SealingContext) throws(SealingFault) -> [UInt8] {
        do throws(SealingFault) {
            return try keys.open(sealed, for: place)
        } catch {
            state.withLock { $0.failures += 1 }
            alarm(error)
            throw error
        }
    }

    private static func read(_ path: String) throws(SealingFault) -> (SealingKeys, Version) {
        let version = try version(path)
        return (try SealingKeys(lines: try KeyFile.text(path)), version)
    }

    private static func version(_ path: String) throws(SealingFault) -> Version {
        var status = stat()
        guard stat(path, &status) == 0 else { throw KeyFile.fault(path, "cannot be read") }
        return Version(
            device: status.st_dev, file: status.st_ino, size: status.st_size, seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }
}
