import Alerting
import Foundation
import Instruments
import Support
import Testing

@testable import Channels

@Suite("A time zone's file")
struct ZoneFileTests {
    private static let folder = "/usr/share/zoneinfo"

    private static func zone(_ name: String) throws -> ZoneOffsets? {
        let bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
        return ZoneOffsets(name: name, zoneFile: Array(bytes))
    }

    /// A file of version 2 without changes, and a rule.
    private static func file(_ rule: String) -> [UInt8] {
        let head = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        let counts: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4]
        let block = head + counts + [0, 0, 0, 0, 0, 0] + Array("LMT\0".utf8)
        return block + block + Array("\n\(rule)\n".utf8)
    }

    private static func seconds(_ zone: ZoneOffsets?, _ time: String) -> Int64? {
        guard let zone, let time = Timestamp(iso8601: time) else { return nil }
        return zone.localSeconds(time) - ZoneOffsets.utc.localSeconds(time)
    }

    @Test("is read with its rule for the future")
    func readsRule() {
        let berlin = ZoneOffsets(name: "x", zoneFile: Self.file("CET-1CEST,M3.5.0,M10.5.0/3"))
        #expect(Self.seconds(berlin, "2026-03-29T00:59:59Z") == 3_600)
        #expect(Self.seconds(berlin, "2026-03-29T01:00:00Z") == 7_200)
        #expect(Self.seconds(berlin, "2026-10-25T00:59:59Z") == 7_200)
        #expect(Self.seconds(berlin, "2026-10-25T01:00:00Z") == 3_600)
        let howe = ZoneOffsets(name: "x", zoneFile: Self.file("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"))
        #expect(Self.seconds(howe, "2026-01-01T00:00:00Z") == 39_600)
        #expect(Self.seconds(howe, "2026-07-01T00:00:00Z") == 37_800)
        let nuuk = ZoneOffsets(name: "x", zoneFile: Self.file("<-02>2<-01>,M3.5.0/-1,M10.5.0/0"))
        #expect(Self.seconds(nuuk, "2026-03-29T00:59:59Z") == -7_200)
        #expect(Self.seconds(nuuk, "2026-03-29T01:00:00Z") == -3_600)
        let plain = ZoneOffsets(name: "x", zoneFile: Self.file("JST-9"))
        #expect(Self.seconds(plain, "2026-03-29T00:59:59Z") == 0)
    }

    @Test("that is damaged is refused or read, and never ends the process")
    func refusesDamage() throws {
        #expect(ZoneOffsets(name: "x", zoneFile: []) == nil)
        #expect(ZoneOffsets(name: "x", zoneFile: Self.file("CET-1CEST")) == nil)
        #expect(ZoneOffsets(name: "x", zoneFile: Self.file("CET-1CEST,M13.5.0,M10.5.0")) == nil)
        #expect(ZoneOffsets(name: "x", zoneFile: Array(repeating: 0x54, count: 70_000)) == nil)
        property { generator in
            var bytes = Self.file("CET-1CEST,M3.5.0,M10.5.0/3")
            for _ in 0..<generator.int(1...4) {
                bytes[generator.int(0...bytes.count - 1)] = UInt8(generator.int(0...255))
            }
            _ = ZoneOffsets(name: "x", zoneFile: Array(bytes.prefix(generator.int(0...bytes.count))))
        }
    }

    @Test(
        "gives the offsets that Foundation gives",
        .enabled(if: FileManager.default.fileExists(atPath: folder)),
        arguments: [
            "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Asia/Kolkata", "Australia/Lord_Howe",
            "Africa/Casablanca",
            "America/Sao_Paulo", "Pacific/Apia", "Asia/Tehran", "Europe/Dublin", "America/Nuuk",
            "Antarctica/Troll",
        ])
    func agrees(_ name: String) throws {
        let zone = try #require(try Self.zone(name))
        let other = try #require(TimeZone(identifier: name))
        property { generator in
            // 1975 to 2037, which is as far as Foundation's own tables reach everywhere.
            let seconds = Int64(generator.int(157_766_400...2_114_380_800))
            let seen = zone.localSeconds(Timestamp(nanoseconds: seconds * 1_000_000_000)) - seconds
            let expected = other.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
            try #require(seen == Int64(expected), "\(name) at \(seconds)")
        }
    }
}
