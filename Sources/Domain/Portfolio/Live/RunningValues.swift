import Instruments

/// Who holds one asset, and how much of it.
struct Holders: Sendable {
    /// A holder whose amount has an integer of 64 bits: nearly all of them.
    struct Short: Sendable {
        var units: Int64
        var portfolio: ValuationSet.Place
        var places: Int32
    }
    /// Any other one.
    struct Long: Sendable {
        var amount: Amount
        var portfolio: ValuationSet.Place
    }

    private(set) var short: [Short] = []
    private(set) var long: [Long] = []

    var count: Int { short.count + long.count }

    mutating func append(_ portfolio: ValuationSet.Place, _ amount: Amount) {
        if let (units, places) = amount.wideUnits, let units = Int64(exactly: units) {
            short.append(Short(units: units, portfolio: portfolio, places: Int32(clamping: places)))
        } else {
            long.append(Long(amount: amount, portfolio: portfolio))
        }
    }

    mutating func remove(_ portfolio: ValuationSet.Place) {
        short.removeAll { $0.portfolio == portfolio }
        long.removeAll { $0.portfolio == portfolio }
    }
}

/// What portfolios are worth as exact sums, and which of them changed.
struct RunningValues: Sendable {
    /// An integer and its decimal places, in one cache line with its mark.
    private struct Sum {
        var units: Int128 = 0
        var places: Int32 = 0
        var isLive = false
        var isChanged = false

        /// Adds an integer of so many places.
        ///
        /// - Returns: Whether it fitted; nothing has changed when it did not.
        @inline(__always)
        mutating func add(_ other: Int128, places otherPlaces: Int32) -> Bool {
            var other = other
            if otherPlaces != places {
                guard let (first, second) = aligned(other, otherPlaces) else { return false }
                units = first
                places = max(places, otherPlaces)
                other = second
            }
            let (sum, overflow) = units.addingReportingOverflow(other)
            guard !overflow, sum != .min else { return false }
            units = sum
            return true
        }

        /// Both integers at the larger number of places.
        private func aligned(_ other: Int128, _ otherPlaces: Int32) -> (Int128, Int128)? {
            let isMine = places < otherPlaces
            let difference = isMine ? otherPlaces - places : places - otherPlaces
            guard difference < RunningValues.powers.count else { return nil }
            let (product, overflow) = (isMine ? units : other)
                .multipliedReportingOverflow(by: RunningValues.powers[Int(difference)])
            guard !overflow, product != .min else { return nil }
            return isMine ? (product, other) : (units, product)
        }
    }

    /// 10^0...10^38.
    private static let powers: [Int128] = (0..<38).reduce(into: [1]) { powers, _ in
        powers.append(powers[powers.count - 1] * 10)
    }

    private var sums: [Sum] = []
    /// What did not fit into a sum, to be added to it.
    private var further: [ValuationSet.Place: Amount] = [:]
    private var changed: [ValuationSet.Place] = []

    /// A portfolio of nothing takes the place.
    mutating func begin(_ place: ValuationSet.Place) {
        while sums.count <= Int(place) { sums.append(Sum()) }
        sums[Int(place)] = Sum(isLive: true)
    }

    mutating func end(_ place: ValuationSet.Place) {
        if sums[Int(place)].isChanged { changed.removeAll { $0 == place } }
        sums[Int(place)] = Sum()
        further[place] = nil
    }

    mutating func mark(_ place: ValuationSet.Place) {
        guard sums[Int(place)].isLive, !sums[Int(place)].isChanged else { return }
        sums[Int(place)].isChanged = true
        changed.append(place)
    }

    /// The places that were marked since the last call.
    mutating func takeChanged() -> [ValuationSet.Place] {
        for place in changed { sums[Int(place)].isChanged = false }
        defer { changed.removeAll(keepingCapacity: true) }
        return changed
    }

    func value(of place: ValuationSet.Place) -> Amount {
        let sum = sums[Int(place)]
        let value = Amount(wideUnits: sum.units, places: Int(sum.places))
        return further[place].map { value + $0 } ?? value
    }

    mutating func add(_ value: Amount, to place: ValuationSet.Place) {
        if let (units, places) = value.wideUnits, sums[Int(place)].add(units, places: Int32(clamping: places))
        {
            return
        }
        further[place, default: .zero] += value
    }

    /// Adds a change of price × amount to each holder, and marks it.
    mutating func add(_ change: Amount, times holders: Holders) {
        if change.isZero {
            for holder in holders.short { mark(holder.portfolio) }
        } else if let (units, places) = change.wideUnits, let units = Int64(exactly: units) {
            add(units, Int32(clamping: places), times: holders.short)
        } else {
            for holder in holders.short {
                add(change * Amount(units: holder.units, places: Int(holder.places)), to: holder.portfolio)
                mark(holder.portfolio)
            }
        }
        for holder in holders.long {
            if !change.isZero { add(change * holder.amount, to: holder.portfolio) }
            mark(holder.portfolio)
        }
    }

    /// Nearly every change and every holder: two integers of 64 bits, nothing on the heap.
    private mutating func add(_ change: Int64, _ places: Int32, times holders: [Holders.Short]) {
        for holder in holders {
            let product = change.multipliedFullWidth(by: holder.units)
            let units = Int128(product.high) << 64 | Int128(product.low)
            if !sums[Int(holder.portfolio)].add(units, places: places + holder.places) {
                further[holder.portfolio, default: .zero] += Amount(
                    wideUnits: units, places: Int(places + holder.places))
            }
            mark(holder.portfolio)
        }
    }
}
