public import Instruments
public import JSON
import LedgerFiles
import Portfolio
import Store

/// What is stored of portfolios as JSON; each writes the members of an object that was begun.
public enum PortfolioJSON {
    /// A portfolio.
    public static func write(_ row: StoredPortfolio, to line: inout JSONWriter) {
        line.text("name", row.name)
        line.text("id", row.id.description)
        line.text("base", row.base.rawValue)
        line.key("change")
        line.integer(row.change)
        line.text("changed", row.changed.plain)
        line.text("created", row.created.plain)
    }

    /// A wallet.
    public static func write(_ row: StoredWallet, to line: inout JSONWriter) {
        line.text("name", row.name)
        line.text("kind", row.kind.rawValue)
        line.text("note", row.note)
        line.text("created", row.created.plain)
    }

    /// A link, without what opens it.
    public static func write(_ link: ShareLink, at now: Timestamp, to line: inout JSONWriter) {
        line.text("id", link.id.description)
        line.text("state", link.stateName(at: now))
        line.text("created", link.created.plain)
        line.text("expires", link.expires.plain)
    }

    /// What an import did, or would do; one whole object.
    public static func write(
        _ report: ImportReport, rows: Int, isPreview: Bool, to line: inout JSONWriter
    ) {
        line.beginObject()
        line.key("preview")
        line.bool(isPreview)
        line.key("rows")
        line.integer(rows)
        line.key("added")
        line.integer(report.added)
        line.key("first")
        if let first = report.transactions?.lowerBound { line.integer(first) } else { line.null() }
        line.key("last")
        if let last = report.transactions?.upperBound { line.integer(last) } else { line.null() }
        line.texts("unknown_assets", report.unknownAssets.map(\.rawValue))
        line.texts("settings", report.settings)
        line.list("skipped", report.skipped) { skipped, line in
            line.key("line")
            line.integer(skipped.number)
            line.text("reason", skipped.reason)
        }
        line.endObject()
    }

    /// A transaction.
    public static func write(_ row: StoredTransaction, to line: inout JSONWriter) {
        let transaction = row.transaction
        line.key("number")
        line.integer(row.number)
        line.key("revision")
        line.integer(row.revision)
        line.key("in_force")
        line.bool(row.superseded == nil)
        line.text("time", transaction.time.plain)
        line.text("kind", transaction.kind.rawValue)
        line.text("wallet", transaction.wallet)
        line.key("to_wallet")
        line.string(transaction.toWallet)
        line.holding(transaction.subject)
        for (name, holding) in [("counter", transaction.counter), ("fee", transaction.fee)] {
            line.key("\(name)_asset")
            line.string(holding?.asset.rawValue)
            line.amount("\(name)_amount", holding?.amount)
        }
        line.text("external_id", transaction.externalID)
        line.text("note", transaction.note)
        line.text("price_source", transaction.priceSource)
        line.key("tags")
        line.beginArray()
        for tag in transaction.tags { line.string(tag) }
        line.endArray()
        line.list("lots", transaction.lots) { lot, line in
            line.text("external_id", lot.acquiredBy)
            line.amount("amount", lot.amount)
        }
    }
}
