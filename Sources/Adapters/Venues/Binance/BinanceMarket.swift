/// The markets whose protocols differ; Binance.US is one of spot.
package enum BinanceMarket: Hashable, Sendable {
    case spot
    /// Futures that are paid in a quote currency, USD-M.
    case usdm
    /// Futures that are paid in the coin itself, COIN-M: sizes count contracts of so many dollars.
    case coinm

    /// Under which its REST routes lie.
    var path: String {
        switch self {
        case .spot: "/api/v3/"
        case .usdm: "/fapi/v1/"
        case .coinm: "/dapi/v1/"
        }
    }
}
