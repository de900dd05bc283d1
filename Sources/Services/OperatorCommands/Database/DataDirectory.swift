import Glibc

/// Where `bitpal up` keeps its data unless it is told otherwise.
package enum DataDirectory {
    /// `$XDG_DATA_HOME/bitpal`, or `~/.local/share/bitpal`.
    ///
    /// Source: freedesktop.org, XDG Base Directory Specification 0.8: a relative path is to be ignored.
    package static var standard: String {
        if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/bitpal" }
        return (variable("HOME") ?? "/root") + "/.local/share/bitpal"
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}

extension DataDirectory {
    /// Where `bitpal up` keeps the keys that seal secrets.
    package static func keyFile(in directory: String) -> String { directory + "/accounts.key" }

    /// Makes a directory and what is missing above it.
    ///
    /// - Throws: ``CommandFailure`` naming what cannot be made.
    package static func make(_ path: String) throws {
        var status = stat()
        if stat(path, &status) == 0 { return }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex { try make(String(path[..<slash])) }
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
            throw CommandFailure(.failed, "cannot make \(path): \(String(cString: strerror(errno)))")
        }
    }
}
