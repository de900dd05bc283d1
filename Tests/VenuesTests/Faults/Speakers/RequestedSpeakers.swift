import MarketData
import Venues

/// Venues whose whole books are answers to requests.
extension VenueSpeaker {
    static func binance(_ description: VenueDescription) -> VenueSpeaker {
        let isFutures = description.saysMarkPrices
        @Sendable func image(_ told: Telling) -> String {
            #"{"lastUpdateId":\#(told.number),"bids":[\#(told.list(.bid, pair))],"#
                + #""asks":[\#(told.list(.ask, pair))]}"#
        }
        var speaker = VenueSpeaker(
            example(of: description), image: image,
            change: { told in
                let chain = isFutures ? #","pu":\#(told.previous)"# : ""
                return #"{"stream":"\#(told.symbol.lowercased())@depth@100ms","data":{"e":"depthUpdate","#
                    + #""E":1600000000000,"s":"\#(told.symbol)","U":\#(told.previous + 1),"u":\#(told.number)\#(chain),"#
                    + #""b":[\#(told.list(.bid, pair))],"a":[\#(told.list(.ask, pair))]}}"#
            },
            audit: image)
        speaker.stride = 3
        speaker.imagesByRequest = true
        speaker.subscribesByAddress = true
        return speaker
    }

    static func gateio(_ description: VenueDescription) -> VenueSpeaker {
        let isFutures = description.saysMarkPrices
        @Sendable func row(_ row: (price: Int, size: Int)) -> String {
            isFutures ? #"{"p":"\#(row.price).0","s":\#(row.size)}"# : pair(row)
        }
        @Sendable func image(_ told: Telling) -> String {
            #"{"id":\#(told.number),"current":1600000000123,"update":1600000000100,"#
                + #""asks":[\#(told.list(.ask, row))],"bids":[\#(told.list(.bid, row))]}"#
        }
        var speaker = VenueSpeaker(
            example(of: description), image: image,
            change: { told in
                #"{"time":1600000000,"channel":"\#(isFutures ? "futures" : "spot").order_book_update","#
                    + #""event":"update","result":{"t":1600000000123,"e":"depthUpdate","E":1600000000,"#
                    + #""s":"\#(told.symbol)","U":\#(told.previous + 1),"u":\#(told.number),"#
                    + #""b":[\#(told.list(.bid, row))],"a":[\#(told.list(.ask, row))]}}"#
            },
            audit: image)
        speaker.stride = 3
        speaker.imagesByRequest = true
        speaker.confirmation = { text, _ in VenueSample.gateioSubscribed(text) }
        return speaker
    }

    static let kucoin: VenueSpeaker = {
        @Sendable func image(_ told: Telling) -> String {
            #"{"code":"200000","data":{"time":1600000000000,"sequence":"\#(told.number)","#
                + #""bids":[\#(told.list(.bid, pair))],"asks":[\#(told.list(.ask, pair))]}}"#
        }
        var speaker = VenueSpeaker(
            example(of: KuCoin.description), image: image,
            change: { told in
                @Sendable func row(_ row: (price: Int, size: Int)) -> String {
                    #"["\#(row.price)","\#(row.size)","\#(told.number)"]"#
                }
                return #"{"data":{"sequenceStart":\#(told.previous + 1),"symbol":"\#(told.symbol)","#
                    + #""changes":{"asks":[\#(told.list(.ask, row))],"bids":[\#(told.list(.bid, row))]},"#
                    + #""sequenceEnd":\#(told.number)},"subject":"trade.l2update","#
                    + #""topic":"/market/level2:\#(told.symbol)","type":"message"}"#
            },
            audit: image)
        speaker.imagesByRequest = true
        speaker.confirmation = { text, _ in VenueSample.kucoinAcknowledgement(text) }
        return speaker
    }()

    static let bitstamp: VenueSpeaker = {
        @Sendable func data(_ told: Telling) -> String {
            #""timestamp":"1600000000","microtimestamp":"\#(1_600_000_000_000_000 + told.number)","#
                + #""bids":[\#(told.list(.bid, pair))],"asks":[\#(told.list(.ask, pair))]"#
        }
        var speaker = VenueSpeaker(
            example(of: Bitstamp.description), image: { "{\(data($0))}" },
            change: { told in
                #"{"data":{\#(data(told))},"channel":"diff_order_book_\#(told.symbol)","event":"data"}"#
            },
            audit: { "{\(data($0))}" })
        speaker.imagesByRequest = true
        speaker.confirmation = { text, symbol in
            guard text.contains("bts:subscribe") else { return nil }
            return #"{"event":"bts:subscription_succeeded","channel":"diff_order_book_\#(symbol)","data":{}}"#
        }
        return speaker
    }()
}
