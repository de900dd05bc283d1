import CCurl
import Synchronization

/// One libcurl transfer handle with its own connection cache, so that a venue's TLS session is used again.
///
// SAFETY: the client hands a handle to one request at a time, so that only the thread of that request touches
// it; `wake` alone is called from elsewhere, and curl_multi_wakeup is the one function that libcurl allows
// there.
final class CurlHandle: @unchecked Sendable {
    private let easy: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer

    /// `nil` when libcurl has no memory or cannot be initialised.
    init?() {
        guard Self.isReady, let easy = curl_easy_init() else { return nil }
        guard let multi = curl_multi_init() else {
            curl_easy_cleanup(easy)
            return nil
        }
        self.easy = easy
        self.multi = multi
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
    }

    /// Whether `curl_global_init`, which must be called once, succeeded.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_SSL)) == CURLE_OK

    /// Performs one request; blocks its thread.
    func perform(_ request: CurlRequest, isCancelled: borrowing Atomic<Bool>) -> Result<
        HTTPResponse, WebError
    > {
        let sink = ResponseSink(bodyLimit: request.maximumBytes)
        let headers = request.headerList()
        defer { curl_slist_free_all(headers) }
        curl_easy_reset(easy)
        guard request.apply(to: easy, headers: headers, sink: sink) else {
            return .failure(.invalidAddress(request.shownAddress, reason: "libcurl does not take it"))
        }
        let code = run(isCancelled: isCancelled)
        // The sink must outlive the transfer: libcurl holds a bare pointer to it.
        return withExtendedLifetime(sink) { request.result(code: code, sink: sink) }
    }

    /// Makes a blocked ``perform(_:isCancelled:)`` look at its flag; callable from any thread.
    func wake() { curl_multi_wakeup(multi) }

    /// Drives the transfer to its end; `nil` when it was cancelled.
    private func run(isCancelled: borrowing Atomic<Bool>) -> CURLcode? {
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else { return CURLE_FAILED_INIT }
        defer { curl_multi_remove_handle(multi, easy) }
        var running: Int32 = 1
        while running > 0 {
            if isCancelled.load(ordering: .acquiring) { return nil }
            guard curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
            // Returns early for the socket, for libcurl's own timers and for `wake`.
            if running > 0 { curl_multi_poll(multi, nil, 0, 1000, nil) }
        }
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE { return message.pointee.data.result }
        }
        return CURLE_FAILED_INIT
    }
}
