import Glibc

/// One cause of price moves, the whole market or one asset, as a path of logarithms of a price.
///
/// It is a function of its seed and of the time of day in UTC, so that a program that starts again finds the
/// same past. Days follow one another: their volatility clusters, regimes come and go, some days have a jump,
/// and the level is drawn back to zero so slowly that only years notice. What lies within a day is filled in
/// from outside to inside, hours, then minutes, then seconds, each between ends that are known: any moment is
/// reached with one day's, one hour's and one minute's numbers.
struct PriceFactor: Sendable {
    /// How it moves.
    struct Character: Hashable, Sendable {
        /// Usual deviation of the logarithm over a year.
        var volatility: Double
        /// Part of the level that a day takes away.
        var reversion = 0.006
        /// Part of all days that have a jump.
        var jumpRate = 0.012
        /// Usual size of a jump, in the day's deviations.
        var jumpSize = 2.5
        /// Whether it has times of rising, falling and alarm.
        var hasRegimes = false
    }

    /// What a day begins with.
    struct Day: Hashable, Sendable {
        /// The level at midnight.
        var level: Double
        /// Of the day's move, without a jump.
        var variance: Double
        /// What a jump adds; 0 on most days.
        var jump = 0.0
        /// When it begins, in seconds from midnight.
        var jumpSecond = 0.0
    }

    /// The first day: 2023-01-01, in days since 1970.
    static let origin: Int64 = 19_358
    /// How long a jump takes, in seconds: some minutes, as an alarm does.
    private static let jumpSeconds = 150.0

    let seed: UInt64
    let character: Character
    /// From the origin on, as far as they were asked for.
    private var days: [Day] = []
    private var level = 0.0
    /// Logarithm of how much livelier than usual.
    private var agitation = 0.0
    private var regime = MarketRegime.calm
    private var stretches: [PathGrain: (number: Int64, stretch: PathStretch)] = [:]

    init(seed: UInt64, _ character: Character) {
        self.seed = seed
        self.character = character
    }

    /// A day, and the level at its end; the first of all for days before it.
    mutating func day(_ number: Int64) -> (day: Day, end: Double) {
        let place = Int(max(number - Self.origin, 0))
        while days.count < place + 2 { addDay() }
        return (days[place], days[place + 1].level)
    }

    /// What a day's jump has added by a second of it, or by its end.
    mutating func jumped(at second: Int64, on number: Int64) -> Double {
        let (day, _) = day(number)
        let since = Double(second - number * 86_400) - day.jumpSecond
        return day.jump * min(max(since / Self.jumpSeconds, 0), 1)
    }

    /// The path without jumps through one day, hour or minute.
    mutating func stretch(_ grain: PathGrain, _ number: Int64) -> PathStretch {
        if let last = stretches[grain], last.number == number { return last.stretch }
        let ends: (from: Double, to: Double, variance: Double)
        if let outer = grain.outer {
            let (whole, place) = number.quotientAndRemainder(dividingBy: Int64(outer.parts))
            let around = stretch(outer, whole)
            let index = Int(place)
            ends = (around.knots[index], around.knots[index + 1], around.variances[index])
        } else {
            let (day, end) = day(number)
            ends = (day.level, end - day.jump, day.variance)
        }
        var random = SplitMix64(seed: seed &+ grain.salt, at: number)
        let stretch = PathStretch(
            from: ends.from, to: ends.to, variances: grain.split(ends.variance, &random), &random)
        stretches[grain] = (number, stretch)
        return stretch
    }

    /// Source of the form: volatility as an autoregressive logarithm, Taylor, "Modelling Financial Time
    /// Series", 1986.
    private mutating func addDay() {
        let number = Self.origin + Int64(days.count)
        var random = SplitMix64(seed: seed, at: number)
        if character.hasRegimes { regime = regime.next(&random) }
        agitation = 0.93 * agitation + 0.16 * random.deviate()
        let usual = character.volatility / 365.0.squareRoot()
        // The variance of the agitation is 0.19: so the mean of the days' variance is the usual one.
        let deviation = usual * exp(agitation - 0.19) * (character.hasRegimes ? regime.liveliness : 1)
        var day = Day(level: level, variance: deviation * deviation)
        if random.fraction() < character.jumpRate {
            let size = deviation * character.jumpSize * (0.6 + random.fraction())
            day.jump = random.happens(55) ? -size : size
            day.jumpSecond = random.fraction() * (86_400 - 2 * Self.jumpSeconds)
        }
        days.append(day)
        let drift = character.hasRegimes ? regime.drift : 0
        level += deviation * random.deviate() + day.jump + drift - character.reversion * level
    }
}
