/// How a private cluster's server runs.
package struct ClusterSettings: Sendable, Hashable {
    /// False only for data that nobody needs after a crash, as in tests.
    package var isDurable: Bool
    /// Connections that the server takes, 10...1000.
    package var maximumConnections: Int
    /// Memory for the server's page cache, in MB.
    package var sharedMegabytes: Int

    /// For people's data: every commit is on the disk.
    package static let durable = ClusterSettings(
        isDurable: true, maximumConnections: 60, sharedMegabytes: 128)
    /// For tests: fast, and lost with a crash of the machine.
    package static let throwaway = ClusterSettings(
        isDurable: false, maximumConnections: 200, sharedMegabytes: 128)

    /// The server's configuration, which our file adds to the one of `initdb`.
    func text(socketDirectory: String) -> String {
        // A list of directories, each quoted, inside a quoted value.
        let directory = socketDirectory.replacing("\"", with: "\"\"").replacing("'", with: "''")
        return """
            # Written by bitpal at every start; changes are lost.
            listen_addresses = ''
            port = \(PrivateCluster.port)
            unix_socket_directories = '"\(directory)"'
            unix_socket_permissions = 0700
            max_connections = \(maximumConnections)
            shared_buffers = \(sharedMegabytes)MB
            fsync = \(isDurable)
            synchronous_commit = \(isDurable)
            full_page_writes = \(isDurable)
            max_wal_size = 512MB
            # Disks without a head: reading here and there costs little more than in order.
            random_page_cost = 1.1
            jit = off
            timezone = 'UTC'
            log_timezone = 'UTC'
            logging_collector = off
            log_destination = 'stderr'
            log_checkpoints = off
            log_min_messages = warning
            cluster_name = 'bitpal'

            """
    }
}
