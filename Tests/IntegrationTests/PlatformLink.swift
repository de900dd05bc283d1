import Foundation
import Support
import Testing

/// The roads of one process to bus and PostgreSQL, which a test cuts.
final class PlatformLink {
    /// The first port of the bus, as the process sees it.
    let base: UInt16
    /// The database, as the process sees it.
    let url: String
    private let bus: [CuttableProxy]
    private let server: CuttableProxy

    /// - Parameters:
    ///   - bus: The bus's first port.
    ///   - directory: Where the server has its socket.
    /// - Throws: When there is no server, or no port.
    init(toBus bus: UInt16, toServerIn directory: String) throws {
        let own = try FreePorts.run(of: 4)
        base = own
        self.bus = try (0..<3).map { try CuttableProxy(port: own + $0, to: .port(bus + $0)) }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        let socket = try #require(names.first { $0.hasPrefix(".s.PGSQL.") && !$0.hasSuffix(".lock") })
        server = try CuttableProxy(port: own + 3, to: .path("\(directory)/\(socket)"))
        url = "postgresql://bitpal@127.0.0.1:\(own + 3)/bitpal?connect_timeout=60"
    }

    /// What a partition takes away.
    enum Part: CaseIterable { case bus, server, everything }

    func cut(_ part: Part) { for road in roads(part) { road.cut() } }

    func heal() { for road in roads(.everything) { road.heal() } }

    func close() { for road in roads(.everything) { road.close() } }

    private func roads(_ part: Part) -> [CuttableProxy] {
        switch part {
        case .bus: bus
        case .server: [server]
        case .everything: bus + [server]
        }
    }
}
