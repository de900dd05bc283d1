import LedgerFiles

extension GatewayClient {
    /// All that a report of a portfolio reckons with, by its name.
    ///
    /// - Throws: ``CommandFailure``.
    func ledger(_ name: String, _ query: [(String, String?)]) async throws -> LedgerDocument {
        let path = try await path(of: name) + "/ledger"
        let bytes: [UInt8]
        do {
            bytes = try await send("GET", path, query)
        } catch let failure as CommandFailure where failure.description.hasPrefix("benchmark is ") {
            throw CommandFailure(.notFound, "--" + failure.description)
        }
        do throws(FileFault) {
            return try LedgerDocument(reading: bytes)
        } catch {
            throw CommandFailure(.failed, "the gateway's answer is no ledger: \(error)")
        }
    }
}
