extension OutgoingRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method, the host and the size: paths, headers and bodies hold keys of users.
    package var description: String {
        let slashes = url.utf8.indices.filter { url.utf8[$0] == 0x2F }
        let origin = slashes.count > 2 ? url[..<slashes[2]] : url[...]
        return "\(method) \(origin.prefix { $0 != "?" }) (\(body.count) bytes)"
    }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
