/// Object identifiers of the built-in types that statements use.
///
/// Source: PostgreSQL 15, `src/include/catalog/pg_type.dat`; they never change.
enum SQLType {
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let varchar: UInt32 = 1043
    static let name: UInt32 = 19
    static let timestamptz: UInt32 = 1184
    static let numeric: UInt32 = 1700
    static let boolArray: UInt32 = 1000
    static let int2Array: UInt32 = 1005
    static let int4Array: UInt32 = 1007
    static let int8Array: UInt32 = 1016
    static let textArray: UInt32 = 1009
    static let numericArray: UInt32 = 1231
    static let uuid: UInt32 = 2950
    static let uuidArray: UInt32 = 2951

    /// Microseconds from the Unix epoch to 2000-01-01, where PostgreSQL's timestamps begin.
    static let epochMicroseconds: Int64 = 946_684_800_000_000
}
