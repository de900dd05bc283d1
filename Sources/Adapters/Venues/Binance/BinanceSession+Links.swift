import Instruments
import MarketData

extension BinanceMarket {
    /// What the addresses of its streams begin with, by the number of the connection.
    ///
    /// Source: Binance, "Important WebSocket Change Notice" of USD-M futures, 2026-03-06: from 2026-04-23 on
    /// the address without such a root confirms subscriptions to trades, candles and mark prices and brings
    /// nothing (binance-public-data, #472). Spot and COIN-M go on as they were (ccxt, #28091).
    var roots: [String] { self == .usdm ? ["/public", "/market"] : [""] }

    /// What comes on a connection.
    func channels(of connection: Int) -> ChannelSet {
        guard self == .usdm else { return .all }
        return connection == 0 ? [.book, .ticker] : [.trade, .candle, .mark, .derivative, .liquidation]
    }
}

extension BinanceSession {
    /// Whether a connection is up.
    func isUp(_ connection: Int) -> Bool { connection == 0 ? core.isConnected : tape.isConnected }

    /// Opens a connection to an address that names what is to come on it, as far as there is room; the rest
    /// is asked for once it is open.
    ///
    /// Source: unicorn-binance-websocket-api #17: an address has 8,004 characters at most.
    mutating func open(_ connection: Int, into output: inout VenueOutput) {
        let address = core.configuration.webSocketURL + market.roots[connection] + "/stream?streams="
        var room = 8_000 - address.utf8.count
        var names: [String] = []
        let channels = core.registry.indices.map { index in
            let channels = core.channels[index.offset].intersection(market.channels(of: connection))
            let new = streams(channels, of: index)
            let length = new.reduce(0) { $0 + $1.utf8.count + 1 }
            guard length <= room else { return ChannelSet() }
            room -= length
            names += new
            return channels
        }
        openedWith.append(channels)
        output.actions.append(.open(connection: connection, url: address + names.joined(separator: "/")))
    }

    /// What is wanted differently of a connection than its address names.
    func changes(since connection: Int) -> [FollowingChange] {
        let then = connection < openedWith.count ? openedWith[connection] : []
        return core.registry.indices.map { index in
            let old = index.offset < then.count ? then[index.offset] : []
            let new = core.channels[index.offset].intersection(market.channels(of: connection))
            return FollowingChange(index: index, gained: new.subtracting(old), lost: old.subtracting(new))
        }
    }

    /// Subscribes and unsubscribes on an open connection, as far as it brings what has changed.
    ///
    /// Source: Binance, "Live subscribing/unsubscribing to streams".
    mutating func ask(for changes: [FollowingChange], on connection: Int, into output: inout VenueOutput) {
        let channels = market.channels(of: connection)
        var (lost, gained): ([String], [String]) = ([], [])
        for change in changes {
            let now = core.channels[change.index.offset]
            // The mark price and the state are one stream, which stays as long as either is wanted.
            let old = streams(change.before(now).intersection(channels), of: change.index)
            let new = streams(now.intersection(channels), of: change.index)
            lost += old.filter { !new.contains($0) }
            gained += new.filter { !old.contains($0) }
        }
        send("UNSUBSCRIBE", lost, on: connection, into: &output)
        send("SUBSCRIBE", gained, on: connection, into: &output)
    }

    private mutating func send(
        _ method: String, _ streams: [String], on connection: Int, into output: inout VenueOutput
    ) {
        let limit = core.configuration.description.topicsPerMessage
        for start in stride(from: 0, to: streams.count, by: limit) {
            requestID += 1
            let list = streams[start..<min(start + limit, streams.count)].map { "\"\($0)\"" }
            let text =
                "{\"method\":\"\(method)\",\"params\":[\(list.joined(separator: ","))],\"id\":\(requestID)}"
            output.actions.append(.send(connection: connection, text: text))
        }
    }

    /// What silence of a connection asks for.
    func act(on watch: SessionCore.Watch, connection: Int, into output: inout VenueOutput) {
        switch watch {
        case .nothing: break
        case .ping: output.actions.append(.ping(connection: connection))
        case .reconnect:
            output.actions.append(.reconnect(connection: connection, reason: "no answer to ping"))
        }
    }
}
