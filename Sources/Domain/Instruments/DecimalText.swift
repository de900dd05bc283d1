/// Writes scaled integers as plain decimals: no exponent, as many places as the scale.
public enum DecimalText {
    /// The text of units / 10^scale.
    public static func string(units: Int64, scale: Scale) -> String {
        String(unsafeUninitializedCapacity: 24) { buffer in
            write(units: units, scale: scale, into: buffer)
        }
    }

    /// Appends the text of units / 10^scale as ASCII.
    public static func append(units: Int64, scale: Scale, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { buffer in
            let count = write(units: units, scale: scale, into: buffer)
            bytes.append(contentsOf: buffer[..<count])
        }
    }

    /// Writes into at least 24 bytes and returns how many were used: a sign, 19 digits, a point and a leading
    /// zero.
    static func write(units: Int64, scale: Scale, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var magnitude = units.magnitude
        var places = scale.places
        var position = 24
        let needsPoint = places > 0
        repeat {
            position -= 1
            buffer[position] = 0x30 + UInt8(magnitude % 10)
            magnitude /= 10
            if needsPoint {
                places -= 1
                if places == 0 {
                    position -= 1
                    buffer[position] = 0x2E
                    // A digit must stand before the point.
                    if magnitude == 0 {
                        position -= 1
                        buffer[position] = 0x30
                    }
                }
            }
        } while magnitude > 0 || places > 0
        if units < 0 {
            position -= 1
            buffer[position] = 0x2D
        }
        let count = 24 - position
        for index in 0..<count { buffer[index] = buffer[position + index] }
        return count
    }
}
