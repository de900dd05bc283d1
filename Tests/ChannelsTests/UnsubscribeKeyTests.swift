import Support
import Testing

@testable import Channels

@Suite("A link that ends a channel")
struct UnsubscribeKeyTests {
    private static let channel = "0190a0b0-0000-7000-8000-000000000001"
    private static let key = UnsubscribeKey(Secret(bytes: Array(0..<32)))

    @Test("names the channel to whoever has the key, and to nobody else")
    func opens() {
        let link = Self.key.link(to: Self.channel, on: "https://bitpal.example/unsubscribe")
        let token = Self.key.token(of: Self.channel)
        #expect(link == "https://bitpal.example/unsubscribe?token=\(token)")
        #expect(Self.key.channel(of: token) == Self.channel)
        #expect(UnsubscribeKey(Secret(bytes: Array(1...32))).channel(of: token) == nil)
    }

    @Test("is refused when anything of it is changed")
    func refuses() {
        let token = Array(Self.key.token(of: Self.channel).utf8)
        for seed in UInt64(0)..<200 {
            var generator = SeededGenerator(seed: seed)
            var changed = token
            let index = generator.int(0...(token.count - 1))
            switch generator.int(0...2) {
            case 0: changed[index] = UInt8(generator.int(0x21...0x7E))
            case 1: changed.remove(at: index)
            default: changed.insert(UInt8(generator.int(0x21...0x7E)), at: index)
            }
            // The last character holds two bits of nothing.
            let isSame = changed == token || changed.dropLast() == token.dropLast()
            let opened = Self.key.channel(of: String(decoding: changed, as: UTF8.self))
            #expect(isSame || opened == nil, "seed \(seed)")
        }
        for token in ["", ".", "a.", ".b", Self.channel, String(repeating: "x", count: 10_000)] {
            #expect(Self.key.channel(of: token) == nil)
        }
    }
}
