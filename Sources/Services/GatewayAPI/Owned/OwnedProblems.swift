import AccountStore
import AlertStore
import Alerting
import Channels
import GatewayFrame
import Instruments
import LedgerFiles
import MarketStore
import Portfolio
import PortfolioStore
import Store

extension Gateway {
    /// What a refusal of the store is for a client; other errors as they are.
    func problem(_ error: any Error) async throws -> any Error {
        guard let error = error as? StoreError else { return error }
        switch error.bodyError {
        case let problem as Problem: return problem
        case let refused as WatchlistRefused:
            if case .unknownInstrument(let id) = refused { return try await unknownInstrument(id) }
            return Problem(refused)
        case let refused as RuleRefused:
            if case .unknownInstrument(let id) = refused.reason { return try await unknownInstrument(id) }
            return Problem(refused)
        case let refused as PortfolioRefused: return Problem(refused)
        case let fault as FieldFault: return Problem(fault)
        default:
            // A name or key that somebody took between our look and our write, or that is not ours to see.
            if error.sqlState == "23505" { return Problem(.duplicate, "it exists already") }
            return error
        }
    }

    private func unknownInstrument(_ id: InstrumentID) async throws -> Problem {
        let known =
            id.venue == .index
            ? try await services.database.withSession { try $0.pairs() }.map(\.index)
            : try await services.database.instruments().map(\.id)
        let names =
            known.isEmpty ? "none yet, since no feed has run" : NearestNames.words(to: id, known: known)
        return .invalid("instrument", "\(id)", accepted: "an instrument that is known; nearest are \(names)")
    }
}

extension Problem {
    init(_ refused: WatchlistRefused) {
        switch refused {
        case .fault(let fault): self.init(fault)
        case .duplicate: self.init(.duplicate, refused.description)
        case .unknownInstrument(let id):
            self = .invalid("instrument", "\(id)", accepted: "an instrument that is known")
        case .noSuchWatchlist, .noSuchEntry, .noSuchUser: self.init(.notFound, refused.description)
        }
    }

    init(_ refused: RuleRefused) {
        switch refused.reason {
        case .fault(let fault): self.init(fault)
        case .unknownInstrument(let id):
            self = .invalid("instrument", "\(id)", accepted: "an instrument that is known")
        case .tooMany(let limit, let enabled, let asked):
            self.init(.conflict, refused.description)
            (field, value, accepted) = ("enabled", "\(enabled + asked)", "at most \(limit)")
        case .quota(let fault): self.init(fault)
        case .noSuchRule, .noSuchUser: self.init(.notFound, refused.description)
        case .changedMeanwhile: self.init(.preconditionFailed, refused.description)
        }
    }

    init(_ refused: PortfolioRefused) {
        switch refused.reason {
        case .fault(let fault): self.init(fault)
        case .quota(let fault): self.init(fault)
        case .unreadable(let field, let value, let reason):
            self.init(FieldFault(field, value, accepted: reason))
        case .noSuchPortfolio, .noSuchTransaction, .noSuchUser:
            self.init(.notFound, refused.description)
        case .changedMeanwhile: self.init(.preconditionFailed, refused.description)
        case .unknownAsset(let unknown):
            self = .invalid(
                unknown.field, unknown.asset.rawValue,
                accepted: "\(unknown.accepted); \"allow_unknown_assets\": true takes it as it is")
        case .conflictingID, .repeatedID: self.init(.duplicate, refused.description)
        case .ledger, .breaks: self.init(.conflict, refused.description)
        case .unknownBenchmark(let name, let accepted):
            self = .invalid("benchmark", name, accepted: accepted)
        }
    }

    /// A file that cannot be read.
    init(_ fault: FileFault, field: String = "text") {
        self.init(.invalidField, fault.description)
        self.field = fault.field.isEmpty ? field : fault.field
        accepted = fault.reason
    }
}
