package import JSON

/// A part of a document such as OpenAPI's: JSON whose members keep the order in which they are told.
package indirect enum DocumentNode: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number as it is written.
    case number(String)
    case text(String)
    case list([DocumentNode])
    case object([Member])

    /// A name and what stands there.
    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: DocumentNode

        package init(_ name: String, _ value: DocumentNode) { (self.name, self.value) = (name, value) }
    }

    /// A member of an object; `nil` where there is none or this is no object.
    package subscript(_ name: String) -> DocumentNode? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The same object with members behind its own; of anything else these members alone.
    package func adding(_ further: [Member]) -> DocumentNode {
        guard case .object(let members) = self else { return .object(further) }
        return .object(members + further)
    }

    /// Writes it as JSON.
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let flag): writer.bool(flag)
        case .integer(let number): writer.integer(number)
        case .number(let text): writer.number(text)
        case .text(let text): writer.string(text)
        case .list(let items):
            writer.array { for item in items { item.write(to: &$0) } }
        case .object(let members):
            writer.object { writer in
                for member in members {
                    writer.key(member.name)
                    member.value.write(to: &writer)
                }
            }
        }
    }
}

extension DocumentNode: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: DocumentNode...) { self = .list(elements) }
    package init(dictionaryLiteral elements: (String, DocumentNode)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
    package init(nilLiteral: ()) { self = .null }
}

extension DocumentNode {
    /// The instrument of examples.
    package static let instrumentName = "kraken:BTC/USD"
    /// Its venue: no code but the venue's own says that name by itself.
    package static let venueName = String(instrumentName.prefix { $0 != ":" })
    /// The same as a part of an example.
    package static let venue = DocumentNode.text(venueName)
}
