import Instruments
import MarketData

extension Bitpal_V1_DerivativeTicker {
    /// The state as it travels.
    init(_ ticker: DerivativeTicker, of id: InstrumentID) {
        self.init()
        instrument = id.description
        markPrice = ticker.markPrice?.description ?? ""
        indexPrice = ticker.indexPrice?.description ?? ""
        fundingRate = ticker.fundingRate?.description ?? ""
        predictedFundingRate = ticker.predictedFundingRate?.description ?? ""
        nextFundingTimeUnixNanos = ticker.nextFundingTime?.nanoseconds ?? 0
        fundingIntervalSeconds = ticker.fundingIntervalSeconds ?? 0
        openInterest = ticker.openInterest?.description ?? ""
        if let unit = ticker.openInterestUnit, ticker.openInterest != nil {
            openInterestUnit = Bitpal_V1_OpenInterestUnit(rawValue: Int(unit.rawValue)) ?? .unspecified
        }
        venueTimeUnixNanos = ticker.venueTime?.nanoseconds ?? 0
        receivedTimeUnixNanos = ticker.receivedTime.nanoseconds
    }

    func domain() throws(WireError) -> DerivativeTicker {
        var ticker = DerivativeTicker(
            venueTime: EnvelopeDecoder.time(venueTimeUnixNanos),
            receivedTime: Timestamp(nanoseconds: receivedTimeUnixNanos))
        ticker.markPrice = try DecimalNumber(onWire: markPrice, "mark_price")
        ticker.indexPrice = try DecimalNumber(onWire: indexPrice, "index_price")
        ticker.fundingRate = try DecimalNumber(onWire: fundingRate, "funding_rate")
        ticker.predictedFundingRate = try DecimalNumber(
            onWire: predictedFundingRate, "predicted_funding_rate")
        ticker.nextFundingTime = EnvelopeDecoder.time(nextFundingTimeUnixNanos)
        ticker.fundingIntervalSeconds = fundingIntervalSeconds == 0 ? nil : fundingIntervalSeconds
        ticker.openInterest = try DecimalNumber(onWire: openInterest, "open_interest")
        if ticker.openInterest != nil {
            guard let unit = UInt8(exactly: openInterestUnit.rawValue).flatMap(OpenInterestUnit.init) else {
                throw .invalidField("open_interest_unit")
            }
            ticker.openInterestUnit = unit
        }
        return ticker
    }
}

extension Bitpal_V1_Liquidation {
    /// The liquidation as it travels.
    init(_ liquidation: Liquidation, of id: InstrumentID) {
        self.init()
        instrument = id.description
        liquidationID = liquidation.id ?? ""
        side = liquidation.side == .buy ? .buy : .sell
        price = liquidation.price.units
        priceScale = UInt32(liquidation.price.scale.places)
        size = liquidation.size.units
        sizeScale = UInt32(liquidation.size.scale.places)
        venueTimeUnixNanos = liquidation.venueTime?.nanoseconds ?? 0
        receivedTimeUnixNanos = liquidation.receivedTime.nanoseconds
    }

    func domain() throws(WireError) -> Liquidation {
        guard side == .buy || side == .sell else { throw .invalidField("side") }
        return Liquidation(
            id: liquidationID.isEmpty ? nil : liquidationID, side: side == .buy ? .buy : .sell,
            price: DecimalNumber(
                units: price, scale: try EnvelopeDecoder.scale(priceScale, "price_scale")),
            size: DecimalNumber(units: size, scale: try EnvelopeDecoder.scale(sizeScale, "size_scale")),
            venueTime: EnvelopeDecoder.time(venueTimeUnixNanos),
            receivedTime: Timestamp(nanoseconds: receivedTimeUnixNanos))
    }
}

extension DecimalNumber {
    /// Reads an exact decimal; `nil` for an empty text, which says that there is none.
    fileprivate init?(onWire text: String, _ name: StaticString) throws(WireError) {
        if text.isEmpty { return nil }
        do throws(DecimalError) {
            self = try DecimalNumber(parsing: text)
        } catch {
            throw .invalidField(name)
        }
    }
}
