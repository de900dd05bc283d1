import Instruments
import MarketData

extension GateioSession {
    /// As many levels as the channel keeps: deeper ones would never change.
    func bookURL(_ index: InstrumentIndex) -> String {
        let symbol = URLText.escape(core.registry[index].symbol)
        return route("order_book") + "?\(market.symbolName)=\(symbol)&limit=\(Self.depth)&with_id=true"
    }

    /// Reads `id, current, update, asks, bids`.
    func image(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, in core: inout SessionCore
    ) throws(ScanError) -> GateioDiff {
        let body = scanner.index
        return try core.atFinalScales(index) { forms throws(ScanError) in
            scanner.index = body
            var image = GateioDiff(isFull: true, priceScale: forms.price.scale, sizeScale: forms.size.scale)
            var sides = 0
            try scanner.object { scanner, key throws(ScanError) in
                let isBid = scanner.equals(key, "bids")
                if isBid || scanner.equals(key, "asks") {
                    sides += 1
                    try scanner.gateioLevels(isBid ? .bid : .ask, forms, into: &image.levels)
                } else if scanner.equals(key, "id"), try scanner.peek() != 0x6E {
                    image.lastID = try scanner.integer()
                } else if scanner.equals(key, "update") {
                    image.venueTime = try scanner.gateioTime()
                } else {
                    try scanner.skip()
                }
            }
            guard sides == 2 else { throw .malformed }
            return image
        }
    }

    /// Steps 2 to 4: takes the image if it reaches the waiting messages, then applies those.
    mutating func takeImage(
        _ image: GateioDiff, _ index: InstrumentIndex, at time: Timestamp, into output: inout VenueOutput
    ) {
        guard takesImage(index) else { return }
        let pending = depths[index.offset].pending
        if let first = pending.first, image.lastID < first.firstID - 1 {
            return retryImage(index, at: time)
        }
        depths[index.offset] = DepthState(lastID: image.lastID, isFirst: true)
        core.publishImage(image.levels, of: index, venueTime: image.venueTime, at: time, into: &output)
        for diff in pending { take(diff, index, at: time, into: &output) }
    }

    mutating func retryImage(_ index: InstrumentIndex, at time: Timestamp) {
        guard takesImage(index) else { return }
        let delay = core.governor.delay(attempts: core.trackers[index.offset].attempts)
        core.trackers[index.offset].phase = .scheduled(at: time.adding(nanoseconds: max(delay, 1)))
    }
}

extension JSONScanner {
    /// Milliseconds of spot, or seconds with a fraction of futures; a fraction of either is kept.
    ///
    /// - Returns: `nil` for null, an empty text or a number that is no time.
    mutating func gateioTime() throws(ScanError) -> Timestamp? {
        guard let number = try anyDecimal() else { return nil }
        return Timestamp(gateio: number)
    }
}

extension Timestamp {
    /// Seconds or milliseconds since 1970, whichever the size of the number says, cut to nanoseconds.
    init?(gateio number: DecimalNumber) {
        let exact = number.normalized
        // In seconds 10^11 is the year 5138, in milliseconds 1973.
        let isMilliseconds = exact.units.magnitude / exact.scale.power.magnitude >= 100_000_000_000
        let places = isMilliseconds ? 6 : 9
        let shift = places - exact.scale.places
        if shift < 0 {
            self.init(nanoseconds: exact.units / Scale.powers(-shift))
        } else {
            let (product, overflow) = exact.units.multipliedReportingOverflow(by: Scale.powers(shift))
            if overflow { return nil }
            self.init(nanoseconds: product)
        }
    }
}
