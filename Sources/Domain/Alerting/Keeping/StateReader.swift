import Instruments

/// Bytes that are no ``EngineState``.
public struct EngineStateFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with them.
    public var reason: String

    /// One line for a person.
    public var description: String {
        "the bytes are no engine state: \(reason); accepted are versions 1 to \(EngineState.version)"
    }
}

/// Reads what a ``StateWriter`` wrote, from any bytes.
struct StateReader {
    private let bytes: [UInt8]
    private var place: Int
    private let end: Int
    /// Of the form that the bytes have.
    let version: UInt16

    init(_ bytes: [UInt8], _ range: Range<Int>, version: UInt16 = EngineState.version) {
        self.bytes = bytes
        self.version = version
        place = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { place == end }

    private mutating func take(_ count: Int) throws(EngineStateFault) -> Range<Int> {
        guard count <= end - place else { throw EngineStateFault(reason: "they end at \(place)") }
        defer { place += count }
        return place..<place + count
    }

    mutating func number<Value: FixedWidthInteger>(_ type: Value.Type) throws(EngineStateFault) -> Value {
        var value: Value = 0
        for index in try take(MemoryLayout<Value>.size).reversed() {
            value = value << 8 | Value(truncatingIfNeeded: bytes[index])
        }
        return value
    }

    mutating func flag() throws(EngineStateFault) -> Bool {
        let byte = try number(UInt8.self)
        guard byte <= 1 else { throw fault("a flag") }
        return byte == 1
    }

    mutating func text() throws(EngineStateFault) -> String {
        let count = Int(try number(UInt32.self))
        guard let text = String(validating: bytes[try take(count)], as: UTF8.self) else {
            throw fault("a text")
        }
        return text
    }

    mutating func time() throws(EngineStateFault) -> Timestamp {
        Timestamp(nanoseconds: try number(Int64.self))
    }

    mutating func decimal() throws(EngineStateFault) -> DecimalNumber {
        let units = try number(Int64.self)
        guard let scale = Scale(rawValue: try number(UInt8.self)) else { throw fault("a scale") }
        return DecimalNumber(units: units, scale: scale)
    }

    /// One of the values that something can have, by its text.
    mutating func name<Value: RawRepresentable>(
        _ type: Value.Type
    ) throws(EngineStateFault) -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: try text()) else { throw fault("a name") }
        return value
    }

    mutating func optional<Value>(
        _ read: (inout StateReader) throws(EngineStateFault) -> Value
    ) throws(EngineStateFault) -> Value? {
        try flag() ? try read(&self) : nil
    }

    mutating func list<Value>(
        _ read: (inout StateReader) throws(EngineStateFault) -> Value
    ) throws(EngineStateFault) -> [Value] {
        let count = Int(try number(UInt32.self))
        // Every element has at least one byte: what cannot be there is not made room for.
        guard count <= end - place else { throw fault("a length") }
        var values: [Value] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    func fault(_ what: String) -> EngineStateFault {
        EngineStateFault(reason: "\(what) before byte \(place) makes no sense")
    }
}
