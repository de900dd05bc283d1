import MarketData
import Venues

/// Venues whose subscriptions bring whole books, and whose changes are numbered book by book.
extension VenueSpeaker {
    static let krakenFutures = VenueSpeaker(
        example(of: KrakenFutures.description),
        image: { told in
            @Sendable func rows(_ row: (price: Int, size: Int)) -> String {
                #"{"price":\#(row.price).0,"qty":\#(row.size).0}"#
            }
            return #"{"feed":"book_snapshot","product_id":"\#(told.symbol)","timestamp":1600000000000,"#
                + #""seq":\#(told.number),"tickSize":null,"bids":[\#(told.list(.bid, rows))],"#
                + #""asks":[\#(told.list(.ask, rows))]}"#
        },
        change: { told in
            guard let level = told.level else { return "" }
            let side = level.side == .bid ? "buy" : "sell"
            return #"{"feed":"book","product_id":"\#(told.symbol)","side":"\#(side)","#
                + #""seq":\#(told.number),"price":\#(level.price).0,"qty":\#(level.size).0,"#
                + #""timestamp":1600000000000}"#
        },
        audit: { told in
            #"{"result":"success","orderBook":{"bids":[\#(told.list(.bid, numbers))],"#
                + #""asks":[\#(told.list(.ask, numbers))]},"serverTime":"2026-01-01T00:00:00Z"}"#
        })

