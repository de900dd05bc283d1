extension JSONWriter {
    /// Writes a member that is text.
    public mutating func text(_ name: String, _ text: String) {
        key(name)
        string(text)
    }

    /// Writes a member that is text or null.
    public mutating func pair(_ name: String, _ text: String?) {
        key(name)
        string(text)
    }

    /// Writes a member that is a whole number, no money.
    package mutating func pair(_ name: String, _ number: some BinaryInteger) {
        key(name)
        integer(number)
    }

    /// Writes a member that is true or false.
    package mutating func pair(_ name: String, _ flag: Bool) {
        key(name)
        bool(flag)
    }

    /// Writes an object of the members that `body` writes.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// Writes a member that is an object.
    package mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    /// Writes an array of the elements that `body` writes.
    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        beginArray()
        body(&self)
        endArray()
    }

    /// Writes a member that is an array.
    package mutating func array(_ name: String, _ body: (inout JSONWriter) -> Void) {
        key(name)
        array(body)
    }

    /// Writes a member that is a list of objects.
    public mutating func list<Element>(
        _ name: String, _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
    ) {
        key(name)
        objects(elements, write)
    }

    /// Writes an array of objects.
    public mutating func objects<Element>(
        _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void
    ) {
        array { writer in
            for element in elements { writer.object { write(element, &$0) } }
        }
    }

    /// Writes a member that is a list of texts.
    public mutating func texts(_ name: String, _ texts: some Sequence<String>) {
        array(name) { writer in
            for text in texts { writer.string(text) }
        }
    }
}
