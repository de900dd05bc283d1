import Alerting
import Channels
import Glibc

/// The time zones of this system.
enum ZoneDirectory {
    private static let directory = "/usr/share/zoneinfo/"
    /// More than the longest of them.
    private static let sizeLimit = 64 << 10

    /// A zone by its name, such as `Europe/Berlin`; `nil` for one that the system does not know.
    static func zone(_ name: String) -> ZoneOffsets? {
        // Only below the directory: no dot leads up, no slash to the root.
        let isName = name.utf8.allSatisfy { byte in
            switch byte {
            case 0x2B, 0x2D, 0x2F, 0x5F, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: false
            }
        }
        guard isName, !name.isEmpty, name.utf8.first != 0x2F, name.utf8.count <= 64 else { return nil }
        guard let file = fopen(directory + name, "rbe") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: sizeLimit)
        let count = fread(&bytes, 1, bytes.count, file)
        return ZoneOffsets(name: name, zoneFile: Array(bytes.prefix(count)))
    }
}
