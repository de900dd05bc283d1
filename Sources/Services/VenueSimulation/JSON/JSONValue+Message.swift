import JSON

extension JSONValue {
    /// Reads a message, a request or a row; `nil` when it is no JSON, or nested deeper than 32.
    init?(message: some Sequence<UInt8>) {
        guard let value = try? JSONValue(Array(message)[...], depthLimit: 32) else { return nil }
        self = value
    }
}
