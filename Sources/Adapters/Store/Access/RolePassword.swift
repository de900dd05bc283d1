import CPostgres

/// What a role signs in with, as the URL of its service has it; never shown.
package struct RolePassword: Sendable {
    package let role: String
    fileprivate let password: String

    /// Takes it from the URL that a service connects with.
    ///
    /// - Parameters:
    ///   - url: What the service's file has.
    ///   - role: Whose it is to be.
    /// - Throws: ``StoreError/configuration(_:)`` without the URL, which is a secret.
    package init(url: String, of role: String) throws(StoreError) {
        let options = try ConnectionOptions.parse(url)
        guard options["user"] == role else {
            throw .configuration("its user is \(options["user"] ?? "missing"); expected \(role)")
        }
        guard let password = options["password"], !password.isEmpty else {
            throw .configuration("it has no password; expected postgresql://\(role):password@host:5432/name")
        }
        self.role = role
        self.password = password
    }

    /// Takes them from the files of a folder, `<service>.url` each; services without a file are left out.
    ///
    /// - Throws: ``StoreError/configuration(_:)`` with the file.
    package static func all(in folder: String) throws(StoreError) -> [RolePassword] {
        var all: [RolePassword] = []
        for (file, role) in ServiceRole.signingIn {
            let path = "\(folder)/\(file).url"
            guard FileAccess.exists(path) else { continue }
            guard let text = FileAccess.text(path) else {
                throw .configuration("\(path) cannot be read; expected one line, the URL of \(role)")
            }
            do throws(StoreError) {
                all.append(try RolePassword(url: ConnectionOptions.firstLine(of: text), of: role))
            } catch {
                throw .configuration("\(path) cannot be used: \(error)")
            }
        }
        return all
    }
}

extension RolePassword: CustomStringConvertible, CustomReflectable {
    package var description: String { role }
    package var customMirror: Mirror { Mirror(self, children: ["role": role]) }
}

extension Session {
    /// Has a role sign in with a password from now on, which leaves this process only as what proves it.
    ///
    /// Source: PostgreSQL manual 15, 34.19 "PQencryptPasswordConn"; RFC 5802.
    func set(_ password: RolePassword) throws(StoreError) {
        guard
            let secret = PQencryptPasswordConn(
                connection.handle, password.password, password.role, "scram-sha-256")
        else {
            throw .configuration("the password of \(password.role) cannot be prepared for PostgreSQL")
        }
        defer { PQfreemem(secret) }
        // Digits of Base64, dollar signs, colons and equals signs.
        try script("ALTER ROLE \(password.role) PASSWORD '\(String(cString: secret))'")
    }
}
