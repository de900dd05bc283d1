import Instruments

/// HTX spot, www.htx.com, which was Huobi until 2023 and still is in its addresses.
package enum Huobi {
    /// How books are followed.
    package static let bookOption = VenueOption(
        name: "book", words: ["mbp", "depth"], standard: "mbp",
        summary: "Whether changes of books are followed (mbp) or whole images (depth).")

    /// What is asked of it.
    ///
    /// Sources: a recording of 2021 (`depth.step0`, trades, gzip), cryptofeed (a ping every 5 s, to be
    /// answered), api-evangelist/htx (public routes of market data 800 a second by address; clients had 10).
    /// Not confirmed: "Spot API reference" on MBP and BBO, its announcements "New MBP feed" (2020-03: 150
    /// levels every 100 ms) and "Fix of seqNum" (2020-05: an image fits the changes of its own connection).
    package static let description = VenueDescription(
        venue: Venue(rawValue: "huobi"),
        webSocketURL: "wss://api.huobi.pro",
        restURL: "https://api.huobi.pro",
        scope: "huobi",
        usualSymbols: ["btcusdt", "ethusdt"],
        isUsual: false,
        options: [bookOption],
        requests: RequestLimit(capacity: 10, refillEvery: 200_000_000),
        images: ImageLimit(perSecond: 5, burst: 20),
        topicsPerMessage: 1,
        connections: ConnectionBounds(
            topics: 200, parts: 20, opening: RequestLimit(capacity: 5, refillEvery: 2_000_000_000)),
        ping: .frame,
        compression: .gzip,
        proof: .sequence,
        auditsWholeBooks: false,
        saysMarkPrices: false,
        countsContracts: false,
        instrumentList: "/v2/settings/common/symbols",
        history: HuobiHistory.route,
        wording: { _ in VenueWording(times: .milliseconds, trimsNumbers: true) },
        makeSession: { HuobiSession($0) })
}
