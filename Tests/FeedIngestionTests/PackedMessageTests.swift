import MarketData
import Operations
import Support
import Testing
import Venues

@testable import FeedIngestion

@Suite("A venue that packs its messages", .timeLimit(.minutes(10)))
struct PackedMessageTests {
    /// A gzip file of one stored block.
    ///
    /// Source: RFC 1952, 2.3 and RFC 1951, 3.2.4.
    private func gzip(_ text: String) -> [UInt8] {
        func number(_ value: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
        let bytes = Array(text.utf8)
        let length = UInt16(bytes.count)
        let checksum = bytes.withUnsafeBytes { CRC32.checksum($0) }
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1] + number(length) + number(~length) + bytes
            + number(checksum) + number(UInt32(length))
    }

    @Test("is read unpacked; what cannot be unpacked costs the connection, and its books are proven anew")
    func packed() async throws {
        try await IngestionFixture.run { fixture in
            var description = BitMEX.description
            description.compression = .gzip
            var venue = VenueConfiguration(description)
            venue.webSocketURL = "ws://127.0.0.1:\(fixture.venue.port)"
            venue.restURL = "http://127.0.0.1:\(fixture.venue.port)"
            venue.subscriptions = [("XBTUSD", [.book])]
            let services = try fixture.ingestor { $0.venues = [venue] }
            try await fixture.reading(["book."]) { bus in
                try await running(services) {
                    let first = try await fixture.venue.connection()
                    try await first.wait(for: "orderBookL2:XBTUSD")
                    first.send(binary: gzip(BitMEXWords.partial("b100×2 a101×1")))
                    #expect(try await bus.liveBook() == "live seq 1 | bids 100×2 | asks 101×1")
                    first.send(binary: gzip(BitMEXWords.update("b100×5")).dropLast(3))
                    #expect(try await bus.book() == "stale disconnected")
                    let second = try await fixture.venue.connection()
                    try await second.wait(for: "orderBookL2:XBTUSD")
                    #expect(try await bus.book() == "syncing snapshot-pending")
                    // Text may come beside what is packed.
                    second.send(BitMEXWords.partial("b99×2 a101×1"))
                    #expect(try await bus.liveBook().hasSuffix("bids 99×2 | asks 101×1"))
                }
            }
        }
    }
}
