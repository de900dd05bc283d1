/// Violations of ``ComposeRules``, and files that only look like one.
enum PlantedCompose {
    static let all: [Planted] =
        Planted.cases(
            ComposeRules.leastContainer, in: "docker-compose.yml",
            [
                anchor + "services:\n  a:\n    <<: *service\n    build: { context: . }\n": [],
                anchor + "services:\n  a:\n    <<: *service\n    image: b:1.2.3\n    user: postgres\n": [],
                anchor + "services:\n  a:\n    <<: *service\n    image: b:1.2.3\n": [6],
                anchor + "services:\n  a:\n    build: { context: . }\n": [6],
                anchor + "services:\n  a:\n    <<: *service\n    build: .\n    cap_add: [SYS_ADMIN]\n": [6],
                anchor + "services:\n  a:\n    <<: *service\n    build: .\n    user: root\n": [6],
                "x-service: &service\n  read_only: true\n  cap_drop: [ALL]\n": [nil],
            ])
        + Planted.cases(
            ComposeRules.leastContainer, in: "Dockerfile",
            ["FROM a\nUSER bitpal\n": [], "FROM a\n": [nil], "FROM a\nUSER b\nUSER root\n": [nil]])
        + Planted.cases(
            ComposeRules.ownRole, in: "docker-compose.yml",
            [
                service(url) + file: [],
                service(url): [2],
                service("    secrets: [database_url, { source: b, target: bus_key }]\n") + file: [2, 2],
                service("    secrets:\n      - database_url\n") + file: [2, 2],
                service(url.replacing("a_b", with: "c")) + file: [2],
                "services:\n  migrate:\n    environment: *shared\n    secrets: [database_url]\n": [],
                "services:\n  backup:\n    environment: *shared\n    secrets: [database_url]\n": [2, 2, 2],
                "services:\n  backup:\n    environment: *shared\n" + url.replacing("a_b", with: "migrate")
                    + file.replacing("a_b", with: "migrate").replacing("a-b", with: "migrate"): [],
                "services:\n  a:\n    image: b\n": [],
            ])
        + Planted.cases(
            ComposeRules.ownNetwork, in: "docker-compose.yml",
            [
                "networks:\n  a: { subnet: 172.30.1.0/24 }\n": [2],
                "networks:\n  a: { subnet: \"${A:-172.30.1}.0/25\", range: 172.30.1.64/26 }\n": [2],
                "networks:\n  a: { subnet: \"${A:-172.30.1.0/24}\" }\n": [],
            ])

    private static let anchor = """
        x-service: &service
          read_only: true
          cap_drop: [ALL]
          security_opt: ["no-new-privileges:true"]

        """
    private static let url = "    secrets: [{ source: database_a_b, target: database_url }, other]\n"
    private static let file = "secrets:\n  database_a_b:\n    file: ./secrets/database/a-b.url\n"

    private static func service(_ secrets: String) -> String {
        "services:\n  a-b:\n    environment: *shared\n" + secrets
    }
}
