import Venues

/// Cuts messages of the shape `{…,"data":[{…,"symbol":"X",…},…],…}` down to some symbols.
enum RowFilter {
    /// The message with only the rows that are kept, byte for byte; `nil` when none is or it has another
    /// shape.
    static func rebuild(_ frame: [UInt8], keeping isKept: (String) -> Bool) -> [UInt8]? {
        frame.withUnsafeBytes { frame in
            do throws(ScanError) {
                guard let (data, rows) = try rows(frame) else { return nil }
                let kept = rows.filter { $0.symbol.map(isKept) ?? false }
                guard !kept.isEmpty else { return nil }
                var result = Array(frame[..<data.lowerBound])
                for (position, row) in kept.enumerated() {
                    if position > 0 { result.append(0x2C) }
                    result.append(contentsOf: frame[row.range])
                }
                result.append(contentsOf: frame[data.upperBound...])
                return result
            } catch {
                return nil
            }
        }
    }

    /// The rows of one symbol as they were sent.
    static func rows(of symbol: String, in frame: [UInt8]) -> [[UInt8]] {
        frame.withUnsafeBytes { frame in
            do throws(ScanError) {
                guard let (_, rows) = try rows(frame) else { return [] }
                return rows.filter { $0.symbol == symbol }.map { Array(frame[$0.range]) }
            } catch {
                return []
            }
        }
    }

    private typealias Row = (symbol: String?, range: Range<Int>)

    /// Where the rows lie, and where the text between the brackets of `data` does.
    private static func rows(
        _ frame: UnsafeRawBufferPointer
    ) throws(ScanError) -> (data: Range<Int>, rows: [Row])? {
        guard var scanner = JSONScanner(frame) else { return nil }
        var rows: [Row] = []
        var data: Range<Int>?
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.equals(key, "data"), try scanner.peek() == 0x5B else { return try scanner.skip() }
            let start = scanner.index + 1
            try scanner.array { scanner throws(ScanError) in
                _ = try scanner.peek()
                let start = scanner.index
                var symbol: String?
                try scanner.object { scanner, key throws(ScanError) in
                    guard scanner.equals(key, "symbol"), try scanner.peek() == 0x22 else {
                        return try scanner.skip()
                    }
                    symbol = scanner.string(try scanner.text())
                }
                rows.append((symbol, start..<scanner.index))
            }
            data = start..<scanner.index - 1
        }
        return data.map { ($0, rows) }
    }
}
