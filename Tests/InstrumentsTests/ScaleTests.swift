import Instruments
import Testing

@Suite("Scale")
struct ScaleTests {
    @Test("has 0 to 18 places and no others")
    func bounds() {
        #expect((-3...22).map { Scale($0)?.places } == (-3...22).map { (0...18).contains($0) ? $0 : nil })
        #expect(Scale(.max) == nil)
        #expect(Scale(.min) == nil)
        #expect(Scale(rawValue: 18) == .maximum)
        #expect(Scale(rawValue: 19) == nil)
        #expect(Scale(rawValue: 255) == nil)
    }

    @Test("has the power of ten of its places")
    func powers() throws {
        var power: Int64 = 1
        for places in 0...18 {
            #expect(try #require(Scale(places)).power == power)
            if places < 18 { power *= 10 }
        }
    }
}
