import Alerting
import Instruments
import Support
import Testing

@testable import Zones

@Suite("Time zones of the system")
struct ZoneDirectoryTests {
    @Test(
        "say what the clock on the wall shows, also in years to come",
        arguments: [
            ("Europe/Berlin", "2026-01-15T12:00:00Z", 3_600),
            ("Europe/Berlin", "2026-07-15T12:00:00Z", 7_200),
            ("Europe/Berlin", "2026-03-29T00:59:59Z", 3_600),
            ("Europe/Berlin", "2026-03-29T01:00:00Z", 7_200),
            ("Europe/Berlin", "2090-07-15T12:00:00Z", 7_200),
            ("America/New_York", "2090-01-15T12:00:00Z", -18_000),
            ("America/New_York", "2026-11-01T05:59:59Z", -14_400),
            ("America/New_York", "2026-11-01T06:00:00Z", -18_000),
            ("Asia/Kolkata", "2026-01-15T12:00:00Z", 19_800),
            ("Australia/Sydney", "2080-01-15T12:00:00Z", 39_600),
            ("Asia/Tokyo", "2026-01-15T12:00:00Z", 32_400),
            ("UTC", "2026-01-15T12:00:00Z", 0),
        ])
    func offsets(name: String, time: String, seconds: Int64) throws {
        let zone = try #require(ZoneDirectory.system.offsets(of: name))
        let instant = try #require(Timestamp(iso8601: time))
        #expect(zone.localSeconds(instant) - instant.nanoseconds / 1_000_000_000 == seconds)
    }

    @Test(
        "are none for names that lead elsewhere",
        arguments: ["", "/etc/passwd", "../passwd", "Europe", "No/Such"])
    func unknown(name: String) { #expect(ZoneDirectory.system.offsets(of: name) == nil) }

    @Test("are none for damaged files, whatever is in them")
    func damaged() {
        property(cases: 200) { generator in
            var bytes = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 39)
            for _ in 0..<generator.int(0...200) { bytes.append(UInt8(generator.int(0...255))) }
            if bytes.count > 44, generator.chance(50) {
                bytes.replaceSubrange(
                    44..<min(88, bytes.count), with: Array("TZif2".utf8) + [UInt8](repeating: 0, count: 39))
            }
            for _ in 0..<generator.int(0...4) {
                bytes[generator.int(0...bytes.count - 1)] = UInt8(generator.int(0...3))
            }
            _ = ZoneOffsets(name: "x", zoneFile: bytes)
        }
    }
}
