import CPostgres
import Glibc

extension Connection {
    /// Streams rows into a table by COPY in binary format; either all of them arrive or none.
    ///
    /// - Returns: The number of rows that the server counted.
    func copy<Rows: Sequence>(_ rows: Rows) throws(StoreError) -> Int where Rows.Element: CopyRow {
        let name = String(describing: Rows.Element.self)
        var exchange = try begin(name)
        guard PQsendQuery(handle, Rows.Element.copySQL) == 1 else { throw finish(exchange, with: lost(name)) }
        try awaitCopyIn(&exchange)
        var refusal: StoreError?
        do throws(StoreError) {
            try putRows(rows, &exchange)
        } catch {
            if isBroken { throw error }
            refusal = error
        }
        guard PQputCopyEnd(handle, refusal == nil ? nil : "refused by the client") == 1 else {
            throw finish(exchange, with: lost(name))
        }
        return try endCopy(&exchange, refusal)
    }

    private func awaitCopyIn(_ exchange: inout Exchange) throws(StoreError) {
        guard let result = try next(&exchange) else { throw finish(exchange, with: lost(exchange.name)) }
        if result.status == PGRES_COPY_IN { return }
        var failure: StoreError?
        do throws(StoreError) { try check(result, exchange) } catch { failure = error }
        while try next(&exchange) != nil {}
        throw finish(
            exchange, with: failure ?? .unexpectedAnswer(statement: exchange.name, status: "no COPY"))
    }

    private func putRows<Rows: Sequence>(
        _ rows: Rows, _ exchange: inout Exchange
    ) throws(StoreError) where Rows.Element: CopyRow {
        var writer = CopyWriter(columnCount: Rows.Element.columnCount)
        for row in rows {
            writer.beginRow()
            row.write(&writer)
            writer.endRow()
            if let (index, problem) = writer.firstProblem {
                throw .parameter(statement: exchange.name, index: index, problem: problem)
            }
            if writer.bytes.count >= CopyWriter.chunkSize { try put(&writer, &exchange) }
        }
        writer.finish()
        try put(&writer, &exchange)
    }

    private func put(_ writer: inout CopyWriter, _ exchange: inout Exchange) throws(StoreError) {
        let isQueued = writer.bytes.withUnsafeBytes { raw in
            // SAFETY: libpq copies the bytes before it returns.
            PQputCopyData(handle, raw.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(raw.count)) == 1
        }
        guard isQueued else { throw finish(exchange, with: lost(exchange.name)) }
        writer.removeWritten()
        // Waits until the chunk is on its way, so that libpq's buffer stays at one chunk.
        while try flush(exchange) {
            try wait(&exchange, isSending: true)
            if exchange.wasInterrupted { throw .cancelled }
        }
    }

    private func endCopy(_ exchange: inout Exchange, _ refusal: StoreError?) throws(StoreError) -> Int {
        var copied = 0
        var failure = refusal
        while let result = try next(&exchange) {
            do throws(StoreError) { try check(result, exchange) } catch { failure = failure ?? error }
            copied = max(copied, result.affectedRows)
        }
        if PQstatus(handle) != CONNECTION_OK { markBroken() }
        if let failure { throw finish(exchange, with: failure) }
        finish(exchange)
        return copied
    }
}
