package import Alerting
import Glibc

/// The time zones that a system has, by name.
package struct ZoneDirectory: Sendable {
    /// Where the compiled zones lie.
    let path: String

    /// Those of this machine.
    package static let system = ZoneDirectory(path: "/usr/share/zoneinfo")

    /// No compiled zone is nearly as large.
    private static let limit = 1 << 20

    /// The offsets of a zone; `nil` when the system does not know it.
    package func offsets(of name: String) -> ZoneOffsets? {
        guard name != "UTC" else { return .utc }
        let isName = name.utf8.allSatisfy { byte in
            byte == 0x2F || byte == 0x5F || byte == 0x2B || byte == 0x2D || (0x30...0x39).contains(byte)
                || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        guard isName, !name.isEmpty, !name.hasPrefix("/"), let bytes = read("\(path)/\(name)") else {
            return nil
        }
        return ZoneOffsets(name: name, zoneFile: bytes)
    }

    private func read(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < Self.limit {
            let count = Glibc.read(descriptor, &part, part.count)
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += part[..<count]
        }
        return nil
    }
}
