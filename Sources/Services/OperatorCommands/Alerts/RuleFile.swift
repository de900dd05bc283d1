import Alerting
import Instruments
import MarketStore
import Venues

/// Alert rules from a file of JSON lines, the form of import and export, each with an id.
struct RuleFile {
    private(set) var rules: [AlertRule] = []
    /// The line of each rule.
    private(set) var lines: [Int] = []
    private let file: LineFile

    /// Reads a file.
    ///
    /// - Throws: ``CommandFailure`` naming file, line, field, value and what is accepted.
    init(path: String) throws {
        let file = LineFile(path: path)
        var rules: [AlertRule] = []
        var lines: [Int] = []
        var ids: [RuleID: Int] = [:]
        try file.forEachLine { number, line in
            let rule: AlertRule
            do {
                rule = try AlertRule(
                    json: Array(line), saying: VenueCatalogue.standard.saidFigures)
            } catch let error as FieldFault {
                throw file.fault(number, error.description)
            }
            if let first = ids.updateValue(number, forKey: rule.id) {
                throw file.fault(
                    number, "field \"id\" is \"\(rule.id)\" as on line \(first): accepted is an id used once")
            }
            rules.append(rule)
            lines.append(number)
        }
        self.file = file
        self.rules = rules
        self.lines = lines
    }

    /// The error of one rule.
    func fault(_ index: Int, _ what: String) -> CommandFailure { file.fault(lines[index], what) }

    /// The error of an instrument that the data does not have, with the nearest names.
    func unknownInstrument(_ index: Int, _ id: InstrumentID, known: [InstrumentID]) -> CommandFailure {
        let line = file.fault(
            lines[index],
            "field \"instrument\" is \"\(id)\", which is not in the data: "
                + (known.isEmpty
                    ? "nothing is" : "nearest are \(NearestNames.words(to: id, known: known))"))
        return CommandFailure(.notFound, line.description)
    }
}
