import CCurl
import Channels

/// One exchange as libcurl's options, with what libcurl reads from and writes to meanwhile.
///
/// Belongs to the thread that performs it.
final class Transfer {
    /// What is exchanged.
    enum Task: Sendable {
        /// A request, and the address that it is pinned to; `nil` lets libcurl look the name up.
        case request(OutgoingRequest, at: IPAddress?)
        /// A letter.
        case mail(OutgoingMail, MailRelay)
    }

    private let task: Task
    private let limits: SenderConfiguration
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private var unread: ArraySlice<UInt8> = []
    private var body: [UInt8] = []
    private var received = 0
    private var headers: [Header] = []
    private var headBytes = 0

    init(_ task: Task, _ limits: SenderConfiguration) {
        self.task = task
        self.limits = limits
    }

    deinit {
        for list in lists { curl_slist_free_all(list) }
    }

    /// Sets every option; `false` when libcurl refuses one.
    func apply(to easy: UnsafeMutableRawPointer) -> Bool {
        // SAFETY: the sender keeps this object until libcurl is done with the handle.
        let user = Unmanaged.passUnretained(self).toOpaque()
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_SSL_VERIFYPEER, 1),
            (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_TCP_KEEPALIVE, 1),
            (CURLOPT_TIMEOUT_MS, limits.timeout.wholeMilliseconds),
            (CURLOPT_CONNECTTIMEOUT_MS, min(limits.connectTimeout, limits.timeout).wholeMilliseconds),
        ]
        var codes = numbers.map { bitpal_curl_set_long(easy, $0.0, $0.1) }
        // Empty is none, also when the environment names one.
        codes.append(bitpal_curl_set_string(easy, CURLOPT_PROXY, ""))
        if let file = limits.trustRoots { codes.append(bitpal_curl_set_string(easy, CURLOPT_CAINFO, file)) }
        codes.append(bitpal_curl_set_pointer(easy, CURLOPT_WRITEDATA, user))
        codes.append(bitpal_curl_set_pointer(easy, CURLOPT_HEADERDATA, user))
        codes.append(bitpal_curl_set_pointer(easy, CURLOPT_READDATA, user))
        codes.append(bitpal_curl_set_io(easy, CURLOPT_WRITEFUNCTION, Transfer.takeBody))
        codes.append(bitpal_curl_set_io(easy, CURLOPT_HEADERFUNCTION, Transfer.takeLine))
        codes.append(bitpal_curl_set_io(easy, CURLOPT_READFUNCTION, Transfer.giveBody))
        switch task {
        case .request(let request, let address): codes += apply(request, address, easy)
        case .mail(let mail, let relay): codes += apply(mail, relay, easy)
        }
        return codes.allSatisfy { $0 == CURLE_OK }
    }

    private func apply(
        _ request: OutgoingRequest, _ address: IPAddress?, _ easy: UnsafeMutableRawPointer
    ) -> [CURLcode] {
        var lines = request.headers.map { "\($0.name): \($0.value)".filter { !$0.isNewline } }
        // Without it libcurl waits a second for `100 Continue` before a longer body.
        lines.append("Expect:")
        if !request.headers.contains(where: { $0.name.lowercased() == "user-agent" }) {
            lines.append("User-Agent: \(limits.userAgent)")
        }
        let plain = request.url.lowercased().hasPrefix("http:")
        let version =
            !request.wantsHTTP2
            ? CURL_HTTP_VERSION_1_1
            : plain ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_2TLS
        var codes = [
            bitpal_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https"),
            bitpal_curl_set_string(easy, CURLOPT_URL, request.url),
            bitpal_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method),
            bitpal_curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(version)),
            // A second stream rather than a second connection, also while the first one is being made.
            bitpal_curl_set_long(easy, CURLOPT_PIPEWAIT, request.wantsHTTP2 ? 1 : 0),
            bitpal_curl_set_long(easy, CURLOPT_POSTFIELDSIZE, request.body.count),
            // libcurl copies what it is given, since the size is known before.
            request.body.withUnsafeBytes { bytes in
                bitpal_curl_set_pointer(
                    easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? UnsafeRawPointer(easy))
            },
            bitpal_curl_set_pointer(easy, CURLOPT_HTTPHEADER, list(lines)),
        ]
        if let address {
            // Whatever host and port the URL has for libcurl, the connection is made to this address.
            let pin = list(["::\(address.inOptions):"])
            codes.append(bitpal_curl_set_pointer(easy, CURLOPT_CONNECT_TO, pin))
        }
        return codes
    }

    private func apply(
        _ mail: OutgoingMail, _ relay: MailRelay, _ easy: UnsafeMutableRawPointer
    ) -> [CURLcode] {
        unread = mail.message[...]
        let scheme = relay.security == .tls ? "smtps" : "smtp"
        let usage = relay.security == .none ? CURLUSESSL_NONE : CURLUSESSL_ALL
        let host = relay.host.contains(":") ? "[\(relay.host)]" : relay.host
        var codes = [
            bitpal_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps"),
            bitpal_curl_set_string(easy, CURLOPT_URL, "\(scheme)://\(host):\(relay.port)/bitpal"),
            bitpal_curl_set_long(easy, CURLOPT_USE_SSL, Int(usage.rawValue)),
            bitpal_curl_set_string(easy, CURLOPT_MAIL_FROM, "<\(mail.from)>"),
            bitpal_curl_set_pointer(easy, CURLOPT_MAIL_RCPT, list(["<\(mail.to)>"])),
            bitpal_curl_set_long(easy, CURLOPT_UPLOAD, 1),
        ]
        if let user = relay.user, let password = relay.password {
            codes.append(bitpal_curl_set_string(easy, CURLOPT_USERNAME, user))
            codes.append(bitpal_curl_set_string(easy, CURLOPT_PASSWORD, password))
        }
        return codes
    }

    /// Reads how the exchange ended.
    func result(_ code: CURLcode, on easy: UnsafeMutableRawPointer) -> Result<Answer, SendFailure> {
        var status = 0
        bitpal_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        let answer = Answer(status: status, headers: headers, body: body)
        if code == CURLE_OK { return .success(answer) }
        // Enough was read, or the relay said no: that is an answer.
        if code == CURLE_WRITE_ERROR, received > limits.readLimit, status > 0 { return .success(answer) }
        if case .mail = task, status >= 400 { return .success(answer) }
        let reason = String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_OPERATION_TIMEDOUT: return .failure(.timedOut(limits.timeout))
        case CURLE_COULDNT_RESOLVE_HOST: return .failure(.unresolved(host: "the host"))
        case CURLE_URL_MALFORMAT: return .failure(.malformed(reason))
        default: return .failure(.failed(reason))
        }
    }

    /// A list that lives as long as this object.
    private func list(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            // On a lack of memory the list so far stays as it is.
            if let longer = curl_slist_append(list, line) { list = longer }
        }
        if let list { lists.append(list) }
        return list
    }
}

