import Glibc

/// Whom the broker lets in: the files of one folder, read again when any of them changes.
package struct AllowList: Sendable {
    /// A file as it was when it was read; another one has another of these.
    private struct Mark: Hashable {
        let name: String
        let inode: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    private static let suffix = ".pub"
    private static let limit = 1_024

    /// Where the files are.
    package let folder: String
    /// In the order of their names.
    package private(set) var clients: [AllowedClient] = []
    private var marks: [Mark] = []

    /// Reads the folder.
    ///
    /// - Throws: ``BusError/keysInvalid(path:reason:)`` for the first file that makes no sense.
    package init(folder: String) throws(BusError) {
        self.folder = folder
        marks = try Self.look(folder)
        clients = try Self.read(folder, marks)
    }

    /// Reads the folder again if something in it changed.
    ///
    /// What makes no sense changes nothing, and is thrown once for each change.
    ///
    /// - Returns: Whether there is another list.
    package mutating func refresh() throws(BusError) -> Bool {
        let marks = try Self.look(folder)
        guard marks != self.marks else { return false }
        self.marks = marks
        let clients = try Self.read(folder, marks)
        guard clients != self.clients else { return false }
        self.clients = clients
        return true
    }

    private static func read(_ folder: String, _ marks: [Mark]) throws(BusError) -> [AllowedClient] {
        var clients: [AllowedClient] = []
        var owners: [CurveKey: String] = [:]
        for mark in marks {
            let path = "\(folder)/\(mark.name)"
            let client = try AllowedClient(name: String(mark.name.dropLast(suffix.count)), file: path)
            for key in client.keys {
                if let other = owners.updateValue(client.name, forKey: key) {
                    throw .keysInvalid(path: path, reason: "\(other) has the same public key")
                }
            }
            clients.append(client)
        }
        return clients
    }

    /// The files as they are, by name.
    private static func look(_ folder: String) throws(BusError) -> [Mark] {
        var status = stat()
        guard let stream = opendir(folder) else {
            throw .keysInvalid(path: folder, reason: KeyText.reason())
        }
        defer { closedir(stream) }
        guard fstat(dirfd(stream), &status) == 0, status.st_mode & 0o022 == 0 else {
            throw .keysInvalid(path: folder, reason: "others may change it: chmod 755 it")
        }
        var marks: [Mark] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                // SAFETY: d_name ends in a zero within its 256 bytes.
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasSuffix(suffix), !name.hasPrefix("."), stat("\(folder)/\(name)", &status) == 0
            else { continue }
            marks.append(
                Mark(
                    name: name, inode: UInt(status.st_ino), size: Int(status.st_size),
                    seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec))
        }
        guard marks.count <= limit else {
            throw .keysInvalid(path: folder, reason: "it has more than \(limit) files")
        }
        return marks.sorted { $0.name < $1.name }
    }
}
