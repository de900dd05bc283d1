import Instruments

/// Lots in the order in which a method takes them: a binary heap, so that each step costs O(log n).
struct LotHeap {
    /// What orders a lot, beside its number.
    struct Element {
        var price: UnitPrice
        var acquired: Timestamp
        /// The row that acquired it, then the lot's own number: of equal ones the first.
        var entry: Int32
        var lot: Int32

        init(_ lot: Lot, _ number: Int32) {
            price = lot.price
            acquired = lot.acquired
            entry = lot.entry
            self.lot = number
        }

        func isOlder(than other: Element) -> Bool {
            if acquired != other.acquired { return acquired < other.acquired }
            return entry != other.entry ? entry < other.entry : lot < other.lot
        }
    }

    private(set) var elements: [Element] = []
    private var method: LotMethod

    init(_ method: LotMethod) { self.method = method }

    var top: Int32? { elements.first?.lot }

    mutating func push(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard precedes(element, elements[parent]) else { break }
            elements[child] = elements[parent]
            child = parent
        }
        elements[child] = element
    }

    mutating func pop() {
        let last = elements.removeLast()
        guard !elements.isEmpty else { return }
        sink(last, from: 0)
    }

    /// Gives all lots one price; ``reorder(_:)`` must follow.
    mutating func price(at price: UnitPrice) {
        for index in elements.indices { elements[index].price = price }
    }

    /// Orders everything anew.
    mutating func reorder(_ method: LotMethod) {
        self.method = method
        for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) {
            sink(elements[index], from: index)
        }
    }

    /// The lots in the order in which they would be taken.
    var sorted: [Element] { elements.sorted { precedes($0, $1) } }

    private mutating func sink(_ element: Element, from start: Int) {
        var parent = start
        while true {
            var child = 2 * parent + 1
            guard child < elements.count else { break }
            if child + 1 < elements.count, precedes(elements[child + 1], elements[child]) { child += 1 }
            guard precedes(elements[child], element) else { break }
            elements[parent] = elements[child]
            parent = child
        }
        elements[parent] = element
    }

    private func precedes(_ left: Element, _ right: Element) -> Bool {
        switch method {
        case .fifo, .average, .specific: return left.isOlder(than: right)
        case .lifo: return right.isOlder(than: left)
        case .hifo:
            return left.price == right.price ? left.isOlder(than: right) : left.price > right.price
        case .lofo:
            return left.price == right.price ? left.isOlder(than: right) : left.price < right.price
        }
    }
}

/// The open lots of one asset, or of one asset in one wallet.
struct LotPool {
    var heap: LotHeap
    /// Sums of the open lots; what average cost divides.
    var amount = Amount.zero
    var basis = Amount.zero
}