extension Transfer {
    private func take(body piece: UnsafeRawBufferPointer) -> Bool {
        received += piece.count
        body.append(contentsOf: piece.prefix(max(limits.keepLimit - body.count, 0)))
        return received <= limits.readLimit
    }

    private func take(line: UnsafeRawBufferPointer) -> Bool {
        // A status line begins a new head, after `100 Continue`.
        if line.starts(with: "HTTP/".utf8) { headers.removeAll() }
        headBytes += line.count
        guard headBytes <= 64 << 10 else { return false }
        let text = String(decoding: line, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":") else { return true }
        let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        let end = value.firstIndex(where: \.isNewline) ?? value.endIndex
        headers.append(Header(name: String(text[..<colon]), value: String(value[..<end])))
        return true
    }

    /// libcurl's WRITEFUNCTION.
    private static let takeBody: bitpal_curl_io = { bytes, size, count, user in
        guard let transfer = transfer(user), let bytes else { return size * count }
        let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return transfer.take(body: piece) ? piece.count : 0
    }

    /// libcurl's HEADERFUNCTION.
    private static let takeLine: bitpal_curl_io = { bytes, size, count, user in
        guard let transfer = transfer(user), let bytes else { return size * count }
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return transfer.take(line: line) ? line.count : 0
    }

    /// libcurl's READFUNCTION.
    private static let giveBody: bitpal_curl_io = { bytes, size, count, user in
        guard let transfer = transfer(user), let bytes else { return 0 }
        let piece = transfer.unread.prefix(size * count)
        UnsafeMutableRawBufferPointer(start: bytes, count: size * count).copyBytes(from: piece)
        transfer.unread = transfer.unread.dropFirst(piece.count)
        return piece.count
    }

    private static func transfer(_ user: UnsafeMutableRawPointer?) -> Transfer? {
        // SAFETY: `user` is the transfer that the sender keeps alive until libcurl is done with its handle.
        user.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension Duration {
    /// At least 1: libcurl reads 0 as "for ever".
    fileprivate var wholeMilliseconds: Int { max(1, Int(self / .milliseconds(1))) }
}
