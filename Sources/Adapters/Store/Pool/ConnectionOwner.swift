import Glibc
import Logging

/// A worker of the pool: one thread and at most one connection, which it opens, uses, watches and closes.
///
/// Confined to its thread; calls reach it through its mailbox.
final class ConnectionOwner {
    private let pool: Pool
    private let mailbox: WorkerMailbox
    private var connection: Connection?

    init(_ pool: Pool, _ mailbox: WorkerMailbox) {
        self.pool = pool
        self.mailbox = mailbox
    }

    /// The thread's whole life.
    func run(first: Work) {
        var next: Work? = first
        while let work = next {
            let answer = work.run(self)
            leave()
            let assignment = pool.finish(work.id, mailbox)
            answer()
            switch assignment {
            case .work(let work): next = work
            case .idle: next = waitForWork()
            case .stop: next = nil
            }
        }
        connection = nil
        pool.workerEnded()
    }

    /// Waits for a call; `nil` when the worker ends: unused for long, its connection lost, or told to stop.
    private func waitForWork() -> Work? {
        let deadline = Deadline(after: pool.configuration.idleTimeout)
        while true {
            let socket = connection?.socket ?? -1
            let outcome = waitForSocket(socket, events: POLLIN, signal: mailbox.signal, until: deadline)
            switch outcome {
            case .woken: mailbox.signal.drain()
            case .ready:
                connection?.checkWhileIdle()
                leave()
            case .timedOut: break
            }
            let (work, isStopped) = mailbox.take()
            if let work { return work }
            if isStopped { return nil }
            let isUseless = outcome == .timedOut || connection == nil
            // When it cannot retire, a call is on its way into the mailbox.
            if isUseless, pool.retire(mailbox) { return nil }
        }
    }

    /// Closes a connection that is not fit for another call.
    private func leave() {
        guard let connection else { return }
        if !connection.isBroken, connection.isInTransaction {
            pool.logger.info("A session left a transaction open; its connection is closed")
            self.connection = nil
        } else if connection.isBroken {
            self.connection = nil
            pool.connectionLost()
        }
    }

    /// The open connection, or a new one.
    ///
    /// - Throws: ``StoreError/unavailable(retryAfter:)`` while no attempt is due.
    func ready() throws(StoreError) -> Connection {
        connection?.checkWhileIdle()
        leave()
        if let connection { return connection }
        if let pause = pool.connectPause() { throw .unavailable(retryAfter: pause) }
        do throws(StoreError) {
            let connection = try Connection(pool.configuration, signal: mailbox.signal)
            connection.observe = { [metrics = pool.metrics] in metrics.record($0, $1) }
            self.connection = connection
            pool.connectSucceeded()
            return connection
        } catch {
            if case .cancelled = error { throw error }
            pool.connectFailed(error)
            throw error
        }
    }

    /// Begins a transaction; a connection that turns out to be dead is replaced once, as nothing has
    /// happened.
    func begin(_ options: TransactionOptions) throws(StoreError) -> Connection {
        let wasOpen = connection != nil
        let connection = try ready()
        do throws(StoreError) {
            try connection.script(options.beginScript, name: "BEGIN")
            return connection
        } catch {
            guard wasOpen, error.isConnectionLoss else { throw error }
            let fresh = try ready()
            try fresh.script(options.beginScript, name: "BEGIN")
            return fresh
        }
    }
}
