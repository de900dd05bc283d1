/// Where a private cluster keeps its files.
package struct ClusterLocation: Sendable, Hashable {
    /// PostgreSQL's own data directory.
    package let dataDirectory: String
    /// Where the Unix socket is.
    package let socketDirectory: String
    /// What the server writes when something is wrong.
    package let logFile: String
    /// True when the wanted directory could not be reached by the user that the server runs as.
    package let isElsewhere: Bool

    /// The longest path that fits a socket address, without its final NUL.
    ///
    /// Source: unix(7).
    static let maximumSocketPath = 107

    init(dataDirectory: String, isElsewhere: Bool) {
        self.dataDirectory = dataDirectory
        self.isElsewhere = isElsewhere
        logFile = dataDirectory + "/server.log"
        let socket = "\(dataDirectory)/.s.PGSQL.\(PrivateCluster.port)"
        // libpq reads a comma as the end of one host's name.
        let isUsable =
            socket.utf8.count <= Self.maximumSocketPath && !dataDirectory.utf8.contains(UInt8(ascii: ","))
        socketDirectory = isUsable ? dataDirectory : "/tmp/bitpal-" + Self.shortName(of: dataDirectory)
    }

    /// Sixteen digits that stand for a path.
    static func shortName(of path: String) -> String { String(Checksum.of(path).prefix(16)) }

    var isInitialized: Bool { FileAccess.exists(dataDirectory + "/PG_VERSION") }
    var needsOwnSocketDirectory: Bool { socketDirectory != dataDirectory }
}
