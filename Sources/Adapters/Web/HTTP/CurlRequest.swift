import CCurl

/// One request as libcurl's options.
struct CurlRequest: Sendable {
    var method = "GET"
    var url: String
    /// What is sent with it; `nil` for nothing.
    var body: [UInt8]?
    var headers: [(name: String, value: String)]
    var timeout: Duration
    var maximumBytes: Int
    var configuration: HTTPClientConfiguration
    /// The keys that the server may have.
    var pins = KeyPins.any
    /// Address of the proxy on the way; `nil` for none.
    var proxy: String?

    /// Scheme, host and port only: a query may carry a signature.
    var shownAddress: String {
        guard let scheme = url.firstRange(of: "://") else { return "the address" }
        let rest = url[scheme.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return String(url[..<scheme.upperBound]) + (authority.split(separator: "@").last ?? "")
    }

    /// The host alone.
    var host: String {
        guard let scheme = shownAddress.firstRange(of: "://") else { return shownAddress }
        let authority = shownAddress[scheme.upperBound...]
        if authority.hasPrefix("[") { return authority.dropFirst().prefix { $0 != "]" }.description }
        return authority.prefix { $0 != ":" }.description
    }

    /// Host and port of the proxy, without who asks it.
    private var proxyHost: String { proxy?.split(separator: "@").last.map(String.init) ?? "" }

    private var port: Int {
        let after = shownAddress.split(separator: ":").last.flatMap { Int($0) }
        return after ?? (url.hasPrefix("https:") ? 443 : 80)
    }

    /// A list to be freed by the caller; line breaks, which would begin another header, are dropped.
    func headerList() -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for header in headers {
            let line = "\(header.name): \(header.value)".filter { !$0.isNewline }
            // On a lack of memory the list so far stays as it is.
            if let longer = curl_slist_append(list, line) { list = longer }
        }
        return list
    }

    /// Sets every option; `false` when libcurl refuses one.
    func apply(
        to easy: UnsafeMutableRawPointer, headers: UnsafeMutablePointer<curl_slist>?, sink: ResponseSink
    ) -> Bool {
        // SAFETY: the caller keeps the sink alive until libcurl is done with the request.
        let user = Unmanaged.passUnretained(sink).toOpaque()
        let texts: [(CURLoption, String)] = [
            (CURLOPT_PROTOCOLS_STR, "http,https"), (CURLOPT_URL, url),
            (CURLOPT_USERAGENT, configuration.userAgent),
            // Empty is every encoding that this libcurl can undo; the body's limit counts what comes out.
            (CURLOPT_ACCEPT_ENCODING, ""),
            // Empty is none, also when the environment names one.
            (CURLOPT_PROXY, configuration.proxy ?? proxy ?? ""),
        ]
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_TCP_KEEPALIVE, 1),
            // At least TLS 1.2; 1.3 is spoken with whoever has it.
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            // A name is resolved for each connection anew, since servers move.
            (CURLOPT_DNS_CACHE_TIMEOUT, 0),
            (CURLOPT_TIMEOUT_MS, milliseconds(timeout)),
            (CURLOPT_CONNECTTIMEOUT_MS, milliseconds(min(timeout, configuration.connectTimeout))),
        ]
        var codes = texts.map { bitpal_curl_set_string(easy, $0.0, $0.1) }
        codes += numbers.map { bitpal_curl_set_long(easy, $0.0, $0.1) }
        if let file = configuration.trustRoots.file {
            codes.append(bitpal_curl_set_string(easy, CURLOPT_CAINFO, file))
        }
        if !pins.isEmpty {
            codes.append(bitpal_curl_set_string(easy, CURLOPT_PINNEDPUBLICKEY, pins.curlText))
        }
        codes += content(of: easy)
        codes.append(bitpal_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headers))
        codes.append(bitpal_curl_set_pointer(easy, CURLOPT_WRITEDATA, user))
        codes.append(bitpal_curl_set_pointer(easy, CURLOPT_HEADERDATA, user))
        codes.append(bitpal_curl_set_io(easy, CURLOPT_WRITEFUNCTION, ResponseSink.takeBody))
        codes.append(bitpal_curl_set_io(easy, CURLOPT_HEADERFUNCTION, ResponseSink.takeLine))
        return codes.allSatisfy { $0 == CURLE_OK }
    }

    /// The method and what it sends; libcurl copies the bytes.
    private func content(of easy: UnsafeMutableRawPointer) -> [CURLcode] {
        var codes: [CURLcode] = []
        if let body, !body.isEmpty {
            codes.append(bitpal_curl_set_long(easy, CURLOPT_POSTFIELDSIZE, body.count))
            codes.append(
                body.withUnsafeBytes { bytes in
                    bitpal_curl_set_pointer(
                        easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
                })
        }
        if method != "GET" { codes.append(bitpal_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, method)) }
        return codes
    }

    /// Reads how a transfer ended; a `nil` code was cancelled.
    func result(code: CURLcode?, sink: ResponseSink) -> Result<HTTPResponse, WebError> {
        if let limit = sink.passedLimit { return .failure(.responseTooLarge(limit: limit)) }
        guard let code else { return .failure(.cancelled) }
        guard code == CURLE_OK else { return .failure(failure(code)) }
        guard let head = ResponseHead(sink.head) else {
            return .failure(.transferFailed(code: 0, reason: "the answer has no status line"))
        }
        return .success(HTTPResponse(head: head, body: sink.body))
    }

    private func failure(_ code: CURLcode) -> WebError {
        let reason = String(cString: curl_easy_strerror(code))
        return switch code {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: .invalidAddress(shownAddress, reason: reason)
        case CURLE_COULDNT_RESOLVE_HOST: .nameUnresolved(host: host, reason: reason)
        case CURLE_COULDNT_CONNECT: .connectFailed(host: host, port: port, reason: reason)
        case CURLE_OPERATION_TIMEDOUT: .timedOut(.request, after: timeout)
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM: .tlsUnusable(reason: reason)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION: .tlsFailed(host: host, reason: reason)
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .pinMismatch(host: host)
        case CURLE_COULDNT_RESOLVE_PROXY: .proxyFailed(proxy: proxyHost, reason: reason)
        case CURLE_FILESIZE_EXCEEDED: .responseTooLarge(limit: maximumBytes)
        default: .transferFailed(code: Int(code.rawValue), reason: reason)
        }
    }

    /// At least 1: libcurl reads 0 as "for ever".
    private func milliseconds(_ duration: Duration) -> Int {
        max(1, Int(duration.wholeNanoseconds / 1_000_000))
    }
}
