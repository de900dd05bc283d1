public import Instruments

/// Finds instruments by what people type, mistakes included.
///
/// Every different word of all entries is a term. A word of the query matches terms that share trigrams
/// with it, with a similarity of 2·shared / (trigrams of both) in thousandths; a term that begins with the
/// word gains 300, the word itself 500 instead. An entry's score for a word is the best of similarity ×
/// weight over its fields: symbol and base 10, name 8, quote and venue 4, category and kind 3. Scores of
/// the words add up.
///
/// Equal scores are ordered by popularity, then by id, so that the same question has the same answer.
public struct SearchIndex: Sendable {
    /// Less similar terms do not match.
    static let threshold = 250
    /// Nor do less similar ones of the fields with a weight of 4 or less: "bitcoin" means no venue.
    static let minorThreshold = 450

    /// What the index was made of.
    public let entries: [SearchEntry]
    /// Sorted, so that those with a common beginning are neighbours.
    private let terms: [[UInt8]]
    private let termTrigrams: [UInt8]
    /// Different trigrams, sorted.
    private let codes: [UInt32]
    /// Terms by trigram.
    private let termsByCode: Postings
    /// Entries by term; a value is entry × 16 + weight.
    private let entriesByTerm: Postings
    /// Places in the order of popularity and id.
    private let order: [Int32]
    private let byBase: [Asset: [Int]]

    /// Indexes entries.
    ///
    /// - Complexity: n log n in the number of words; for 50,000 instruments a fraction of a second.
    public init(_ entries: [SearchEntry]) {
        precondition(entries.count < 1 << 27, "an index has fewer than 134 million entries")
        self.entries = entries
        let fields = entries.map { SearchIndex.fields(of: $0) }
        let terms = Set(fields.joined().map(\.word)).sorted { $0.lexicographicallyPrecedes($1) }
        let numbers = Dictionary(uniqueKeysWithValues: zip(terms, terms.indices))
        var pairs: [UInt64] = []
        for (entry, fields) in fields.enumerated() {
            for field in fields {
                guard let term = numbers[field.word] else { continue }
                pairs.append(Postings.pair(term, entry << 4 | field.weight))
            }
        }
        entriesByTerm = Postings(pairs, keys: terms.count)
        let trigrams = terms.map(SearchText.trigrams)
        let codes = Set(trigrams.joined()).sorted()
        let codeNumbers = Dictionary(uniqueKeysWithValues: zip(codes, codes.indices))
        pairs.removeAll(keepingCapacity: true)
        for (term, trigrams) in trigrams.enumerated() {
            for code in trigrams { pairs.append(Postings.pair(codeNumbers[code] ?? 0, term)) }
        }
        termsByCode = Postings(pairs, keys: codes.count)
        termTrigrams = trigrams.map { UInt8($0.count) }
        self.terms = terms
        self.codes = codes
        let ranked = entries.indices.sorted { left, right in
            let (a, b) = (entries[left], entries[right])
            return a.popularity != b.popularity
                ? a.popularity > b.popularity : (a.id, left) < (b.id, right)
        }
        var order = [Int32](repeating: 0, count: entries.count)
        for (place, entry) in ranked.enumerated() { order[entry] = Int32(place) }
        self.order = order
        byBase = Dictionary(grouping: ranked) { entries[$0].base }
    }

    /// The best matches, the best first.
    ///
    /// - Parameters:
    ///   - query: Words in any order; only the first eight count.
    ///   - limit: The most hits.
    /// - Returns: Nothing for a query without a letter or digit.
    public func search(_ query: String, limit: Int = 20) -> [SearchHit] {
        var scores = [Int32](repeating: 0, count: entries.count)
        var touched: [Int32] = []
        var best = [Int32](repeating: 0, count: entries.count)
        for word in SearchText.words(query).prefix(SearchText.queryLimit) {
            var matched: [Int32] = []
            best.withUnsafeMutableBufferPointer { best in
                for (term, similarity) in similarTerms(to: word) {
                    entriesByTerm.forEach(term) { posting in
                        if similarity < SearchIndex.minorThreshold, posting & 15 <= 4 { return }
                        let entry = Int(posting >> 4)
                        let score = Int32(similarity) * (posting & 15)
                        if best[entry] == 0 { matched.append(Int32(entry)) }
                        if score > best[entry] { best[entry] = score }
                    }
                }
            }
            for entry in matched {
                if scores[Int(entry)] == 0 { touched.append(entry) }
                scores[Int(entry)] += best[Int(entry)]
                best[Int(entry)] = 0
            }
        }
        return top(touched, scores, limit)
    }

