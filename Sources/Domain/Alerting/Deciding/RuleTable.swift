import Instruments

/// All rules by slot, found by id through an open-addressing table of 4 bytes a place.
struct RuleTable: Sendable {
    /// 2^30, what a tag can name.
    static let limit = 1 << 30

    private(set) var records: [RuleRecord] = []
    private var free: [UInt32] = []
    private var places: [UInt32] = []
    private(set) var count = 0

    private var options: [RuleOptions] = []
    private var uses: [UInt32] = []
    private var freeOptions: [UInt32] = []
    private var optionPlaces: [RuleOptions: UInt32] = [:]
    /// The options shared last: many rules in a row are alike.
    private var latest = 0

    private static let empty = UInt32.max

    subscript(slot: UInt32) -> RuleRecord {
        get { records[Int(slot)] }
        _modify { yield &records[Int(slot)] }
    }

    func options(of slot: UInt32) -> RuleOptions { options[Int(records[Int(slot)].options)] }

    func slot(of id: RuleID) -> UInt32? {
        guard !places.isEmpty else { return nil }
        var place = RuleTable.hash(id) & (places.count - 1)
        while places[place] != RuleTable.empty {
            if records[Int(places[place])].id == id { return places[place] }
            place = (place + 1) & (places.count - 1)
        }
        return nil
    }

    /// Makes room for more rules at once.
    mutating func reserve(_ more: Int) {
        records.reserveCapacity(records.count + more)
        var size = max(16, places.count)
        while (count + more) * 4 > size * 3 { size *= 2 }
        if size > places.count { grow(to: size) }
    }

    /// Enters a rule whose id is not there yet.
    mutating func insert(_ record: RuleRecord, _ options: RuleOptions) -> UInt32 {
        if (count + 1) * 4 > places.count * 3 { grow(to: max(16, places.count * 2)) }
        var record = record
        record.options = share(options)
        let slot: UInt32
        if let last = free.popLast() {
            slot = last
            records[Int(slot)] = record
        } else {
            slot = UInt32(records.count)
            records.append(record)
        }
        count += 1
        enter(slot)
        return slot
    }

    mutating func remove(_ slot: UInt32) {
        let id = records[Int(slot)].id
        let mask = places.count - 1
        var place = RuleTable.hash(id) & mask
        while places[place] != slot { place = (place + 1) & mask }
        // Close the hole, so that no search stops before what lies behind it.
        var next = (place + 1) & mask
        while places[next] != RuleTable.empty {
            let home = RuleTable.hash(records[Int(places[next])].id) & mask
            if (next &- home) & mask >= (next &- place) & mask {
                places[place] = places[next]
                place = next
            }
            next = (next + 1) & mask
        }
        places[place] = RuleTable.empty
        release(records[Int(slot)].options)
        free.append(slot)
        count -= 1
    }

    /// Every slot that holds a rule.
    var slots: [UInt32] { places.filter { $0 != RuleTable.empty } }

    private mutating func grow(to size: Int) {
        let old = slots
        places = [UInt32](repeating: RuleTable.empty, count: size)
        for slot in old { enter(slot) }
    }

    private mutating func enter(_ slot: UInt32) {
        var place = RuleTable.hash(records[Int(slot)].id) & (places.count - 1)
        while places[place] != RuleTable.empty { place = (place + 1) & (places.count - 1) }
        places[place] = slot
    }

    private mutating func share(_ wanted: RuleOptions) -> UInt32 {
        if latest < options.count, uses[latest] > 0, options[latest] == wanted {
            uses[latest] += 1
            return UInt32(latest)
        }
        if let place = optionPlaces[wanted] {
            uses[Int(place)] += 1
            latest = Int(place)
            return place
        }
        let place: UInt32
        if let last = freeOptions.popLast() {
            place = last
            options[Int(place)] = wanted
            uses[Int(place)] = 1
        } else {
            place = UInt32(options.count)
            options.append(wanted)
            uses.append(1)
        }
        optionPlaces[wanted] = place
        return place
    }

    private mutating func release(_ place: UInt32) {
        uses[Int(place)] -= 1
        guard uses[Int(place)] == 0 else { return }
        optionPlaces[options[Int(place)]] = nil
        freeOptions.append(place)
    }

    private static func hash(_ id: RuleID) -> Int {
        Int(truncatingIfNeeded: UInt(bitPattern: id.hashValue) >> 1)
    }
}
