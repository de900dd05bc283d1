import CCurl

/// Collects what libcurl delivers for one request, within limits.
///
/// Used by one thread at a time: the one that performs the transfer, and after it the one that reads the
/// result.
final class ResponseSink {
    /// The longest head that is kept, bytes; more ends the transfer.
    static let headLimit = 64 * 1024

    /// Bytes.
    private let bodyLimit: Int
    private(set) var head: [UInt8] = []
    private(set) var body: [UInt8] = []
    /// The limit that was passed, if one was.
    private(set) var passedLimit: Int?

    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
    }

    /// Takes a piece of the body; `false` ends the transfer.
    func take(body piece: UnsafeRawBufferPointer) -> Bool {
        guard body.count + piece.count <= bodyLimit else {
            passedLimit = bodyLimit
            return false
        }
        body.append(contentsOf: piece)
        return true
    }

    /// Takes one line of a head; a status line begins a new one (after `100 Continue`).
    func take(line: UnsafeRawBufferPointer) -> Bool {
        if line.starts(with: "HTTP/".utf8) { head.removeAll() }
        guard head.count + line.count <= Self.headLimit else {
            passedLimit = Self.headLimit
            return false
        }
        head.append(contentsOf: line)
        return true
    }

    /// libcurl's WRITEFUNCTION.
    static let takeBody: bitpal_curl_io = { bytes, size, count, user in
        ResponseSink.deliver(bytes, size, count, user) { $0.take(body: $1) }
    }

    /// libcurl's HEADERFUNCTION.
    static let takeLine: bitpal_curl_io = { bytes, size, count, user in
        ResponseSink.deliver(bytes, size, count, user) { $0.take(line: $1) }
    }

    private static func deliver(
        _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ user: UnsafeMutableRawPointer?,
        _ take: (ResponseSink, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let user else { return 0 }
        let total = size * count
        guard total > 0, let bytes else { return total }
        // SAFETY: `user` is the sink that the performing thread keeps alive over the whole transfer, and
        // libcurl promises size * count readable bytes during the call.
        let sink = Unmanaged<ResponseSink>.fromOpaque(user).takeUnretainedValue()
        return take(sink, UnsafeRawBufferPointer(start: bytes, count: total)) ? total : 0
    }
}
