import MarketData
import Venues

/// Venues that prove their books in another way, or not at all.
extension VenueSpeaker {
    /// The identity of a level is made of its price and its side.
    static let bitmex: VenueSpeaker = {
        @Sendable func row(
            _ symbol: String, _ side: BookSide, _ row: (price: Int, size: Int), hasPrice: Bool
        ) -> String {
            let (word, id) = side == .bid ? ("Buy", row.price * 2) : ("Sell", row.price * 2 + 1)
            var fields = #""symbol":"\#(symbol)","id":\#(id),"side":"\#(word)""#
            if row.size > 0 { fields += #","size":\#(row.size)"# }
            if hasPrice { fields += #","price":\#(row.price)"# }
            return "{\(fields)}"
        }
        @Sendable func rows(_ told: Telling, hasPrice: Bool) -> String {
            BookSide.allCases.flatMap { side in
                told.rows(side).map { row(told.symbol, side, $0, hasPrice: hasPrice) }
            }.joined(separator: ",")
        }
        @Sendable func book(_ action: String, _ told: Telling, hasPrice: Bool) -> String {
            #"{"table":"orderBookL2","action":"\#(action)","data":[\#(rows(told, hasPrice: hasPrice))]}"#
        }
        return VenueSpeaker(
            example(of: BitMEX.description), image: { book("partial", $0, hasPrice: true) },
            change: { told in
                let action = told.level?.size == 0 ? "delete" : told.wasThere ? "update" : "insert"
                return book(action, told, hasPrice: action == "insert")
            },
            audit: { "[\(rows($0, hasPrice: true))]" })
    }()

    static let kraken: VenueSpeaker = {
        @Sendable func book(_ type: String, _ told: Telling) -> String {
            @Sendable func row(_ row: (price: Int, size: Int)) -> String {
                #"{"price":\#(row.price).0,"qty":\#(row.size).00}"#
            }
            let top = told.book.levels(.ask).prefix(10) + told.book.levels(.bid).prefix(10)
            // Digits without point and leading zeros: asks from low to high, then bids from high to low.
            var digits = top.map { "\($0.price)0\($0.size)00" }.joined()
            let checksum = digits.withUTF8 { CRC32.checksum(UnsafeRawBufferPointer($0)) }
            return #"{"channel":"book","type":"\#(type)","data":[{"symbol":"\#(told.symbol)","#
                + #""bids":[\#(told.list(.bid, row))],"asks":[\#(told.list(.ask, row))],"checksum":\#(checksum),"#
                + #""timestamp":"2026-01-01T00:00:00.000000Z"}]}"#
        }
        @Sendable func row(_ row: (price: Int, size: Int)) -> String {
            #"["\#(row.price).0","\#(row.size).00",1600000000]"#
        }
        return VenueSpeaker(
            example(of: Kraken.description), image: { book("snapshot", $0) }, change: { book("update", $0) },
            audit: { told in
                #"{"error":[],"result":{"PAIR":{"asks":[\#(told.list(.ask, row))],"#
                    + #""bids":[\#(told.list(.bid, row))]}}}"#
            })
    }()

    /// Numbers the messages of a connection.
    static let coinbase: VenueSpeaker = {
        @Sendable func book(_ type: String, _ told: Telling) -> String {
            let levels = BookSide.allCases.flatMap { side in
                told.rows(side).map { row in
                    (side: side == .bid ? "bid" : "offer", price: "\(row.price)", size: "\(row.size)")
                }
            }
            return VenueSample.coinbaseBook(told.place, type, levels, of: told.symbol)
        }
        @Sendable func row(_ row: (price: Int, size: Int)) -> String {
            #"{"price":"\#(row.price)","size":"\#(row.size)"}"#
        }
        var speaker = VenueSpeaker(
            example(of: Coinbase.description), image: { book("snapshot", $0) },
            change: { book("update", $0) },
            audit: { told in
                #"{"pricebook":{"product_id":"\#(told.symbol)","bids":[\#(told.list(.bid, row))],"#
                    + #""asks":[\#(told.list(.ask, row))],"time":"2026-01-01T00:00:00Z"}}"#
            })
        speaker.proof = .sequence
        return speaker
    }()

    /// Numbers the messages of a connection.
    static let bitfinex: VenueSpeaker = {
        @Sendable func row(_ side: BookSide, _ row: (price: Int, size: Int)) -> String {
            let amount = (side == .bid ? 1 : -1) * max(row.size, 1)
            return "[\(row.price),\(row.size == 0 ? 0 : 1),\(amount)]"
        }
        @Sendable func rows(_ told: Telling) -> String {
            BookSide.allCases.flatMap { side in told.rows(side).map { row(side, $0) } }.joined(separator: ",")
        }
        @Sendable func channel(_ told: Telling) -> Int { VenueSample.bitfinexChannel(told.symbol, "book") }
        var speaker = VenueSpeaker(
            example(of: Bitfinex.description), image: { "[\(channel($0)),[\(rows($0))],\($0.place)]" },
            change: { "[\(channel($0)),\(rows($0)),\($0.place)]" }, audit: { "[\(rows($0))]" })
        speaker.confirmation = { text, symbol in
            text.contains(#""subscribe""#) ? VenueSample.bitfinexSubscribed(symbol, "book") : nil
        }
        return speaker
    }()

    static let gemini: VenueSpeaker = {
        @Sendable func changes(_ told: Telling) -> String {
            BookSide.allCases.flatMap { side in
                told.rows(side).map { #"["\#(side == .bid ? "buy" : "sell")","\#($0.price)","\#($0.size)"]"# }
            }.joined(separator: ",")
        }
        @Sendable func row(_ row: (price: Int, size: Int)) -> String {
            #"{"price":"\#(row.price)","amount":"\#(row.size)","timestamp":"1600000000"}"#
        }
        return VenueSpeaker(
            example(of: Gemini.description),
            image: { told in
                #"{"type":"l2_updates","symbol":"\#(told.symbol)","changes":[\#(changes(told))],"#
                    + #""trades":[],"auction_events":[]}"#
            },
            change: { #"{"type":"l2_updates","symbol":"\#($0.symbol)","changes":[\#(changes($0))]}"# },
            audit: { #"{"bids":[\#($0.list(.bid, row))],"asks":[\#($0.list(.ask, row))]}"# })
    }()

    /// Each message is the whole book.
    static let upbit: VenueSpeaker = {
        @Sendable func body(_ told: Telling) -> String {
            let (bids, asks) = (told.book.levels(.bid), told.book.levels(.ask))
            let units = (0..<max(bids.count, asks.count)).map { place in
                let bid = place < bids.count ? bids[place] : (0, 0)
                let ask = place < asks.count ? asks[place] : (0, 0)
                return #"{"ask_price":\#(ask.0),"bid_price":\#(bid.0),"#
                    + #""ask_size":\#(ask.1),"bid_size":\#(bid.1)}"#
            }
            return #""timestamp":1600000000000,"total_ask_size":1.0,"#
                + #""orderbook_units":[\#(units.joined(separator: ","))]"#
        }
        @Sendable func message(_ told: Telling) -> String {
            #"{"type":"orderbook","code":"\#(told.symbol)",\#(body(told)),"stream_type":"REALTIME"}"#
        }
        return VenueSpeaker(
            example(of: Upbit.description), image: message, change: message,
            audit: { #"[{"market":"\#($0.symbol)",\#(body($0))}]"# })
    }()

    /// Each message is the whole book.
    static let hyperliquid: VenueSpeaker = {
        @Sendable func body(_ told: Telling) -> String {
            @Sendable func side(_ side: BookSide) -> String {
                told.book.levels(side).map { #"{"px":"\#($0.price).0","sz":"\#($0.size).0","n":1}"# }
                    .joined(separator: ",")
            }
            return #"{"coin":"\#(told.symbol)","time":1600000000000,"#
                + #""levels":[[\#(side(.bid))],[\#(side(.ask))]]}"#
        }
        @Sendable func message(_ told: Telling) -> String { #"{"channel":"l2Book","data":\#(body(told))}"# }
        return VenueSpeaker(
            example(of: Hyperliquid.description), image: message, change: message, audit: body)
    }()
}
