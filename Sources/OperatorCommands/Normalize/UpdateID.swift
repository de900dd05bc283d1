/// Finds the update number of a Binance book ticker in its message.
///
/// It identifies a ticker only among the venue's own messages, so our events do not carry it; a row repeats
/// it, since comparisons with other programs want it.
enum UpdateID {
    /// The digits after `"u":`; `nil` when there are none.
    static func find(in frame: UnsafeRawBufferPointer) -> String? {
        let key: [UInt8] = [0x22, 0x75, 0x22, 0x3A]
        guard frame.count > key.count else { return nil }
        for start in 0..<(frame.count - key.count) where frame[start..<start + key.count].elementsEqual(key) {
            let digits = frame[(start + key.count)...].prefix { $0 &- 0x30 < 10 }
            return digits.isEmpty ? nil : String(decoding: digits, as: UTF8.self)
        }
        return nil
    }
}
