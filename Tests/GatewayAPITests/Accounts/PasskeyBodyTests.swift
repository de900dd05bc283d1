import NIOCore
import Testing

@testable import FuzzGatewayInputs
@testable import GatewayAPI
@testable import GatewayFrame

private let made = #""id":"AQ","response":{"clientDataJSON":"e30","attestationObject":"oA""#
private let known =
    #""id":"AQ","response":{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA"#

@Suite("Passkey bodies")
struct PasskeyBodyTests {
    private func context(_ json: String) -> GatewayContext {
        var context = BlankRequest.context()
        context.body = ByteBuffer(string: json)
        return context
    }

    @Test("take what browsers add, and read none of it")
    func additions() throws {
        let common =
            #""rawId":"AQ","type":"public-key","authenticatorAttachment":null,"#
            + #""clientExtensionResults":{"credProps":{"rk":true}}"#
        let added = #""transports":["usb",{"a":1}],"publicKey":null,"publicKeyAlgorithm":-7"#
        let new = try context(#"{\#(common),\#(made),\#(added),"authenticatorData":"*"}}"#)
            .read(NewPasskey.self)
        #expect(new.name == nil && new.response.clientDataJSON == Array("{}".utf8))
        #expect(new.response.attestationObject == [0xA0])
        let proof = try context(#"{\#(common),\#(known)","userHandle":null}}"#)
            .read(PasskeyBody.self)
        #expect(proof.id == [1] && proof.response.signature == [0] && proof.response.userHandle == nil)
    }

    @Test(
        "refuse every other field, and what is no bytes, of which they tell nothing",
        arguments: [
            (#"{\#(known)","transports":[]}}"#, "response.transports", nil),
            (#"{"name":"A",\#(known)"}}"#, "name", nil),
            (#"{"rawId":1,\#(known)"}}"#, "rawId", "1"),
            (#"{\#(known)=="}}"#, "response.signature", nil),
            (#"{\#(known)","userHandle":""}}"#, "response.userHandle", nil),
            (#"{\#(known)","userHandle":7}}"#, "response.userHandle", "7"),
            (#"{"id":"AQ"}"#, "response", nil),
        ] as [(String, String, String?)])
    func refusals(json: String, field: String, value: String?) {
        let problem = #expect(throws: Problem.self) { try context(json).read(PasskeyBody.self) }
        #expect(problem?.code == .invalidField && problem?.field == field && problem?.value == value)
    }

    @Test("are named by their place inside of others")
    func inside() {
        let json = #"{"passkey":{"id":"*","response":{}}}"#
        let problem = #expect(throws: Problem.self) { try context(json).read(ProofBody.self) }
        #expect(problem?.field == "passkey.id")
        #expect(problem?.accepted == "bytes in Base64 for URLs, without padding")
    }
}
