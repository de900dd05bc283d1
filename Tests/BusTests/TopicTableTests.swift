import Bus
import Support
import Testing

@Suite("Topic table")
struct TopicTableTests {
    private func index(_ table: inout TopicTable, _ name: String) -> Int? {
        Array(name.utf8).withUnsafeBytes { table.intern($0) }
    }

    @Test("numbers names from 0 and knows them again")
    func numbers() {
        var table = TopicTable(limit: 10)
        #expect(index(&table, "trade.a.") == 0)
        #expect(index(&table, "trade.b.") == 1)
        #expect(index(&table, "") == 2)
        #expect(index(&table, "trade.a.") == 0)
        #expect(table.text(1) == "trade.b.")
        #expect(table.count == 3)
        #expect(Array("trade.c.".utf8).withUnsafeBytes { table.find($0) } == nil)
    }

    @Test("refuses further names at its limit and keeps the others")
    func limit() {
        var table = TopicTable(limit: 2)
        #expect(index(&table, "a.") == 0)
        #expect(index(&table, "b.") == 1)
        #expect(index(&table, "c.") == nil)
        #expect(index(&table, "b.") == 1)
    }

    @Test("agrees with a dictionary for any names, also those that differ in one byte")
    func likeADictionary() {
        property { generator in
            var table = TopicTable(limit: 1_000)
            var model: [[UInt8]: Int] = [:]
            for _ in 0..<generator.int(1...400) {
                let name =
                    generator.chance(50)
                    ? generator.bytes(0...20) : Array("book.delta.kraken.I\(generator.int(0...50)).".utf8)
                let expected = model[name] ?? model.count
                model[name] = expected
                let found = name.withUnsafeBytes { table.intern($0) }
                try #require(found == expected)
            }
            for (name, expected) in model {
                let found = name.withUnsafeBytes { table.find($0) }
                try #require(found == expected)
                try #require(table.withName(expected) { Array($0) } == name)
            }
        }
    }

    @Test("agrees with a dictionary while names come and go, and needs no more numbers than names at once")
    func removals() {
        property { generator in
            var table = TopicTable(limit: 40)
            var model: [[UInt8]: Int] = [:]
            for _ in 0..<generator.int(1...600) {
                let name = Array("heartbeat.instance-\(generator.int(0...60)).".utf8)
                if let known = model[name], generator.chance(50) {
                    table.remove(known)
                    model[name] = nil
                } else if let index = name.withUnsafeBytes({ table.intern($0) }) {
                    let isRight = model[name].map { $0 == index } ?? !model.values.contains(index)
                    try #require(index < 40 && isRight)
                    model[name] = index
                } else {
                    try #require(model.count == 40 && model[name] == nil)
                }
                try #require(table.count == model.count)
            }
            for number in 0...60 {
                let name = Array("heartbeat.instance-\(number).".utf8)
                let found = name.withUnsafeBytes { table.find($0) }
                try #require(found == model[name])
                guard let found else { continue }
                try #require(table.isUsed(found))
                try #require(table.withName(found) { Array($0) } == name)
            }
        }
    }

    @Test("a hundred thousand names that come and go leave its bytes as they were")
    func bytes() {
        var table = TopicTable(limit: 1_000)
        var kept: [Int] = []
        for number in 0..<100_000 {
            if let index = index(&table, "service.status.notifier.\(number).") { kept.append(index) }
            if kept.count > 8 { table.remove(kept.removeFirst()) }
        }
        #expect(table.count == 8 && kept.allSatisfy { $0 < 16 })
        #expect(table.byteCount < 16_384)
    }
}
