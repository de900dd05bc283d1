@testable import GatewayAPI

/// What a simulator answers whose prices are made of nothing but the question.
enum SimulatedCandles {
    /// A gateway that knows it.
    static var demo: DemoConfiguration {
        var demo = DemoConfiguration()
        demo.restURL = "http://simulator"
        demo.get = { Array(answer($0).utf8) }
        return demo
    }

    /// Dollars of an asset at a time: a dollar more each day.
    static func dollars(at milliseconds: Int64) -> Int64 { milliseconds / 86_400_000 - 15_000 }

    static func answer(_ url: String) -> String {
        let pairs = url.split(separator: "?").last?.split(separator: "&") ?? []
        var fields: [String: String] = [:]
        for pair in pairs.map({ $0.split(separator: "=").map(String.init) }) where pair.count == 2 {
            fields[pair[0]] = pair[1]
        }
        if url.hasPrefix("http://simulator/kraken/0/public/OHLC") {
            let since = Int64(fields["since"] ?? "") ?? 0
            let rows = (1...60).map { (minute: Int64) in
                let time = since + 1 + minute * 60
                return #"[\#(time),"60000.1","60010.0","59990.0","60001.5","60000.0","1.5",7]"#
            }
            return #"{"error":[],"result":{"XBTUSD":[\#(rows.joined(separator: ","))],"last":0}}"#
        }
        guard url.hasPrefix("http://simulator/binance/api/v3/klines"),
            let from = Int64(fields["startTime"] ?? ""), let to = Int64(fields["endTime"] ?? "")
        else { return "{}" }
        let rows = stride(from: from, through: to, by: 86_400_000).map { time in
            let price = dollars(at: time)
            return
                #"[\#(time),"\#(price).0","\#(price + 2).0","\#(price - 1).0","\#(price + 1).0","9",0,"9",5,"4","0","0"]"#
        }
        return "[\(rows.joined(separator: ","))]"
    }
}
