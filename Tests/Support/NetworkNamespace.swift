import Foundation

/// A machine of its own as far as the network goes: a network namespace of the kernel.
///
/// Nothing of it shows in the network of the machine that runs the tests: browsers beside them start anew
/// when a device appears there. To make one takes the rights of root, and `ip`.
package struct NetworkNamespace: Sendable {
    private static let tool = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    private static let mark = "bp-"
    /// Where `ip netns` keeps their names, and what it lays over `/etc` for the programs in each.
    private static let (names, etc) = ("/run/netns", "/etc/netns")

    /// Whether this process may make one; says so once on standard error when it may not.
    package static let isPermitted: Bool = {
        removeOrphans()
        let probe = NetworkNamespace("probe")
        defer { probe.remove() }
        if (try? probe.make()) != nil { return true }
        let text = "SKIPPED: network namespaces need root and `ip` (iproute2): no host vanishes in a test\n"
        FileHandle.standardError.write(Data(text.utf8))
        return false
    }()

    /// What the kernel calls it.
    package let name: String
    /// What stands for it among the files.
    var file: String { "\(Self.names)/\(name)" }
    private var files: String { "\(Self.etc)/\(name)" }

    /// A machine that is not there yet.
    ///
    /// - Parameter suffix: Tells those of one process apart.
    package init(_ suffix: String) { name = "\(Self.mark)\(getpid())-\(suffix)" }

    private init(name: String) { self.name = name }

    /// Makes it; it has its own loopback and no other network.
    package func make() throws {
        try Self.ip(["netns", "add", name])
        try ip(["link", "set", "lo", "up"])
    }

    /// Takes it away with all that runs in it, if it is there.
    package func remove() {
        for process in (try? Self.ip(["netns", "pids", name]))?.split(separator: "\n") ?? [] {
            if let identifier = Int32(process) { kill(identifier, SIGKILL) }
        }
        _ = try? Self.ip(["netns", "del", name])
        try? FileManager.default.removeItem(atPath: files)
    }

    /// Runs `ip` inside.
    package func ip(_ arguments: [String]) throws { try Self.ip(["-n", name] + arguments) }

    /// Tells programs that are started inside afterwards the address of a name; told again, those that run
    /// already know the new one.
    package func know(_ host: String, at address: String) throws {
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        // Nobody else is asked for names.
        try "hosts: files\n".write(toFile: "\(files)/nsswitch.conf", atomically: false, encoding: .utf8)
        // In place: a file that takes its place would be another than what the programs see.
        try "127.0.0.1 localhost\n\(address) \(host)\n"
            .write(toFile: "\(files)/hosts", atomically: false, encoding: .utf8)
    }

    /// Starts an executable of the build inside.
    package func start(
        _ executable: String, arguments: [String] = [], environment: [String: String], folder: String
    ) throws -> ChildProcess {
        let path = ChildProcess.products.appendingPathComponent(executable).path
        return try ChildProcess(
            try Self.path(), arguments: ["netns", "exec", name, path] + arguments, environment: environment,
            folder: folder)
    }

    /// Takes away what a run left that was killed.
    private static func removeOrphans() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: names)) ?? [] {
            guard name.hasPrefix(mark), let owner = Int32(name.dropFirst(mark.count).prefix { $0 != "-" }),
                kill(owner, 0) != 0, errno == ESRCH
            else { continue }
            NetworkNamespace(name: name).remove()
        }
    }

    private struct CannotRun: Error, CustomStringConvertible { var description: String }

    private static func path() throws -> String {
        guard let tool else { throw CannotRun(description: "there is no program `ip`") }
        return tool
    }

    /// Runs `ip`; what it said.
    @discardableResult
    private static func ip(_ arguments: [String]) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: try path())
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let command = arguments.joined(separator: " ")
            throw CannotRun(description: "ip \(command) ended with \(process.terminationStatus): \(said)")
        }
        return said
    }
}