    /// Where an asset trades: its instruments by venue, optionally against one quote asset only.
    public func listings(of base: Asset, quote: Asset? = nil) -> [SearchListing] {
        let found = (byBase[base] ?? []).filter { quote == nil || entries[$0].quote == quote }
        return Dictionary(grouping: found) { entries[$0].id.venue }
            .map { SearchListing(venue: $0.key, entries: $0.value) }
            .sorted { $0.venue < $1.venue }
    }

    /// The terms that a word may mean, with their similarity in thousandths, at most 1,500.
    private func similarTerms(to word: [UInt8]) -> [(term: Int, similarity: Int)] {
        let trigrams = SearchText.trigrams(word)
        var shared = [UInt8](repeating: 0, count: terms.count)
        var candidates: [Int32] = []
        for code in trigrams {
            guard let key = number(of: code) else { continue }
            shared.withUnsafeMutableBufferPointer { shared in
                termsByCode.forEach(key) { term in
                    if shared[Int(term)] == 0 { candidates.append(term) }
                    shared[Int(term)] += 1
                }
            }
        }
        var result: [(term: Int, similarity: Int)] = []
        for candidate in candidates {
            let term = Int(candidate)
            let common = Int(shared[term])
            var similarity = 2_000 * common / (trigrams.count + Int(termTrigrams[term]))
            // A term that begins with the word shares all its trigrams but the last.
            if common >= trigrams.count - 1, terms[term].starts(with: word) {
                similarity += terms[term].count == word.count ? 500 : 300
            }
            if similarity >= SearchIndex.threshold { result.append((term, similarity)) }
        }
        return result
    }

    private func number(of code: UInt32) -> Int? {
        var low = 0
        var high = codes.count
        while low < high {
            let middle = (low + high) / 2
            if codes[middle] < code { low = middle + 1 } else { high = middle }
        }
        return low < codes.count && codes[low] == code ? low : nil
    }

    private func top(_ touched: [Int32], _ scores: [Int32], _ limit: Int) -> [SearchHit] {
        guard limit > 0 else { return [] }
        // Score and place in one number: the greatest is the best.
        func key(_ entry: Int32) -> Int64 {
            Int64(scores[Int(entry)]) << 32 - Int64(order[Int(entry)])
        }
        var best: [(key: Int64, entry: Int32)] = []
        for entry in touched {
            let key = key(entry)
            if best.count == limit, let last = best.last, key < last.key { continue }
            var (low, high) = (0, best.count)
            while low < high {
                let middle = (low + high) / 2
                if best[middle].key > key { low = middle + 1 } else { high = middle }
            }
            best.insert((key, entry), at: low)
            if best.count > limit { best.removeLast() }
        }
        return best.map { SearchHit(entry: Int($0.entry), score: Int(scores[Int($0.entry)])) }
    }

    /// The words of an entry, each with the weight of its best field.
    private static func fields(of entry: SearchEntry) -> [(word: [UInt8], weight: Int)] {
        let symbol = SearchText.words(entry.id.symbol)
        let texts: [(words: [[UInt8]], weight: Int)] = [
            // `BTC/USD` is found as `btcusd` too.
            ([Array(symbol.joined().prefix(SearchText.wordLimit))] + symbol, 10),
            (SearchText.words(entry.base.rawValue), 10), (SearchText.words(entry.name), 8),
            (SearchText.words(entry.quote.rawValue), 4), (SearchText.words(entry.id.venue.rawValue), 4),
            (SearchText.words(entry.category), 3), (SearchText.words(entry.kind.rawValue), 3),
        ]
        var fields: [(word: [UInt8], weight: Int)] = []
        for (words, weight) in texts {
            for word in words where !word.isEmpty && !fields.contains(where: { $0.word == word }) {
                fields.append((word, weight))
            }
        }
        return fields
    }
}
