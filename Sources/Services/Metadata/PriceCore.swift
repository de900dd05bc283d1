import Instruments
import MarketStore
import Providers

/// Decides whom to ask for the prices of coins that no venue trades, and what is told of them.
struct PriceCore: Sendable {
    /// So long after a coin was wanted somebody acts, in nanoseconds; ten times as long he looks.
    static let acting: Int64 = 60_000_000_000

    /// A question on its way.
    struct Errand: Sendable {
        let use: ProviderUse
        let question: ProviderQuestion
        /// With the validators of the last answer to the same.
        let request: ProviderRequest
    }

    /// What is told of a coin.
    struct Told: Hashable, Sendable {
        let instrument: InstrumentID
        /// `nil` for nothing that is to be shown.
        let kept: ProviderMemory.Kept?
        let reason: String
    }

    private(set) var desk: ProviderDesk
    private var questions = PriceQuestions()
    private var memory = ProviderMemory()
    private var wishes: [AggregatedWish] = []
    private var validators: [String: AnswerValidators] = [:]
    private var told: [InstrumentID: Told] = [:]
    /// Not to be asked before.
    private var due = Timestamp(nanoseconds: .min)

    init(_ uses: [ProviderUse]) { desk = ProviderDesk(uses) }

    var isWanted: Bool { !wishes.isEmpty }

    /// Sets what is wanted; a coin that is new is asked for at once.
    mutating func want(_ wishes: [AggregatedWish], listedBy provider: Venue) {
        let known = Set(self.wishes.map(\.instrument))
        if wishes.contains(where: { !known.contains($0.instrument) }) {
            due = Timestamp(nanoseconds: .min)
            // "Nothing new" would say nothing of it.
            validators = [:]
        }
        self.wishes = wishes
        questions.want(wishes, listedBy: provider)
        let names = Set(wishes.map(\.instrument))
        told = told.filter { names.contains($0.key) }
    }

    /// Counts requests that were made before this life.
    mutating func count(_ requests: Int, of provider: Venue, at now: Timestamp) {
        desk.count(requests, of: provider, at: now)
    }

    /// Who wants prices.
    func interest(at now: Timestamp) -> PollingPeriod.Interest {
        guard let newest = wishes.map(\.added).max() else { return .rest }
        let age = now.nanoseconds(since: newest)
        return age < Self.acting ? .acting : age < 10 * Self.acting ? .looking : .rest
    }

    /// The next question, if one is due and somebody may be asked.
    mutating func next(at now: Timestamp) -> Errand? {
        guard isWanted, now >= due || due.nanoseconds(since: now) > 86_400_000_000_000 else { return nil }
        let unable = desk.uses.map(\.provider).filter { questions.next(for: $0) == nil }.map(\.venue)
        guard case .ask(let venue) = desk.choose(for: .prices, at: now, except: Set(unable)),
            let use = desk.use(of: venue), let question = questions.next(for: use.provider)
        else { return nil }
        var request = use.request(question) ?? ProviderRequest(url: use.address)
        // Pages that are read for keys are wanted whole.
        if use.provider.naming == .list || !PriceQuestions.isList(question) {
            request.headers.merge(validators[request.url]?.headers ?? [:]) { own, _ in own }
        }
        return Errand(use: use, question: question, request: request)
    }

    /// Takes an answer: quotes, or `nil` where nothing changed since the last one.
    mutating func take(
        _ quotes: [CoinQuote]?, to errand: Errand, _ validators: AnswerValidators, at now: Timestamp
    ) {
        let provider = errand.use.provider
        desk.answered(by: provider.venue)
        let isRound: Bool
        if let quotes {
            // As many as there are batches and pages; addresses of coins that nobody wants any more go.
            if self.validators.count > 200 { self.validators = [:] }
            self.validators[errand.request.url] = validators
            let answer = questions.take(quotes, to: errand.question, of: provider)
            isRound = answer.isRound
            for (coin, quote) in answer.quotes {
                memory.keep(quote, of: coin, by: provider.venue, heard: now)
            }
        } else {
            isRound = questions.advance(errand.question, provider)
            memory.confirm(questions.wanted.map(\.symbol), by: provider.venue, heard: now)
        }
        let batches = provider.batch > 0 ? (questions.wanted.count + provider.batch - 1) / provider.batch : 1
        let period = PollingPeriod.nanoseconds(
            interest(at: now), perMonth: errand.use.perMonth, requests: batches)
        due = isRound ? now.adding(nanoseconds: period) : now
    }

    /// Takes note that there is no answer.
    mutating func fail(
        _ failure: ProviderFailure, _ errand: Errand, at now: Timestamp,
        using generator: inout some RandomNumberGenerator
    ) {
        desk.note(failure, of: errand.use.provider.venue, at: now, using: &generator)
    }

    /// Coins of which a price is told.
    var toldCount: Int { told.values.count { $0.kept != nil } }

    /// What is to be told anew.
    mutating func news(at now: Timestamp) -> [Told] {
        wishes.compactMap { wish in
            let known = memory.quote(of: wish.asset, at: now)
            let reason = known?.age.reason ?? (told[wish.instrument] == nil ? nil : QuoteAge.gone.reason)
            guard let reason else { return nil }
            let one = Told(instrument: wish.instrument, kept: known?.kept, reason: reason)
            guard told[wish.instrument] != one else { return nil }
            told[wish.instrument] = one
            return one
        }
    }
}
