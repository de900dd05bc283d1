import Instruments
import MarketState
import Venues

extension RequestAddress {
    /// Whether a venue's list of instruments is at this address, or a part of it.
    func isInstrumentList(of description: VenueDescription) -> Bool {
        let list = RequestAddress(description.instrumentList)
        return path.hasSuffix(list.path) && list.query.allSatisfy(query.contains)
    }

    /// A time in milliseconds; `nil` when it is missing or none.
    func time(_ name: String) -> Timestamp? {
        integer(name).flatMap { Timestamp(milliseconds: $0) }
    }

    /// A time in seconds; `nil` when it is missing or none.
    func seconds(_ name: String) -> Timestamp? {
        integer(name).flatMap { seconds in
            Timestamp(milliseconds: seconds.multipliedReportingOverflow(by: 1_000).partialValue)
        }
    }

    /// How many rows are wanted.
    func limit(_ name: String = "limit", standard: Int, most: Int) -> Int {
        Int(min(max(integer(name) ?? Int64(standard), 1), Int64(most)))
    }
}

extension Timestamp {
    /// Whole milliseconds since 1970.
    var milliseconds: Int64 { nanoseconds / 1_000_000 }
    /// Whole seconds since 1970.
    var seconds: Int64 { nanoseconds / 1_000_000_000 }

    /// Seconds since 1970; `nil` for what is no time.
    init?(seconds: Int64?) {
        guard let seconds, seconds.magnitude < 9_000_000_000 else { return nil }
        self.init(nanoseconds: seconds * 1_000_000_000)
    }
}

extension CandleInterval {
    /// The interval of so many seconds; weeks are left out, which venues begin on different days.
    init?(seconds: Int64) {
        let found = CandleInterval.allCases.first { $0 != .week && $0.seconds == seconds }
        guard let found else { return nil }
        self = found
    }
}
