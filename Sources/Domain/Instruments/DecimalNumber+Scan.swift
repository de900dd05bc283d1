extension DecimalNumber {
    /// Reads `-?digits(.digits)?([eE][+-]?digits)?` and nothing else.
    ///
    /// Digits accumulate in an Int64 with overflow reported; an exponent moves the scale and, where the scale
    /// would leave 0...18, multiplies or strips zeros exactly.
    @inlinable
    static func scan(_ bytes: UnsafeRawBufferPointer) throws(DecimalError) -> DecimalNumber {
        let count = bytes.count
        var index = 0
        var isNegative = false
        if count > 0, bytes[0] == 0x2D {
            isNegative = true
            index = 1
        }
        var units: Int64 = 0
        var digits = 0
        var places = 0
        var hasPoint = false
        while index < count {
            let digit = bytes[index] &- 0x30
            if digit < 10 {
                // 18 digits always fit; only past that is each step checked.
                if digits < 18 {
                    units = units &* 10 &+ Int64(digit)
                } else {
                    let (product, first) = units.multipliedReportingOverflow(by: 10)
                    let (sum, second) = product.addingReportingOverflow(Int64(digit))
                    if first || second { throw .overflow }
                    units = sum
                }
                digits &+= 1
                if hasPoint { places &+= 1 }
            } else if bytes[index] == 0x2E, !hasPoint, digits > 0 {
                hasPoint = true
            } else {
                break
            }
            index &+= 1
        }
        // A number needs digits before the point and, where there is a point, after it.
        guard digits > 0, !hasPoint || places > 0 else { throw .malformed(offset: index) }
        if isNegative { units = 0 &- units }
        if index < count {
            let exponent = try scanExponent(bytes, from: index)
            return try shifted(units: units, places: places - exponent)
        }
        if places <= 18 { return DecimalNumber(units: units, scale: Scale(unchecked: UInt8(places))) }
        return try shifted(units: units, places: places)
    }

    @usableFromInline
    static func scanExponent(_ bytes: UnsafeRawBufferPointer, from start: Int) throws(DecimalError) -> Int {
        var index = start
        guard bytes[index] | 0x20 == 0x65 else { throw .malformed(offset: index) }
        index += 1
        var isNegative = false
        if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D {
            isNegative = bytes[index] == 0x2D
            index += 1
        }
        guard index < bytes.count else { throw .malformed(offset: index) }
        var value = 0
        while index < bytes.count {
            let digit = bytes[index] &- 0x30
            guard digit < 10 else { throw .malformed(offset: index) }
            value = value * 10 + Int(digit)
            if value > 1_000 { throw .overflow }
            index += 1
        }
        return isNegative ? -value : value
    }

    /// Brings the places into 0...18 without changing the value.
    @usableFromInline
    static func shifted(units: Int64, places: Int) throws(DecimalError) -> DecimalNumber {
        var units = units
        var places = places
        if units == 0 { places = min(max(places, 0), 18) }
        while places > 18 {
            guard units % 10 == 0 else { throw .overflow }
            units /= 10
            places -= 1
        }
        while places < 0 {
            let (product, overflow) = units.multipliedReportingOverflow(by: 10)
            if overflow { throw .overflow }
            units = product
            places += 1
        }
        return DecimalNumber(units: units, scale: Scale(unchecked: UInt8(places)))
    }
}
