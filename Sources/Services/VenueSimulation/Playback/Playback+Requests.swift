import Instruments
import MarketData
import MarketState
import Venues

extension Playback {
    /// A REST request came.
    ///
    /// Its answer is in the actions now, or comes with the position that it waits for.
    mutating func ask(_ id: Int, _ address: RequestAddress, into actions: inout [PlaybackAction]) {
        let symbols = topics.symbols + script.restImages.sorted()
        switch dialect.question(address, symbols: symbols) {
        case .settled(let answer): self.answer(id, answer, into: &actions)
        case .instruments:
            let recorded = script.answers[address] ?? (dialect.hasOneList ? script.instruments : nil)
            let body = recorded ?? dialect.instrumentList(listedInstruments(), at: address)
            answer(id, RESTAnswer(status: 200, body: body), into: &actions)
        case .time: answer(id, dialect.restTime(at: position), into: &actions)
        case .book(let symbol, let limit): askBook(id, symbol, limit, into: &actions)
        case .candles(let query):
            // A recording begins in the middle of a candle, the synthetic market with its first trade.
            let interval = query.interval
            let begin = interval.start(of: script.started.adding(nanoseconds: interval.nanoseconds - 1))
            let made = candles.candles(
                query, from: script.hasPast ? begin : .init(nanoseconds: .min), at: position,
                after: past?.candles(query, at: position) ?? [])
            let recorded = candles.recorded(query.symbol, interval)
            let body = dialect.restCandles(made, recorded: recorded, query)
            answer(id, RESTAnswer(status: 200, body: body), into: &actions)
        case .tickers: answer(id, dialect.restTickers(days()), into: &actions)
        case .trades(let query):
            let frames = topics.find(.trade, query.symbol).map { tape.frames(of: $0) } ?? []
            answer(id, RESTAnswer(status: 200, body: dialect.restTrades(frames, query)), into: &actions)
        }
    }

    /// Whether a request is about something that there is here.
    func canAnswer(_ address: RequestAddress) -> Bool {
        switch dialect.question(address, symbols: topics.symbols + script.restImages.sorted()) {
        case .settled: false
        case .instruments: script.instruments != nil || script.answers[address] != nil
        case .book, .trades, .candles, .tickers, .time: true
        }
    }

    /// Whoever asked is gone.
    mutating func withdraw(_ id: Int) { questions.removeAll { $0.id == id } }

    mutating func answer(_ id: Int, _ answer: RESTAnswer, into actions: inout [PlaybackAction]) {
        counters.answered += 1
        actions.append(.answer(id, answer))
    }

    private mutating func askBook(
        _ id: Int, _ symbol: String, _ limit: Int, into actions: inout [PlaybackAction]
    ) {
        if let book = book(of: symbol) {
            counters.imagesMade += 1
            let body = dialect.restBook(book, limit: limit, at: position)
            answer(id, RESTAnswer(status: 200, body: body), into: &actions)
        } else if !dialect.sendsImages, script.restImages.contains(symbol), !hasEnded,
            questions.count < Playback.questionLimit
        {
            // The recorded answer is still to come.
            questions.append(WaitingQuestion(id: id, symbol: symbol, limit: limit))
        } else {
            let isHopeless = !dialect.sendsImages && !script.restImages.contains(symbol)
            answer(id, isHopeless ? dialect.notFound() : dialect.unavailable(), into: &actions)
        }
    }

    /// Answers those who wait for a symbol's book: with the recorded body as it is, unless it has more levels
    /// than were asked for.
    mutating func answerWaiting(
        _ symbol: String, recorded body: [UInt8], limit recordedLimit: Int,
        into actions: inout [PlaybackAction]
    ) {
        let ready = questions.filter { $0.symbol == symbol }
        guard !ready.isEmpty else { return }
        questions.removeAll { $0.symbol == symbol }
        for question in ready {
            if question.limit < recordedLimit, let book = book(of: symbol) {
                let cut = dialect.restBook(book, limit: question.limit, at: position)
                answer(question.id, RESTAnswer(status: 200, body: cut), into: &actions)
            } else {
                answer(question.id, RESTAnswer(status: 200, body: body), into: &actions)
            }
        }
    }

    /// Nothing that these wait for comes any more.
    mutating func refuseWaiting(into actions: inout [PlaybackAction]) {
        let left = questions
        questions.removeAll()
        for question in left { answer(question.id, dialect.unavailable(), into: &actions) }
    }

    private func listedInstruments() -> [ListedInstrument] {
        let surveyed = Dictionary(script.listed.map { ($0.symbol, $0) }) { first, _ in first }
        return topics.symbols.map { symbol in
            if let known = surveyed[symbol] { return known }
            let book = truth.registry.find(symbol).flatMap { truth.book(of: $0) }
            return ListedInstrument(
                symbol: symbol, priceScale: book?.priceScale ?? .zero, sizeScale: book?.sizeScale ?? .zero)
        }
    }
}
