import Glibc

/// The few file operations that a cluster needs, without Foundation.
enum FileAccess {
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
    static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// Makes a directory and those above it; existing ones are left as they are.
    static func makeDirectories(_ path: String, mode: mode_t = 0o755) throws(ClusterError) {
        if path.isEmpty || path == "/" || exists(path) { return }
        try makeDirectories(parent(of: path))
        if mkdir(path, mode) != 0, errno != EEXIST { throw problem(path) }
    }

    static func parent(of path: String) -> String {
        let parts = path.split(separator: "/").dropLast()
        return (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    }

    /// The path without symbolic links; the path itself when it does not exist.
    static func resolved(_ path: String) -> String {
        guard let raw = realpath(path, nil) else { return path }
        defer { free(raw) }
        return String(cString: raw)
    }

    /// The file's first bytes as text; `nil` when it cannot be read.
    static func text(_ path: String, limit: Int = 64 << 10, fromEnd: Bool = false) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        if fromEnd {
            let size = lseek(descriptor, 0, Int32(SEEK_END))
            lseek(descriptor, max(0, size - limit), Int32(SEEK_SET))
        }
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = read(descriptor, &buffer, limit)
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    /// Replaces a file as a whole, on the disk when it returns.
    static func write(_ text: String, to path: String) throws(ClusterError) {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw problem(temporary) }
        let bytes = Array(text.utf8)
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        let failure = problem(temporary)
        close(descriptor)
        guard isWritten else { throw failure }
        if rename(temporary, path) != 0 { throw problem(path) }
        synchronize(parent(of: path))
    }

    /// Makes renames in a directory last.
    static func synchronize(_ directory: String) {
        let descriptor = open(directory, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    static func freeBytes(_ path: String) -> UInt64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// User and group that own a file; symbolic links are not followed.
    static func owner(_ path: String) -> (user: uid_t, group: gid_t, mode: mode_t)? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return (status.st_uid, status.st_gid, status.st_mode)
    }

    static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                // SAFETY: d_name is an array of 256 bytes that the system ends with NUL.
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    static func problem(_ path: String) -> ClusterError {
        let code = errno
        if code == ENOSPC || code == EDQUOT { return .diskFull(directory: parent(of: path)) }
        return .directory(path: path, problem: String(cString: strerror(code)))
    }
}
