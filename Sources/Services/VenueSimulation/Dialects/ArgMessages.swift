import Instruments
import JSON
import Venues

/// The messages of venues that name a topic by an object, `arg`: what two of them have in common.
enum ArgMessages {
    /// The parts of `{"op":"subscribe","args":[{…},…]}`, each with its object as the request.
    static func steps(
        of message: JSONValue, _ topic: (JSONValue) -> (kind: StreamKind?, symbol: String)
    ) -> [ClientStep] {
        let operation = message["op"]?.text
        guard operation == "subscribe" || operation == "unsubscribe" else { return [] }
        return (message["args"]?.elements ?? []).map { argument in
            let (kind, symbol) = topic(argument)
            return .asking(
                Demand(
                    kind: kind, symbol: symbol, wording: argument["channel"]?.text ?? "", request: argument,
                    isEnd: operation == "unsubscribe"))
        }
    }

    /// `{"event":"subscribe","arg":{…}}`; what is taken twice is confirmed twice.
    static func confirmation(_ demand: Demand) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("event", demand.isEnd ? "unsubscribe" : "subscribe")
            writer.pair("arg", demand.request)
        }
    }

    /// The image of a book in its own texts, under the topic and the form of its last message.
    ///
    /// - Parameters:
    ///   - book: What it is of.
    ///   - extra: Members besides the levels and the checksum.
    /// - Returns: A message with `snapshot`, in the older form with `partial`.
    static func image(
        of book: ReferenceBook, _ extra: (inout JSONWriter, SentBook) -> Void
    ) -> [UInt8] {
        guard let last = book.lastMessage, let keeper = book.session as? any SentBookKeeper else { return [] }
        let sent = keeper.sentBook(of: book.index)
        return JSONWriter.message { writer in
            if let table = last["table"] {
                writer.pair("table", table)
            } else {
                writer.pair("arg", last["arg"] ?? .null)
            }
            writer.text("action", last["table"] == nil ? "snapshot" : "partial")
            writer.list("data", [sent]) { sent, writer in
                if last["table"] != nil { writer.text("instrument_id", book.symbol) }
                write(sent, to: &writer)
                // Venues that number their messages have given the checksum up, and send 0.
                let checksum = sent.sequence == nil ? Int32(bitPattern: sent.checksum) : 0
                writer.pair("checksum", checksum)
                extra(&writer, sent)
            }
        }
    }

    /// Writes both sides as rows of a price and a size, as they were sent.
    static func write(_ sent: SentBook, to writer: inout JSONWriter) {
        for (name, levels) in [("asks", sent.asks), ("bids", sent.bids)] {
            writer.array(name) { writer in
                for level in levels {
                    writer.array { writer in
                        writer.string(level.price)
                        writer.string(level.size)
                    }
                }
            }
        }
    }

    /// An answer of the REST interface, whose `code` is the venue's word for well.
    static func answer(_ code: String, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        JSONWriter.message { writer in
            writer.text("code", code)
            writer.text("msg", code == "0" ? "" : "success")
            writer.array("data", body)
        }
    }
}
