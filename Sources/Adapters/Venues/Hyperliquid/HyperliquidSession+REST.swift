package import Instruments
package import MarketData

extension HyperliquidSession {
    package mutating func responded(
        to request: VenueRequest, status: Int, body: UnsafeRawBufferPointer, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard status == 200, request.purpose == .instruments else { return }
        let events = output.events.count
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { throw .malformed }
            guard let list = try HyperliquidList.read(&scanner, core.configuration.venue) else { return }
            for instrument in list.instruments { core.define(instrument, into: &output) }
            // Each market has a list of its own, which says nothing of the other.
            core.compareWithList(at: time, into: &output) { Hyperliquid.isSpot($0) == list.isSpot }
        } catch {
            output.events.removeLast(output.events.count - events)
            output.malformed("answer", bytes: body.count)
        }
    }

    /// Everything is asked at one address: what an answer is shows in it.
    package mutating func request(for url: String) -> VenueRequest? {
        guard URLText.path(of: url).hasSuffix(core.configuration.description.instrumentList) else {
            return nil
        }
        return VenueRequest(purpose: .instruments, url: url)
    }

    package func auditRequest(for instrument: InstrumentIndex) -> VenueRequest? {
        let coin = core.registry[instrument].symbol
        return VenueRequest(
            purpose: .audit(instrument), url: infoURL, body: "{\"type\":\"l2Book\",\"coin\":\"\(coin)\"}")
    }

    package func auditBook(_ body: UnsafeRawBufferPointer, for instrument: InstrumentIndex) -> Book? {
        guard var scanner = JSONScanner(body) else { return nil }
        do throws(ScanError) {
            return try readImage(&scanner).levels.flatMap { core.auditBook($0, instrument) }
        } catch {
            return nil
        }
    }

    package func tradesRequest(for instrument: InstrumentIndex, after last: TradeMark?) -> VenueRequest? {
        nil
    }
}
