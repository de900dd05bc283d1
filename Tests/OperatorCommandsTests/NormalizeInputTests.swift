import Foundation
import Instruments
import MarketData
import Recordings
import Support
import Testing
import Venues

@testable import OperatorCommands

@Suite("Normalize")
struct NormalizeInputTests {
    private static let frames = [
        #"{"table":"orderBookL2","action":"partial","data":["#
            + #"{"symbol":"XBTUSD","id":1,"side":"Buy","size":5,"price":1.8e-5},"#
            + #"{"symbol":"XBTUSD","id":2,"side":"Sell","size":7,"price":0.0000190}]}"#,
        #"{"table":"orderBookL2","action":"update","data":["#
            + #"{"symbol":"XBTUSD","id":2,"side":"Sell","size":8}]}"#,
        #"{"table":"orderBookL2","action":"delete","data":["#
            + #"{"symbol":"XBTUSD","id":1,"side":"Buy"}]}"#,
    ]

    private static func recording(_ frames: [String]) throws -> String {
        let path = try TestDatabase.temporaryDirectory() + "/r.jsonl.gz"
        let header = RecordingHeader(venue: .bitmex, started: .zero, source: "test", licence: "ours")
        let writer = try RecordingWriter(path: path, header: header)
        for (index, frame) in frames.enumerated() {
            try writer.write(
                RecordingEntry(
                    time: Timestamp(nanoseconds: Int64(index + 1) * 1_500_000_000), connection: 1, kind: .ws,
                    direction: .in, data: Array(frame.utf8)))
        }
        try writer.finish()
        return path
    }

    private static func lines(_ path: String, _ emission: Emission) throws -> [String] {
        var text: [UInt8] = []
        var normalizer = try Normalizer(path: path, emission: emission)
        try normalizer.run { text += $0 }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("prints a row after every change, with null for an empty side")
    func top() throws {
        #expect(
            try Self.lines(try Self.recording(Self.frames), .top) == [
                #"["XBTUSD",1,"1.5","S","0.000018","5","0.000019","7",1,1]"#,
                #"["XBTUSD",2,"3","D","0.000018","5","0.000019","8",1,1]"#,
                #"["XBTUSD",3,"4.5","D",null,null,"0.000019","8",0,1]"#,
            ])
    }

    @Test("hashes plain decimals, and only tops with both sides")
    func hash() throws {
        let summary = try #require(try Self.lines(try Self.recording(Self.frames), .summary).first)
        // printf '0.000018:5:0.000019:7\n0.000018:5:0.000019:8\n' | sha256sum
        #expect(
            summary.contains(
                #""tob_sha256":"32bf3f0a3bb664a657c14ee57da621a211c9f4df868b7dfd564249722e0c54c7""#))
        #expect(summary.contains(#""book_updates":{"XBTUSD":3},"book_snapshots":{"XBTUSD":1}"#))
        #expect(summary.contains(#""checksums":{"total":0,"ok":0},"gaps":{}"#))
    }

    @Test("repeats the times of each venue in its own words")
    func times() throws {
        let time = try #require(Timestamp(iso8601: "2021-07-22T22:36:07.865123456Z"))
        #expect(BitMEX.description.wording(nil).text(time) == "2021-07-22T22:36:07.865Z")
        #expect(Binance.spot.wording(nil).text(time) == "1626993367865")
        #expect(Kraken.description.wording(UInt8(ascii: "[")).text(time) == "1626993367.865123")
        #expect(Kraken.description.wording(UInt8(ascii: "{")).text(time) == "2021-07-22T22:36:07.865123Z")
    }
}
