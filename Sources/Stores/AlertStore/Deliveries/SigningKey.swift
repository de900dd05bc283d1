public import Store

/// What is stored as the key of a name, made of the given bytes by whoever needs it first.
///
/// See ``Store/Database/keptKey(_:orNew:by:)``.
public struct KeepSigningKey: Statement {
    /// What it signs.
    public enum Name: String, Hashable, Sendable {
        /// Requests to the push services of browsers: a private key of P-256.
        case vapid
        /// Links in letters that switch a channel off: any bytes.
        case unsubscribe
    }

    /// Bytes of a key that is not sealed.
    static let size = 32

    /// The statement's text.
    public static let sql = """
        INSERT INTO alerts.signing_key AS kept (name, secret) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET name = kept.name
        RETURNING secret
        """

    private let name: Name
    private let fresh: [UInt8]

    /// Takes 32 new bytes from a generator fit for keys, sealed or not; they are forgotten where there is a
    /// key already.
    public init(_ name: Name, orNew fresh: [UInt8]) {
        self.name = name
        self.fresh = fresh
    }

    /// Appends both.
    public func bind(_ parameters: inout Parameters) {
        parameters.append(name.rawValue)
        parameters.append(bytes: fresh)
    }

    /// Reads the key, sealed or not.
    public static func decode(_ row: inout RowReader) throws(StoreError) -> [UInt8] { try row.bytes() }
}
