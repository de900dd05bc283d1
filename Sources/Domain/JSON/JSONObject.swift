/// The members of a JSON object in the order of the text; equal to others of the same content in any order.
package struct JSONObject: RandomAccessCollection, Hashable, Sendable, ExpressibleByDictionaryLiteral {
    package typealias Element = (key: String, value: JSONValue)

    private var members: [Element]

    /// Takes members whose keys differ.
    package init(_ members: [Element]) { self.members = members }

    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        members = elements.map { (key: $0.0, value: $0.1) }
    }

    package var startIndex: Int { members.startIndex }
    package var endIndex: Int { members.endIndex }
    package subscript(position: Int) -> Element { members[position] }

    /// A value by its key, looked for from the first member on; a new key comes last.
    package subscript(key: String) -> JSONValue? {
        get { members.first { $0.key == key }?.value }
        set {
            let position = members.firstIndex { $0.key == key }
            switch (position, newValue) {
            case (let position?, let value?): members[position].value = value
            case (let position?, nil): members.remove(at: position)
            case (nil, let value?): members.append((key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The keys in the order of the text.
    package var keys: [String] { members.map { $0.key } }

    /// The same without an order, for those who look up what a stranger wrote.
    package var dictionary: [String: JSONValue] {
        Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }

    package static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.count == other.count && one.dictionary == other.dictionary
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(dictionary) }
}
