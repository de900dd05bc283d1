package import Alerting
import Instruments

/// Puts notices into a person's words: their language, their way to write numbers, their clock.
package struct NoticeWriter: Sendable {
    private let language: Language
    private let zone: ZoneOffsets

    /// Takes a language and the clock of a place.
    package init(language: Language, zone: ZoneOffsets) {
        self.language = language
        self.zone = zone
    }

    /// The text of a notice.
    package func text(_ notice: Notice) -> NoticeText {
        let (title, lines) = content(notice)
        return NoticeText(
            title: title, lines: lines, language: language.tag, isRightToLeft: language.isRightToLeft,
            view: language.text(.view), unsubscribe: language.text(.unsubscribe))
    }

    private func content(_ notice: Notice) -> (String, [String]) {
        let subject = subject(notice)
        let time = time(notice.venueTime)
        switch notice.kind {
        case .fired: return (title(notice), firing(notice))
        case .late: return (language.text(.titleLate, ["title": title(notice)]), firing(notice))
        case .blind:
            let since = notice.since.map(self.time) ?? time
            return (
                language.text(.titleBlind, ["subject": subject]),
                [language.text(.blind, ["time": since])] + unfollowed(notice)
            )
        case .seesAgain:
            // Whoever does not know since when says what the engine said, in its words.
            let line = notice.since.map {
                language.text(.seesAgain, ["time": time, "since": self.time($0)])
            }
            return (language.text(.titleSeesAgain, ["subject": subject]), [line ?? notice.reason])
        case .quieted:
            return (language.text(.titleQuieted), [language.text(.quieted, count: notice.count)])
        case .ruleQuieted:
            let end = self.time(notice.until ?? notice.venueTime)
            return (
                language.text(.titleRuleQuieted, ["subject": subject]),
                [language.text(.ruleQuieted, ["time": end])] + (notice.note.isEmpty ? [] : [notice.note])
            )
        case .digest: return (language.text(.titleDigest, count: notice.count), digest(notice))
        case .channelEnded:
            return (
                language.text(.titleEnded, ["channel": notice.note]),
                [language.text(.ended, ["reason": notice.reason])]
            )
        case .diskNearlyFull:
            return (language.text(.titleDisk), [language.text(.disk), notice.reason])
        case .test:
            return (language.text(.titleTest, ["channel": notice.channel]), [language.text(.test)])
        }
    }

    /// That it is followed by no feed, where that is why it is blind.
    private func unfollowed(_ notice: Notice) -> [String] {
        guard let known = UnfollowedInstrument(in: notice.reason) else { return [] }
        return [
            language.text(
                .unfollowed,
                ["limit": language.numbers.text(known.limit), "venue": known.venue.rawValue])
        ]
    }

    // MARK: - A firing

    /// What happened, alone.
    private func sentence(_ notice: Notice) -> String {
        switch notice.kind {
        case .fired, .late: SentenceWriter(language: language).sentence(notice, subject: subject(notice))
        default: content(notice).1.first ?? notice.reason
        }
    }

    private func title(_ notice: Notice) -> String {
        let subject = subject(notice)
        guard let level = notice.level, let isUp = notice.isUp, notice.condition?.isOfPrice == true else {
            return language.text(.titleAlert, ["subject": subject])
        }
        return language.text(
            isUp ? .titleAbove : .titleBelow, ["subject": subject, "level": money(level, notice)])
    }

    private func firing(_ notice: Notice) -> [String] {
        var lines = [SentenceWriter(language: language).sentence(notice, subject: subject(notice))]
        if let previous = notice.previous, notice.condition?.hasLevel == true {
            lines.append(language.text(.before, ["previous": money(previous, notice)]))
        }
        if notice.lateBy > 0 {
            lines.append(language.text(.late, ["window": language.duration(notice.lateBy)]))
        }
        lines.append(language.text(.time, ["time": time(notice.venueTime)]))
        if !notice.note.isEmpty { lines.append(notice.note) }
        if !notice.tags.isEmpty { lines.append(notice.tags.map { "#\($0)" }.joined(separator: " ")) }
        return lines
    }

    // MARK: - Several

    private func digest(_ notice: Notice) -> [String] {
        var lines = notice.items.prefix(Notice.itemLimit).map { item in
            let times = item.count > 1 ? " ×\(language.numbers.text(item.count))" : ""
            let when = " · \(time(item.venueTime))\(times)"
            guard let told = item.notice else {
                let price = item.price.map { " \(language.money($0, item.currency))" } ?? ""
                return (item.instrument?.description ?? item.rule.description) + price + when
            }
            let late =
                told.lateBy > 0 ? " " + language.text(.late, ["window": language.duration(told.lateBy)]) : ""
            let note = told.note.isEmpty ? "" : " – \(told.note)"
            return "\(subject(told)): \(sentence(told))\(when)\(late)\(note)"
        }
        let said = notice.items.prefix(Notice.itemLimit).reduce(0) { $0 + $1.count }
        if notice.count > said { lines.append(language.text(.more, count: notice.count - said)) }
        return lines
    }

    // MARK: - Values

    private func subject(_ notice: Notice) -> String {
        if let instrument = notice.instrument { return instrument.description }
        switch notice.condition?.input {
        case .figure(let id, _): return id
        case .listings(let venue): return venue.rawValue
        default: return notice.rule?.description ?? ""
        }
    }

    private func time(_ time: Timestamp) -> String {
        language.times.text(time, in: zone, digits: language.numbers)
    }

    private func money(_ number: DecimalNumber, _ notice: Notice) -> String {
        language.money(number, notice)
    }
}

extension Language {
    /// A value in the notice's currency, where it is money.
    func money(_ number: DecimalNumber, _ notice: Notice) -> String { money(number, notice.currency) }

    /// A value in a currency, if it is known.
    func money(_ number: DecimalNumber, _ currency: String?) -> String {
        guard let currency, !currency.isEmpty else { return numbers.text(number) }
        return numbers.text(number, currency: currency)
    }

    /// A length of time in its two largest units, the rest cut off.
    func duration(_ nanoseconds: Int64) -> String {
        let seconds = Int(nanoseconds / 1_000_000_000)
        let parts: [(TextKey, Int)] = [
            (.days, seconds / 86_400), (.hours, seconds / 3_600 % 24), (.minutes, seconds / 60 % 60),
            (.seconds, seconds % 60),
        ]
        guard let first = parts.firstIndex(where: { $0.1 > 0 }) else { return text(.moment) }
        return parts[first...].prefix(2).filter { $0.1 > 0 }.map { text($0.0, count: $0.1) }
            .joined(separator: " ")
    }
}

extension AlertCondition {
    /// Whether title and level speak of the same price.
    fileprivate var isOfPrice: Bool {
        switch input {
        case .price, .closes: hasLevel
        case .trades, .spread, .levels, .derivative, .feed, .figure, .listings: false
        }
    }
}
