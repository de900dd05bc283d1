import Instruments
import MarketData

extension Book {
    /// Reads `{"asks":[["price","size",…],…],"bids":[…],…}` of an answer at whatever scales it needs.
    ///
    /// - Returns: How many sides there were.
    /// - Throws: `ScanError`, where it is none.
    mutating func readSides(_ scanner: inout JSONScanner) throws(ScanError) -> Int {
        var sides = 0
        try scanner.object { scanner, key throws(ScanError) in
            let isAsk = scanner.equals(key, "asks")
            guard isAsk || scanner.equals(key, "bids") else { return try scanner.skip() }
            sides += 1
            try scanner.array { scanner throws(ScanError) in
                try scanner.expect(0x5B)
                let price = try scanner.rawDecimal().normalized
                try scanner.expect(0x2C)
                let size = try scanner.rawDecimal().normalized
                while try scanner.take(0x2C) { try scanner.skip() }
                try scanner.expect(0x5D)
                try set(isAsk ? .ask : .bid, price, size)
            }
        }
        return sides
    }
}
