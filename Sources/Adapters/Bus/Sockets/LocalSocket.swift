import Glibc

/// A Unix socket's path, looked at before ZeroMQ binds it: ZeroMQ removes whatever lies there.
struct LocalSocket {
    let path: String

    /// Makes sure that the directory is its owner's alone and that nobody listens at the path.
    func checkBindable(_ address: String) throws(BusError) {
        guard let slash = path.lastIndex(of: "/") else {
            throw .addressInvalid(address, reason: "the path of an ipc address must be absolute")
        }
        let directory = slash == path.startIndex ? "/" : String(path[..<slash])
        var status = stat()
        guard stat(directory, &status) == 0 else {
            throw .addressInvalid(address, reason: "the directory \(directory) does not exist")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw .addressInvalid(address, reason: "the directory \(directory) must have mode 0700")
        }
        if isListenedTo { throw .addressInUse(address) }
    }

    private var isListenedTo: Bool {
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: place.sun_path) else { return false }
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // SAFETY: a sockaddr_un is passed as the sockaddr that it begins with, with its true size.
        return withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
