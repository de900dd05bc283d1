/// Violations of ``DecidingRules``, and code that only looks like one: text, and the lines where it must be
/// found.
enum PlantedDeciding {
    static let all: [Planted] = clocks + sleeps + names + views + elsewhere

    private static let decider = "Sources/Services/AlertEvaluation/Storing/CommitQueue.swift"

    private static let clocks: [Planted] =
        Planted.cases(
            DecidingRules.clockOrRandom, in: "Sources/Adapters/Venues/BitMEX/A.swift",
            [
                "let now = ContinuousClock.now": [1],
                "let id = UInt64.random(in: 0...9)": [1],
                "clock_gettime(CLOCK_REALTIME, &time)": [1],
                "let a = Date()": [1],
                "levels.shuffle()": [1],
                ".random(in: 0...9, using: &generator)": [],
                "let date = entry.date()": [],
            ])
        + Planted.cases(
            DecidingRules.clockOrRandom, in: decider,
            [
                "return Array(quiet.shuffled().prefix(32))": [1],
                "let a = 1\nlet now = ContinuousClock.Instant.now": [2],
                "take(at: .now)": [1],
                "let now = Timestamp.now": [1],
                "let now = BusClock.wall()": [1],
                "func take(at now: ContinuousClock.Instant) -> Work?": [],
                "let now = clock.now\nlet then = input?.now\n": [],
            ])
        + Planted.cases(
            DecidingRules.clockOrRandom, in: "Sources/Services/AlertEvaluation/Storing/Committer.swift",
            ["queue.take(at: .now)": []])

    private static let sleeps: [Planted] =
        Planted.cases(
            DecidingRules.sleep, in: "Sources/Services/Notifying/Deciding/A.swift",
            [
                "let a = 1\ntry await Task.sleep(for: .seconds(1))": [2],
                "usleep(10)": [1],
                "try await clock.sleep(until: end)": [1],
                "func sleep(until deadline: Instant) {": [],
            ])
        + Planted.cases(
            DecidingRules.sleep, in: "Sources/Services/Notifying/A.swift", ["Task.sleep(for: a)": []])

    private static let names: [Planted] = Planted.cases(
        DecidingRules.unorderedIteration, in: decider,
        [
            stored("for (shard, entry) in entries { send(entry) }"): [4],
            stored("for entry in self.entries where entry.value.isOut {\n}"): [4],
            stored("return entries.map(\\.value.text)"): [4],
            stored("return Array(entries)"): [4],
            stored("return entries.map { entry in\n    entry.sorted()\n}"): [4],
            stored("let ready = entries.filter { $0.value.isReady }\n        return ready.map(\\.key)"): [5],
            stored("for entry in entries.sorted(by: { $0.key < $1.key }) {\n}"): [],
            stored("return entries.filter { $0.value.isOut }.map(\\.key)\n            .sorted()"): [],
            stored("return Set(entries.map(\\.key))"): [],
            stored("entries = entries.filter { $0.key > 1 }"): [],
            stored("let text = other.entries.map(\\.key)"): [],
            stored("let entries = [1, 2]\n        for entry in entries { send(entry) }"): [],
            "func f(_ seen: Set<Int>) {\n    for one in seen { send(one) }\n}": [2],
            "func f(_ seen: [Int]) {\n    for one in seen { send(one) }\n}": [],
            "func f() {\n    var seen: Set<Int> = []\n    seen.forEach { send($0) }\n}": [3],
            "func f() {\n    let seen = Set(list)\n        .sorted()\n    for one in seen { send(one) }\n}":
                [],
            "func f(_ seen: [(side: Side, price: Int)]) {\n    for one in seen { send(one) }\n}": [],
        ])

    private static let views: [Planted] = Planted.cases(
        DecidingRules.unorderedIteration, in: decider,
        [
            "for key in table.keys { send(key) }": [1],
            "return table.values.compactMap { $0.rule }": [1],
            "let all = Array(pacing.users.values)": [1],
            "for key in table.keys.sorted() { send(key) }": [],
            "for key in table.keys where key > 1 { table[key] = nil }": [],
            "let last = table.values.map(\\.time).max()": [],
            "let last = table.values.map { $0.time }.max()": [],
            "// tidy: unordered-iteration At most one has it.\nfor key in table.keys { send(key) }": [],
        ])

    private static let elsewhere: [Planted] = Planted.cases(
        DecidingRules.unorderedIteration, in: "Sources/Services/AlertEvaluation/Storing/Committer.swift",
        ["for key in table.keys { send(key) }": []])

    /// A function of a type that has a dictionary, from the fourth line on.
    private static func stored(_ body: String) -> String {
        "struct A {\n    var entries: [Shard: Entry] = [:]\n    mutating func f() {\n        \(body)\n    }\n}"
    }
}
