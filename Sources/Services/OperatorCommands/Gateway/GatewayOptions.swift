import Accounts
import ArgumentParser
import Credentials
import Glibc
import LedgerFiles
import Operations

/// Which gateway a command asks, and whom it acts for there.
struct GatewayOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The data directory of `bitpal up`, to find its gateway. Else BITPAL_URL and BITPAL_TOKEN.",
            valueName: "directory"))
    var dataDir: String?

    /// The gateway of the environment, else the one that `bitpal up` says it has.
    ///
    /// - Throws: ``CommandFailure``, with status 4 where there is none.
    func client() throws -> GatewayClient {
        let settings = try Settings.ofCommand()
        let folder = dataDir ?? DataDirectory.standard
        let own = GatewayURLFile.read(in: folder)
        guard let url = (dataDir == nil ? settings[SharedSettings.gatewayURL] : nil) ?? own else {
            throw CommandFailure(
                .unreachable,
                "no gateway is known here: start `bitpal up`, or name one with BITPAL_URL and BITPAL_TOKEN")
        }
        guard let base = Self.base(url) else {
            throw CommandFailure(
                .usage, "BITPAL_URL is \"\(url)\": accepted is http://HOST:PORT or https://HOST")
        }
        let isOwn = own.flatMap(Self.base) == base
        // Who names the directory means the one of it.
        if dataDir == nil, let token = settings[SharedSettings.gatewayToken] {
            return GatewayClient(base: base, token: token, isNamed: !isOwn)
        }
        // What opens everything here is shown to nobody else.
        guard isOwn else {
            throw CommandFailure(
                .usage, "BITPAL_URL names \(base): accepted is a token of it in BITPAL_TOKEN besides")
        }
        do throws(SealingFault) {
            let token = try OperatorTokenFile.token(DataDirectory.operatorToken(in: folder))
            return GatewayClient(base: base, token: token.text, isNamed: false)
        } catch {
            throw CommandFailure(
                .failed, "\(error.description); run this as who runs `bitpal up`, or set BITPAL_TOKEN")
        }
    }

    /// The address without slashes at its end; `nil` for what is none, or has more than a host and a port.
    private static func base(_ url: String) -> String? {
        var url = url
        while url.hasSuffix("/") { url.removeLast() }
        let host = ["http://", "https://"].first { url.hasPrefix($0) }.map { url.dropFirst($0.count) }
        guard let host, !host.isEmpty, !host.contains(where: { "/?#@ ".contains($0) }) else { return nil }
        return url
    }
}

/// Where the gateway of `bitpal up` is, as it says in its data directory.
package enum GatewayURLFile {
    /// Says so.
    ///
    /// - Throws: ``CommandFailure`` naming what cannot be written.
    package static func write(_ url: String, in directory: String) throws {
        let (path, new) = (path(in: directory), "\(path(in: directory)).\(getpid())")
        let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(new) }
        defer { close(descriptor) }
        let output = StandardOutput(descriptor: descriptor)
        try output.writeLine(url)
        try output.flush()
        // Whoever reads meanwhile reads the former one whole.
        guard rename(new, path) == 0 else { throw failure(path) }
    }

    /// Takes it back, unless another one has said so meanwhile.
    package static func remove(_ url: String, in directory: String) {
        guard read(in: directory) == url else { return }
        unlink(path(in: directory))
    }

    /// The address; `nil` where nothing is said.
    static func read(in directory: String) -> String? {
        guard let bytes = try? FileBytes.read(path(in: directory)) else { return nil }
        let text = String(decoding: bytes.prefix(4_096), as: UTF8.self).filter { !$0.isWhitespace }
        return text.isEmpty ? nil : text
    }

    private static func path(in directory: String) -> String { directory + "/gateway.url" }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure(.failed, "cannot write \(path): \(String(cString: strerror(errno)))")
    }
}

extension DataDirectory {
    /// Where `bitpal up` leaves the token that commands on this machine act with.
    package static func operatorToken(in directory: String) -> String { directory + "/operator.token" }
}
