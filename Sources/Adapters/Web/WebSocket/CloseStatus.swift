/// The content of a close frame: a number and a reason, or nothing at all.
package struct CloseStatus: Sendable, Hashable {
    /// `nil` when the frame was empty.
    package var code: UInt16?
    /// At most 123 bytes of UTF-8.
    package var reason: String

    /// Reads the payload of a close frame.
    ///
    /// - Throws: ``FrameFault/closeCode(_:)`` for one byte or a number that may not be sent,
    ///   ``FrameFault/invalidUTF8`` for the reason.
    package init(payload: [UInt8]) throws(FrameFault) {
        guard !payload.isEmpty else {
            self.init(code: nil, reason: "")
            return
        }
        guard payload.count >= 2 else { throw .closeCode(nil) }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard Self.maySend(code) else { throw .closeCode(code) }
        guard let reason = String(validating: payload[2...], as: UTF8.self) else { throw .invalidUTF8 }
        self.init(code: code, reason: reason)
    }

    package init(code: UInt16?, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The payload to send; a reason past 123 bytes is cut between two characters.
    package var payload: [UInt8] {
        guard let code else { return [] }
        var cut = reason
        while cut.utf8.count > 123 { cut.removeLast() }
        return [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(cut.utf8)
    }

    /// Whether a close frame may carry this number.
    ///
    /// Source: RFC 6455 section 7.4 and the IANA registry of close codes (1012 to 1014 added).
    static func maySend(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