    static let poloniex: VenueSpeaker = {
        @Sendable func book(_ action: String, _ told: Telling) -> String {
            VenueSample.poloniexBook(
                action, told.number, after: told.previous, bids: told.list(.bid, pair),
                asks: told.list(.ask, pair), of: told.symbol)
        }
        @Sendable func turns(_ row: (price: Int, size: Int)) -> String { #""\#(row.price)","\#(row.size)""# }
        var speaker = VenueSpeaker(
            example(of: Poloniex.description), image: { book("snapshot", $0) },
            change: { book("update", $0) },
            audit: { told in
                #"{"time":1600000000000,"scale":"0.01","asks":[\#(told.list(.ask, turns))],"#
                    + #""bids":[\#(told.list(.bid, turns))],"ts":1600000000005}"#
            })
        speaker.stride = 3
        return speaker
    }()

    static let cryptoCom: VenueSpeaker = {
        @Sendable func row(_ row: (price: Int, size: Int)) -> String {
            #"["\#(row.price).00","\#(row.size)","1"]"#
        }
        @Sendable func sides(_ told: Telling) -> String {
            #""asks":[\#(told.list(.ask, row))],"bids":[\#(told.list(.bid, row))]"#
        }
        @Sendable func book(_ channel: String, _ told: Telling, _ data: String) -> String {
            #"{"id":-1,"method":"subscribe","code":0,"result":{"instrument_name":"\#(told.symbol)","#
                + #""subscription":"book.\#(told.symbol).50","channel":"\#(channel)","depth":50,"#
                + #""data":[{\#(data),"t":1600000000000,"u":\#(told.number)}]}}"#
        }
        return VenueSpeaker(
            example(of: CryptoCom.description), image: { book("book", $0, sides($0)) },
            change: { told in
                book("book.update", told, #""update":{\#(sides(told))},"pu":\#(told.previous)"#)
            },
            audit: { told in
                #"{"id":-1,"method":"public/get-book","code":0,"#
                    + #""result":{"instrument_name":"\#(told.symbol)","#
                    + #""depth":50,"data":[{\#(sides(told)),"t":1600000000000,"u":\#(told.number)}]}}"#
            })
    }()

    static func okx(_ description: VenueDescription) -> VenueSpeaker {
        @Sendable func row(_ row: (price: Int, size: Int)) -> String {
            #"["\#(row.price)","\#(row.size)","0","1"]"#
        }
        @Sendable func sides(_ told: Telling) -> String {
            #""asks":[\#(told.list(.ask, row))],"bids":[\#(told.list(.bid, row))]"#
        }
        @Sendable func book(_ action: String, _ told: Telling, after previous: Int) -> String {
            #"{"arg":{"channel":"books","instId":"\#(told.symbol)"},"action":"\#(action)","#
                + #""data":[{\#(sides(told)),"#
                + #""ts":"1597026383085","checksum":0,"prevSeqId":\#(previous),"seqId":\#(told.number)}]}"#
        }
        var speaker = VenueSpeaker(
            example(of: description), image: { book("snapshot", $0, after: -1) },
            change: { book("update", $0, after: $0.previous) },
            audit: { #"{"code":"0","msg":"","data":[{\#(sides($0)),"ts":"1597026383085"}]}"# })
        speaker.stride = 3
        speaker.proof = .sequence
        return speaker
    }

    static let bitget: VenueSpeaker = {
        @Sendable func sides(_ told: Telling) -> String {
            #""asks":[\#(told.list(.ask, pair))],"bids":[\#(told.list(.bid, pair))]"#
        }
        @Sendable func book(_ action: String, _ told: Telling, after previous: Int) -> String {
            let data =
                #"{\#(sides(told)),"checksum":0,"pseq":\#(previous),"seq":\#(told.number),"ts":"1695716059516"}"#
            return VenueSample.bitgetMessage(action, "books", data, of: ("SPOT", told.symbol))
        }
        var speaker = VenueSpeaker(
            example(of: Bitget.description), image: { book("snapshot", $0, after: 0) },
            change: { book("update", $0, after: $0.previous) },
            audit: { told in
                #"{"code":"00000","msg":"success","requestTime":1,"#
                    + #""data":{\#(sides(told)),"ts":"1695716059516"}}"#
            })
        speaker.stride = 3
        speaker.proof = .sequence
        return speaker
    }()

    static func bybit(_ description: VenueDescription) -> VenueSpeaker {
        @Sendable func sides(_ told: Telling) -> String {
            #""s":"\#(told.symbol)","b":[\#(told.list(.bid, pair))],"a":[\#(told.list(.ask, pair))]"#
        }
        @Sendable func book(_ type: String, _ told: Telling) -> String {
            #"{"topic":"orderbook.1000.\#(told.symbol)","type":"\#(type)","ts":1600000000000,"#
                + #""data":{\#(sides(told)),"u":\#(told.number),"seq":7},"cts":1600000000000}"#
        }
        return VenueSpeaker(
            example(of: description), image: { book("snapshot", $0) }, change: { book("delta", $0) },
            audit: { told in
                #"{"retCode":0,"retMsg":"OK","result":{\#(sides(told)),"ts":1600000000000,"#
                    + #""u":\#(told.number),"seq":7,"cts":1600000000000},"retExtInfo":{},"time":1600000000000}"#
            })
    }

    static let deribit: VenueSpeaker = {
        @Sendable func book(_ head: String, _ told: Telling) -> String {
            @Sendable func row(_ row: (price: Int, size: Int)) -> String {
                let word = row.size == 0 ? "delete" : told.wasThere ? "change" : "new"
                return #"["\#(word)",\#(row.price).0,\#(row.size).0]"#
            }
            return
                #"{"jsonrpc":"2.0","method":"subscription","params":{"channel":"book.\#(told.symbol).100ms","#
                + #""data":{\#(head),"timestamp":1600000000000,"instrument_name":"\#(told.symbol)","#
                + #""change_id":\#(told.number),"bids":[\#(told.list(.bid, row))],"#
                + #""asks":[\#(told.list(.ask, row))]}}}"#
        }
        var speaker = VenueSpeaker(
            example(of: Deribit.description), image: { book(#""type":"snapshot""#, $0) },
            change: { book(#""type":"change","prev_change_id":\#($0.previous)"#, $0) },
            audit: { told in
                #"{"jsonrpc":"2.0","result":{"instrument_name":"\#(told.symbol)","change_id":\#(told.number),"#
                    + #""bids":[\#(told.list(.bid, numbers))],"asks":[\#(told.list(.ask, numbers))]},"usIn":1}"#
            })
        speaker.stride = 3
        return speaker
    }()

    static let huobi: VenueSpeaker = {
        @Sendable func sides(_ told: Telling) -> String {
            #""bids":[\#(told.list(.bid, numbers))],"asks":[\#(told.list(.ask, numbers))]"#
        }
        var speaker = VenueSpeaker(
            example(of: Huobi.description),
            image: { told in
                #"{"id":"1:0","rep":"market.\#(told.symbol).mbp.150","status":"ok","ts":1600000000000,"#
                    + #""data":{"seqNum":\#(told.number),\#(sides(told))}}"#
            },
            change: { told in
                #"{"ch":"market.\#(told.symbol).mbp.150","ts":1600000000000,"tick":{"seqNum":\#(told.number),"#
                    + #""prevSeqNum":\#(told.previous),\#(sides(told))}}"#
            },
            audit: { told in
                #"{"ch":"market.\#(told.symbol).depth.step0","status":"ok","ts":1600000000000,"#
                    + #""tick":{"ts":1600000000000,"version":1,\#(sides(told))}}"#
            })
        speaker.confirmation = { text, symbol in
            let verb = [("\"sub\"", "subbed"), ("\"unsub\"", "unsubbed")].first { text.contains($0.0) }
            let id = text.firstMatch(of: /"id":"([^"]+)"/).map { String($0.1) } ?? ""
            return verb.map {
                #"{"id":"\#(id)","status":"ok","\#($0.1)":"market.\#(symbol).mbp.150","ts":1600000000000}"#
            }
        }
        return speaker
    }()
}
