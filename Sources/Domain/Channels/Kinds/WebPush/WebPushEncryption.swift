import Crypto

/// Encryption of a push message for one browser: RFC 8291 with one record of `aes128gcm` (RFC 8188).
enum WebPushEncryption {
    /// Bytes of a message: 4096 less the head of 86, the delimiter and the tag of 16.
    static let limit = 3_993

    /// The body of the request.
    ///
    /// - Parameters:
    ///   - plain: At most ``limit`` bytes.
    ///   - receiver: The browser's public key, 65 bytes.
    ///   - authentication: The browser's secret, 16 bytes.
    ///   - privateKey: 32 bytes, new for each message.
    ///   - salt: 16 bytes, new for each message.
    /// - Returns: Salt, record size, our public key and the one record.
    /// - Throws: What the cryptographic library says of a key that is none.
    static func body(
        _ plain: [UInt8], to receiver: [UInt8], authentication: Secret, privateKey: [UInt8], salt: [UInt8]
    ) throws -> [UInt8] {
        let sender = try P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey)
        let senderPublic = Array(sender.publicKey.x963Representation)
        let shared = try sender.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(x963Representation: receiver))
        let material = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: shared), salt: authentication.bytes,
            info: Array("WebPush: info\0".utf8) + receiver + senderPublic, outputByteCount: 32)
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8),
            outputByteCount: 16)
        let nonce = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: material, salt: salt, info: Array("Content-Encoding: nonce\0".utf8),
            outputByteCount: 12)
        // 2 says that this is the last record; no padding follows.
        let box = try AES.GCM.seal(
            plain + [2], using: key, nonce: AES.GCM.Nonce(data: nonce.withUnsafeBytes { Array($0) }))
        let recordSize: [UInt8] = [0, 0, 0x10, 0]
        return salt + recordSize + [UInt8(senderPublic.count)] + senderPublic + Array(box.ciphertext)
            + Array(box.tag)
    }
}
