import Foundation
import Store
import Support

extension PrivateCluster {
    /// Kills the server as a lack of memory would, or by another signal, and starts it again; SIGQUIT is what
    /// `pg_ctl stop -m immediate` sends.
    func crash(by signal: Int32 = SIGKILL) async throws {
        guard let directory = location?.dataDirectory,
            let text = try? String(contentsOfFile: directory + "/postmaster.pid", encoding: .utf8),
            let process = text.split(separator: "\n").first.flatMap({ Int32($0) })
        else { throw PropertyFailure("there is no server to end") }
        kill(process, signal)
        // What it leaves behind ends by itself; until then a new one refuses to start.
        try await eventually { (try? await revive()) == true }
    }
}
