import Instruments

/// The parameters behind the question mark of an address.
package struct RequestQuery: Sendable {
    private var values: [String: [String]] = [:]

    package init() {}

    /// Reads `a=1&b=2`.
    ///
    /// - Throws: `bad-request` when it is not decodable, or has more than 100 parameters.
    package init(_ raw: String) throws(Problem) {
        var count = 0
        for pair in raw.split(separator: "&") {
            count += 1
            guard count <= 100 else { throw Problem(.badRequest, "more than 100 parameters") }
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try PercentDecoding.decode(parts[0], plusIsSpace: true, "a parameter")
            values[name, default: []].append(parts.count == 2 ? try Self.value(parts[1], of: name) : "")
        }
    }

    private static func value(_ raw: Substring, of name: String) throws(Problem) -> String {
        let name = String(name.prefix(40))
        do throws(Problem) {
            return try PercentDecoding.decode(raw, plusIsSpace: true, "the parameter \(name)")
        } catch {
            var problem = error
            problem.field = name
            throw problem
        }
    }

    /// Refuses a parameter that nobody would read: a misspelt one would be left out in silence.
    ///
    /// - Throws: `invalid-field`.
    func check(knows names: [String]) throws(Problem) {
        guard let unknown = values.keys.filter({ !names.contains($0) }).min() else { return }
        throw .invalid(
            unknown, all(unknown).first,
            accepted: names.isEmpty ? "no parameter here" : "the parameters \(names.joined(separator: ", "))")
    }

    /// Every value of a parameter that may be given several times.
    package func all(_ name: String) -> [String] { values[name] ?? [] }

    /// A parameter's text; `nil` when it is missing or empty.
    ///
    /// - Throws: `invalid-field` when it is given twice or is longer than `limit` characters.
    package func text(_ name: String, atMost limit: Int = 200) throws(Problem) -> String? {
        let given = all(name)
        guard given.count <= 1 else {
            throw .invalid(name, given.joined(separator: ", "), accepted: "one value")
        }
        guard let text = given.first, !text.isEmpty else { return nil }
        guard text.count <= limit else {
            throw .invalid(name, text, accepted: "at most \(limit) characters")
        }
        return text
    }

    /// A whole number in a range.
    ///
    /// - Throws: `invalid-field`.
    package func integer(
        _ name: String, in range: ClosedRange<Int>, default value: Int
    ) throws(Problem) -> Int {
        guard let text = try text(name) else { return value }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            range.contains(number)
        else {
            throw .invalid(
                name, text, accepted: "a whole number, \(range.lowerBound)...\(range.upperBound)")
        }
        return number
    }

    /// `true` or `false`.
    ///
    /// - Throws: `invalid-field`.
    func flag(_ name: String, default value: Bool = false) throws(Problem) -> Bool {
        switch try text(name) {
        case nil: return value
        case "true": return true
        case "false": return false
        case let text: throw .invalid(name, text, accepted: "true or false")
        }
    }

    /// One of a few words.
    ///
    /// - Throws: `invalid-field`.
    package func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ type: Value.Type
    ) throws(Problem) -> Value? {
        guard let text = try text(name) else { return nil }
        guard let value = Value(rawValue: text) else {
            throw .invalid(
                name, text, accepted: Value.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return value
    }

    /// A moment, such as `2026-11-21T12:00:00Z`.
    ///
    /// - Throws: `invalid-field`.
    func time(_ name: String) throws(Problem) -> Timestamp? {
        guard let text = try text(name) else { return nil }
        guard let time = Timestamp(iso8601: text) else {
            throw .invalid(name, text, accepted: "a time in UTC such as 2026-11-21T12:00:00Z")
        }
        return time
    }
}
