import MarketData
import Testing

@Suite("States, reasons and sides")
struct MarketEnumsTests {
    @Test("have the numbers of the public schema")
    func numbers() {
        #expect(BookState.allCases.map(\.rawValue) == [1, 2, 3, 4])
        #expect(BookStateReason.allCases.map(\.rawValue) == Array(1...17))
        #expect(Side.allCases.map(\.rawValue) == [1, 2])
        #expect(BookState(rawValue: 0) == nil)
        #expect(BookStateReason(rawValue: 0) == nil)
    }

    @Test("have names in lower case with hyphens, each its own")
    func names() {
        #expect(BookState.allCases.map(\.name) == ["syncing", "live", "suspect", "stale"])
        #expect(Side.allCases.map(\.name) == ["buy", "sell"])
        let names = BookStateReason.allCases.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "-" } })
        #expect(BookStateReason.sequenceGap.name == "sequence-gap")
        #expect(BookStateReason.numberOutOfRange.name == "number-out-of-range")
    }
}
