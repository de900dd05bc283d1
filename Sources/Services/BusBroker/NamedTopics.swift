import Bus
import Wire

/// What a heartbeat on its way through an encrypted bus says of topics that its key may not publish.
///
/// Whoever could name another's topics could make everybody believe that messages on them are lost. Such
/// names are struck out, and the rest is passed on: a service that publishes on a topic too many is still
/// heard.
enum NamedTopics {
    case allowed
    /// An envelope with what remains, and a topic that is struck out.
    case struckOut(envelope: [UInt8], topic: String)
    /// It can be read in more than one way.
    case malformed

    /// Reads the names in place; only what has to be changed is made anew.
    static func judge(
        _ envelope: UnsafeRawBufferPointer, _ scan: EnvelopeScan, by rights: BusRights
    ) -> NamedTopics {
        guard let heartbeat = onlyEvent(in: envelope) else { return .malformed }
        var reader = ProtoReader(heartbeat)
        var refused: String?
        while let field = reader.next() {
            guard field.number == 1, let name = field.bytes, !rights.mayPublish(name) else { continue }
            refused = String(decoding: name.prefix(255), as: UTF8.self)
        }
        guard let refused else { return reader.isMalformed ? .malformed : .allowed }
        guard case .heartbeat(let whole)? = try? EnvelopeDecoder.decode(envelope).1,
            whole.topics.count == whole.sequences.count
        else { return .malformed }
        return .struckOut(envelope: envelopeOf(remainder(of: whole, by: rights), scan), topic: refused)
    }

    /// The heartbeat of an envelope that has nothing else: of several events readers take one or another.
    private static func onlyEvent(in envelope: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        var reader = ProtoReader(envelope)
        var (events, heartbeat): (Int, UnsafeRawBufferPointer?) = (0, nil)
        while let field = reader.next() {
            guard field.number >= 16 else { continue }
            events += 1
            if field.number == 40 { heartbeat = field.bytes }
        }
        return reader.isMalformed || events != 1 ? nil : heartbeat
    }

    private static func remainder(
        of whole: Bitpal_V1_Heartbeat, by rights: BusRights
    ) -> Bitpal_V1_Heartbeat {
        var rest = whole
        (rest.topics, rest.sequences) = ([], [])
        for (topic, sequence) in zip(whole.topics, whole.sequences)
        where Array(topic.utf8).withUnsafeBytes({ rights.mayPublish($0) }) {
            rest.topics.append(topic)
            rest.sequences.append(sequence)
        }
        return rest
    }

    private static func envelopeOf(_ heartbeat: Bitpal_V1_Heartbeat, _ scan: EnvelopeScan) -> [UInt8] {
        let prefix = EnvelopeHeader.prefix(
            producer: String(decoding: scan.producer, as: UTF8.self), epoch: scan.epoch)
        var header = [UInt8](repeating: 0, count: EnvelopeHeader.size(prefixCount: prefix.count))
        header.withUnsafeMutableBytes {
            _ = EnvelopeHeader.write(
                prefix: prefix, sequence: scan.sequence, publishedTime: scan.publishedTime, into: $0)
        }
        return header + EventEncoder.encode(.heartbeat(heartbeat))
    }
}
