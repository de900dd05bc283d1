import CPostgres

extension Connection {
    /// Sends all statements in one go and returns the affected rows of each.
    ///
    /// Source: PostgreSQL manual 15, 34.5 "Pipeline Mode": after an error the server skips the rest up to the
    /// next synchronisation point, so the first error is the one that counts.
    func pipeline(_ entries: [StatementBatch.Entry]) throws(StoreError) -> [Int] {
        var names: [String] = []
        for entry in entries {
            if let (index, problem) = entry.parameters.firstProblem {
                throw .parameter(statement: entry.statement.name, index: index, problem: problem)
            }
            names.append(try prepare(entry.statement, types: entry.parameters.types))
        }
        var exchange = try begin("pipeline")
        guard PQenterPipelineMode(handle) == 1 else { throw finish(exchange, with: lost("pipeline")) }
        let isSent = zip(names, entries).allSatisfy { sendPrepared($0, $1.parameters) }
        guard isSent, PQpipelineSync(handle) == 1 else { throw finish(exchange, with: lost("pipeline")) }
        let (affected, failure) = try pipelineResults(&exchange, entries)
        if PQexitPipelineMode(handle) != 1 { markBroken() }
        if let failure { throw finish(exchange, with: failure) }
        finish(exchange)
        return affected
    }

    private func pipelineResults(
        _ exchange: inout Exchange, _ entries: [StatementBatch.Entry]
    ) throws(StoreError) -> ([Int], StoreError?) {
        var affected: [Int] = []
        var failure: StoreError?
        while true {
            // `nil` ends one statement's results; the next statement's follow.
            guard let result = try next(&exchange) else {
                if PQstatus(handle) != CONNECTION_OK {
                    throw finish(exchange, with: failure ?? lost("pipeline"))
                }
                continue
            }
            if result.status == PGRES_PIPELINE_SYNC { return (affected, failure) }
            if result.isError {
                let name =
                    affected.count < entries.count ? entries[affected.count].statement.name : "pipeline"
                failure = failure ?? error(of: result, statement: name)
            }
            affected.append(result.affectedRows)
        }
    }
}
