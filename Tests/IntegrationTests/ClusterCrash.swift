import Foundation
import Store
import Support

extension PrivateCluster {
    /// Kills the server as a lack of memory would, and starts it again.
    func crash() async throws {
        guard let directory = location?.dataDirectory,
            let text = try? String(contentsOfFile: directory + "/postmaster.pid", encoding: .utf8),
            let process = text.split(separator: "\n").first.flatMap({ Int32($0) })
        else { throw PropertyFailure("there is no server to end") }
        kill(process, SIGKILL)
        // What it leaves behind ends by itself; until then a new one refuses to start.
        try await eventually { (try? await revive()) == true }
    }
}
