import FoundationEssentials
import Logging
import NIOCore

/// The page's files, read once when the gateway starts.
///
/// What is served is what was read: a request names a file by the whole of its path, and no path of a request
/// is ever looked up on the disk.
package struct WebFolder: Sendable {
    struct File: Sendable {
        /// Its media type.
        var type: String
        /// As it is.
        var bytes: ByteBuffer
        /// In gzip; `nil` where that is no shorter.
        var packed: ByteBuffer?
        /// Of the bytes as they are.
        var tag: String
    }

    /// Most files, and most bytes of one and of all.
    private static let (countLimit, fileLimit, totalLimit) = (2_000, 4 << 20, 64 << 20)

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json", "webmanifest": "application/manifest+json",
        "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon", "woff2": "font/woff2",
        "txt": "text/plain; charset=utf-8",
    ]

    /// By path, such as `/app/main.js`.
    let files: [String: File]
    /// Where they were read from.
    let path: String

    /// Reads a folder.
    ///
    /// Left out: what begins with a dot, types that a page does not need, and names with other characters
    /// than letters, digits, `.`, `-` and `_`.
    ///
    /// - Throws: One line that says what is wrong.
    package init(path: String) throws(WebFolderFault) {
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: path) else {
            throw WebFolderFault(reason: "\(path) is not a folder that can be read")
        }
        var files: [String: File] = [:]
        var total = 0
        for name in names.sorted() {
            guard let type = Self.type(of: name), Self.isPlain(name) else { continue }
            guard let data = FileManager.default.contents(atPath: path + "/" + name) else {
                throw WebFolderFault(reason: "\(path)/\(name) cannot be read")
            }
            total += data.count
            guard data.count <= Self.fileLimit, total <= Self.totalLimit, files.count < Self.countLimit else {
                throw WebFolderFault(reason: "\(path) has too much in it, the last was \(name)")
            }
            let bytes = ByteBuffer(bytes: data)
            let packed = Self.isText(type) ? Gzip.compress(bytes, level: 9) : nil
            files["/" + name] = File(
                type: type, bytes: bytes,
                packed: packed.flatMap { $0.readableBytes < bytes.readableBytes ? $0 : nil },
                tag: AnswerFinish.tag(of: bytes))
        }
        self.files = files
        self.path = path
    }

    /// Finds the folder: the one that is configured, else `../share/bitpal/web` beside the executable, else
    /// the first `web` with an index.html on the way from the executable upwards.
    package static func find(configured: String?, executable: String) -> String? {
        if let configured { return configured }
        var folder = executable[...]
        guard let slash = folder.lastIndex(of: "/") else { return nil }
        folder = folder[..<slash]
        let installed = folder + "/../share/bitpal/web"
        if isPage(String(installed)) { return String(installed) }
        while let slash = folder.lastIndex(of: "/") {
            let candidate = folder + "/web"
            if isPage(String(candidate)) { return String(candidate) }
            folder = folder[..<slash]
        }
        return nil
    }

    /// The path of the running executable.
    package static var executable: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    }

    private static func isPage(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path + "/index.html")
    }

    private static func type(of name: String) -> String? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return types[String(name[name.index(after: dot)...])]
    }

    private static func isText(_ type: String) -> Bool {
        ["text/", "json", "svg"].contains { type.contains($0) }
    }

    private static func isPlain(_ name: String) -> Bool {
        name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            !part.isEmpty && !part.hasPrefix(".")
                && part.utf8.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                    default: false
                    }
                }
        }
    }
}

/// Why the page's files cannot be served.
package struct WebFolderFault: Error, Hashable {
    package var reason: String
}
