import CCurl
import Channels
import Synchronization
import Threads

/// All exchanges of a sender, on one thread: libcurl waits for all their sockets at once.
///
// SAFETY: `multi` and the handles belong to the thread; others only call curl_multi_wakeup, the one function
// that libcurl allows there, and only while the thread has not ended, see `wake`.
final class TransferLoop: @unchecked Sendable {
    typealias Completion = @Sendable (Result<Answer, SendFailure>) -> Void

    private struct Job: Sendable {
        var id: UInt64
        var task: Transfer.Task
        var completion: Completion
    }

    private struct Mail: ~Copyable {
        var isClosed = false
        var isRunning = false
        var lastID: UInt64 = 0
        var jobs: [Job] = []
        var cancelled: [UInt64] = []
    }

    /// One that is under way.
    private struct Running {
        var id: UInt64
        var transfer: Transfer
        var completion: Completion
    }

    private let limits: SenderConfiguration
    private let multi: UnsafeMutableRawPointer
    private let mail = Mutex(Mail())

    private static let isReady = curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK
    /// Handles that are kept for the next exchange.
    private static let keptHandles = 64

    /// `nil` when libcurl has no memory or cannot be initialised.
    init?(_ limits: SenderConfiguration) {
        guard Self.isReady, let multi = curl_multi_init() else { return nil }
        self.limits = limits
        self.multi = multi
        bitpal_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 256)
    }

    deinit { curl_multi_cleanup(multi) }

    /// Begins an exchange and returns its number; the completion is called once, on the loop's thread.
    func submit(_ task: Transfer.Task, _ completion: @escaping Completion) -> UInt64 {
        let (id, isFirst) = mail.withLock { mail -> (UInt64?, Bool) in
            guard !mail.isClosed else { return (nil, false) }
            mail.lastID += 1
            mail.jobs.append(Job(id: mail.lastID, task: task, completion: completion))
            defer { mail.isRunning = true }
            return (mail.lastID, !mail.isRunning)
        }
        guard let id else {
            completion(.failure(.cancelled))
            return 0
        }
        if isFirst { NamedThread.start(name: "sender") { self.run() } } else { curl_multi_wakeup(multi) }
        return id
    }

    /// Ends an exchange; one that is unknown or over is none.
    func cancel(_ id: UInt64) {
        mail.withLock { $0.cancelled.append(id) }
        curl_multi_wakeup(multi)
    }

    /// Refuses new exchanges and cancels those under way.
    func close() {
        mail.withLock { $0.isClosed = true }
        curl_multi_wakeup(multi)
    }

    private func run() {
        PipeSignal.block()
        var running: [UnsafeMutableRawPointer: Running] = [:]
        var idle: [UnsafeMutableRawPointer] = []
        var active: Int32 = 0
        while true {
            let (jobs, cancelled, isClosed) = mail.withLock { mail in
                defer { (mail.jobs, mail.cancelled) = ([], []) }
                return (mail.jobs, Set(mail.cancelled), mail.isClosed)
            }
            for job in jobs { begin(job, &running, &idle) }
            if isClosed || !cancelled.isEmpty {
                for (easy, entry) in running where isClosed || cancelled.contains(entry.id) {
                    end(easy, .failure(.cancelled), &running, &idle)
                }
            }
            if isClosed { break }
            guard curl_multi_perform(multi, &active) == CURLM_OK else {
                for easy in Array(running.keys) {
                    end(easy, .failure(.failed("libcurl cannot go on")), &running, &idle)
                }
                continue
            }
            finish(&running, &idle)
            // Returns early for a socket, for libcurl's own timers and for a wake-up.
            curl_multi_poll(multi, nil, 0, 1_000, nil)
        }
        for easy in idle { curl_easy_cleanup(easy) }
    }

    private func begin(
        _ job: Job, _ running: inout [UnsafeMutableRawPointer: Running],
        _ idle: inout [UnsafeMutableRawPointer]
    ) {
        guard let easy = idle.popLast() ?? curl_easy_init() else {
            return job.completion(.failure(.failed("libcurl has no memory")))
        }
        let transfer = Transfer(job.task, limits)
        running[easy] = Running(id: job.id, transfer: transfer, completion: job.completion)
        guard transfer.apply(to: easy), curl_multi_add_handle(multi, easy) == CURLM_OK else {
            return end(easy, .failure(.malformed("libcurl does not take it")), &running, &idle)
        }
    }

    /// Hands over what is done.
    private func finish(
        _ running: inout [UnsafeMutableRawPointer: Running], _ idle: inout [UnsafeMutableRawPointer]
    ) {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let entry = running[easy]
            else { continue }
            end(easy, entry.transfer.result(message.pointee.data.result, on: easy), &running, &idle)
        }
    }

    private func end(
        _ easy: UnsafeMutableRawPointer, _ result: Result<Answer, SendFailure>,
        _ running: inout [UnsafeMutableRawPointer: Running], _ idle: inout [UnsafeMutableRawPointer]
    ) {
        let entry = running[easy]
        curl_multi_remove_handle(multi, easy)
        curl_easy_reset(easy)
        if idle.count < Self.keptHandles { idle.append(easy) } else { curl_easy_cleanup(easy) }
        // Only now may what libcurl points to go.
        running[easy] = nil
        entry?.completion(result)
    }
}
