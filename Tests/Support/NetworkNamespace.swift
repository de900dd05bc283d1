import Foundation

/// A machine of its own behind a virtual cable, which can vanish without a word: a network namespace of the
/// kernel.
///
/// It needs the right to make one, as root has it.
package struct NetworkNamespace: Sendable {
    private static let tool = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Whether this process may make one; says so once on standard error when it may not.
    package static let isPermitted: Bool = {
        let probe = "bp-probe-\(getpid())"
        let isMade = (try? run(["netns", "add", probe])) != nil
        if isMade { _ = try? run(["netns", "del", probe]) }
        if !isMade {
            let text = "SKIPPED: network namespaces need root and `ip`: hosts that vanish are not tested\n"
            FileHandle.standardError.write(Data(text.utf8))
        }
        return isMade
    }()

    /// The address of the machine inside.
    package let address: String
    private let name: String
    /// Our end of the cable.
    private let outer: String
    /// What the cable is plugged into: it stays, so that nobody else is asked for the address meanwhile.
    private let bridge: String
    private let gateway: String

    /// A machine that is not there yet.
    ///
    /// - Parameter number: Tells those of one process apart, 0...63.
    package init(_ number: Int) {
        let process = Int(getpid())
        name = "bp-\(process)-\(number)"
        // At most fifteen characters.
        outer = "bpo\(process % 10_000_000)x\(number)"
        bridge = "bpb\(process % 10_000_000)x\(number)"
        let base = "10.213.\(process % 250)"
        gateway = "\(base).\(number * 4 + 1)"
        address = "\(base).\(number * 4 + 2)"
    }

    /// Makes the network that it belongs to.
    package func prepare() throws {
        try Self.run(["link", "add", bridge, "type", "bridge"])
        try Self.run(["addr", "add", "\(gateway)/30", "dev", bridge])
        try Self.run(["link", "set", bridge, "up"])
    }

    /// Connects it, with the same address each time.
    package func appear() throws {
        try Self.run(["netns", "add", name])
        try Self.run(["link", "add", outer, "type", "veth", "peer", "name", "inner", "netns", name])
        try Self.run(["link", "set", outer, "master", bridge])
        try Self.run(["link", "set", outer, "up"])
        try Self.run(["-n", name, "addr", "add", "\(address)/30", "dev", "inner"])
        try Self.run(["-n", name, "link", "set", "inner", "up"])
        try Self.run(["-n", name, "link", "set", "lo", "up"])
    }

    /// Cuts the cable: what is sent from now on is lost, in both directions.
    package func cut() throws { try Self.run(["-n", name, "link", "set", "inner", "down"]) }

    /// Takes it away, if it is there.
    package func vanish() {
        _ = try? Self.run(["netns", "del", name])
        _ = try? Self.run(["link", "del", outer])
    }

    /// Takes its network away as well.
    package func remove() {
        vanish()
        _ = try? Self.run(["link", "del", bridge])
    }

    /// Starts an executable of the build inside.
    package func start(_ executable: String, environment: [String: String], folder: String) throws
        -> ChildProcess
    {
        let path = ChildProcess.products.appendingPathComponent(executable).path
        return try ChildProcess(
            try Self.path(), arguments: ["netns", "exec", name, path], environment: environment,
            folder: folder)
    }

    private struct CannotRun: Error, CustomStringConvertible { var description: String }

    private static func path() throws -> String {
        guard let tool else { throw CannotRun(description: "there is no program `ip`") }
        return tool
    }

    private static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try path())
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let command = arguments.joined(separator: " ")
            throw CannotRun(description: "ip \(command) ended with \(process.terminationStatus)")
        }
    }
}
