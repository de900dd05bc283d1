import Glibc
import Instruments

/// The price of one instrument as a mix of paths, in logarithms of its unit.
///
/// The highest and lowest of an hour are drawn with the hour, and its minutes stay within them and reach
/// them; those of a minute likewise bound its seconds. So the candles of each length are the sums of shorter
/// ones, and only what is asked for is worked out.
struct PricePath: Sendable {
    /// A part of the mix.
    struct Leg: Hashable, Sendable {
        /// In the model.
        let place: Int
        let weight: Double
    }

    let legs: [Leg]
    /// Logarithm of the usual price in its unit.
    let reference: Double
    let seed: UInt64
    /// Of an hour's move, as it usually is.
    let usualVariance: Double
    private var hoursOfDay: (day: Int64, spans: [PathSpan])?
    private var minutesOfHour: (hour: Int64, spans: [PathSpan])?
    private var secondsOfMinute: (minute: Int64, knots: [Double])?

    init(legs: [Leg], reference: Double, seed: UInt64, usualVariance: Double) {
        self.legs = legs
        self.reference = reference
        self.seed = seed
        self.usualVariance = usualVariance
    }

    /// The price at a moment in whole units, at least one.
    mutating func units(at time: Timestamp, in model: inout PriceModel) -> Int64 {
        PricePath.units(value(at: time, in: &model))
    }

    /// The whole units of a logarithm, at least one.
    static func units(_ value: Double) -> Int64 { max(Int64(exp(min(value, 43)).rounded()), 1) }

    /// The 24 hours of a day.
    mutating func hours(of day: Int64, in model: inout PriceModel) -> [PathSpan] {
        if let last = hoursOfDay, last.day == day { return last.spans }
        let stretch = model.stretch(.hours, day, of: self)
        let spans = stretch.variances.indices.map { hour in
            PathSpan(
                from: stretch.knots[hour], to: stretch.knots[hour + 1], variance: stretch.variances[hour],
                seed: seed, second: (day * 24 + Int64(hour)) * 3_600, within: nil)
        }
        hoursOfDay = (day, spans)
        return spans
    }

    /// The 60 minutes of an hour.
    mutating func minutes(of hour: Int64, in model: inout PriceModel) -> [PathSpan] {
        if let last = minutesOfHour, last.hour == hour { return last.spans }
        let day = PathGrain.floor(hour, 24)
        let whole = hours(of: day, in: &model)[Int(hour - day * 24)]
        let stretch = model.stretch(.minutes, hour, of: self)
        let knots = stretch.knots.map(whole.reflected)
        var spans = stretch.variances.indices.map { minute in
            PathSpan(
                from: knots[minute], to: knots[minute + 1], variance: stretch.variances[minute],
                seed: seed &+ 1, second: (hour * 60 + Int64(minute)) * 60, within: whole)
        }
        PathSpan.reach(whole, &spans)
        minutesOfHour = (hour, spans)
        return spans
    }

    /// Logarithm of the price in its unit.
    private mutating func value(at time: Timestamp, in model: inout PriceModel) -> Double {
        let second = PathGrain.floor(time.nanoseconds, 1_000_000_000)
        let minute = PathGrain.floor(second, 60)
        let knots = seconds(of: minute, in: &model)
        let place = Int(second - minute * 60)
        let part = Double(time.nanoseconds - second * 1_000_000_000) * 1e-9
        return knots[place] + part * (knots[place + 1] - knots[place])
    }

    /// The path through a minute, second by second.
    mutating func seconds(of minute: Int64, in model: inout PriceModel) -> [Double] {
        if let last = secondsOfMinute, last.minute == minute { return last.knots }
        let hour = PathGrain.floor(minute, 60)
        let whole = minutes(of: hour, in: &model)[Int(minute - hour * 60)]
        let day = PathGrain.floor(hour, 24)
        let around = hours(of: day, in: &model)[Int(hour - day * 24)]
        // As the ends of the minute were.
        let knots = model.stretch(.seconds, minute, of: self).knots
            .map { whole.reflected(around.reflected($0)) }
        secondsOfMinute = (minute, knots)
        return knots
    }

    /// How far this market place is off the others, which changes from hour to hour.
    func premium(at second: Int64) -> Double {
        let hour = PathGrain.floor(second, 3_600)
        var (early, late) = (SplitMix64(seed: seed, at: hour), SplitMix64(seed: seed, at: hour + 1))
        let (from, to) = (early.deviate(), late.deviate())
        return 0.000_15 * (from + (to - from) * Double(second - hour * 3_600) / 3_600)
    }
}
