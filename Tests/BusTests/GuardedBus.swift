import Bus
import BusBroker
import Support
import Threads

/// A broker that takes only who has a key, with a folder of keys of its own.
struct GuardedBus: Sendable {
    let folder: KeyFolder
    let addresses: BusAddresses

    /// Makes a folder with the broker's keys and those of these clients.
    static func keys(_ clients: [(String, BusRights)]) throws -> KeyFolder {
        let folder = KeyFolder(try TestDatabase.temporaryDirectory() + "/keys")
        try folder.make()
        for (name, rights) in clients { try folder.add(name, rights) }
        return folder
    }

    /// What a broker of this folder is told.
    static func configuration(
        _ folder: KeyFolder, at addresses: BusAddresses = .anyLoopbackPort
    ) throws -> BusBrokerConfiguration {
        var configuration = BusBrokerConfiguration(addresses: addresses)
        configuration.brokerKeys = try BrokerKeys(
            file: folder.keyFile(of: KeyFolder.broker), allowedFolder: nil)
        return configuration
    }

    /// Runs a broker with a folder for these clients while `body` runs.
    static func run(
        _ clients: [(String, BusRights)], _ body: (GuardedBus) async throws -> Void
    ) async throws {
        let folder = try keys(clients)
        try await TestBus.run(try configuration(folder)) { bus in
            try await body(GuardedBus(folder: folder, addresses: bus.addresses))
        }
    }

    /// The bus as a client sees it, with the keys that are in its file now.
    func client(_ name: String) throws -> TestBus {
        try TestBus(context: BusContext(keys: keys(of: name)), addresses: addresses)
    }

    /// What is in a client's file now.
    func keys(of name: String) throws -> BusKeys { try BusKeys(file: folder.keyFile(of: name)) }

    /// How the broker's state socket takes somebody who comes with these keys.
    func outcome(of keys: BusKeys?) async throws -> HandshakeWatch.Outcome {
        let address = addresses.state
        return try await NamedThread.run(name: "handshake") { () throws(BusError) in
            let context = try BusContext(keys: keys)
            let socket = try BusSocket(.stateClient, context: context)
            let watch = try HandshakeWatch(of: socket, in: context)
            try socket.connect(address)
            return Self.next(of: watch)
        }
    }

    /// Waits for what becomes of a connection.
    static func next(of watch: HandshakeWatch) -> HandshakeWatch.Outcome {
        var poll = BusPoll(capacity: 1)
        watch.join(&poll)
        while true {
            if let outcome = watch.next() { return outcome }
            poll.wait(milliseconds: -1)
        }
    }
}
