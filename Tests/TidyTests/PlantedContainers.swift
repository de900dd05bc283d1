/// Violations of ``ContainerRules``, and lines that only look like one.
enum PlantedContainers {
    static let all: [Planted] = limits + ports + clients + room + commits

    private static let file = "docker-compose.yml"
    private static let head = "x-service: &service\n  pids_limit: 128\n  cpus: 1.0\n\nx-more: &more\n  a: b\n"

    private static let limits = Planted.cases(
        ContainerRules.limits, in: file,
        [
            head + "services:\n  a:\n    <<: *service\n    mem_limit: 1g\n": [],
            head + "services:\n  a:\n    <<: [*more, *service]\n    mem_limit: 1g\nvolumes:\n  b: {}\n": [],
            "services:\n  a:\n    mem_limit: 1g\n    pids_limit: 9\n    cpus: 0.5\n": [],
            head + "services:\n  a:\n    <<: *service\n": [8],
            head + "services:\n  a:\n    <<: *more\n    mem_limit: 1g\n": [8, 8],
            "services:\n  a:\n    mem_limit: 1g\n    pids_limit: 9\n    cpus:\n\n  b:\n    image: c\n": [
                2, 7, 7, 7,
            ],
        ])

    private static let room = Planted.cases(
        ContainerRules.diskRoom, in: file,
        [
            watching + "    volumes: [\"database:/d:ro\"]\n": [],
            "services:\n  gateway:\n    image: a\n": [],
            "services:\n  book-builder:\n    image: a\n": [2],
            watching: [4],
            watching + "    volumes: [\"database:/d\"]\n": [4],
            watching + "    volumes: [\"database:/e:ro\"]\n": [4],
        ])
    private static let watching =
        "x-room: &room\n  BITPAL_DATABASE_DIRECTORY: /d\nservices:\n  feed-ingestor:\n    environment:\n"
        + "      <<: [*asked, *room]\n"

    private static let commits = Planted.cases(
        ContainerRules.builtCommit, in: file,
        [
            "services:\n  a:\n    image: b\n": [],
            "services:\n  a:\n    build: { context: ., args: { SERVICE: a, COMMIT: \"${COMMIT:-}\" } }\n": [],
            "services:\n  a:\n    build: { context: ., args: { SERVICE: a } }\n": [2],
        ])

    private static let ports = Planted.cases(
        ContainerRules.publishedMetrics, in: file,
        [
            "services:\n  a:\n    ports: [\"127.0.0.1:7411:7411\"]\n    test: [\"health\", \"7421\"]\n": [],
            "services:\n  a:\n    environment:\n      X_OPERATIONS_ADDRESS: 0.0.0.0:7421\n": [],
            "services:\n  a:\n    ports: [\"127.0.0.1:7411:7411\", \"127.0.0.1:80:7421\"]\n": [2],
            "services:\n  a:\n    ports:\n      - \"127.0.0.1:7413:7413\"\n      - 7428\n    a: b\n": [2],
            "services:\n  a:\n    ports: [\"7400-7430:7400-7430/tcp\"]\n": [2],
        ])

    private static let clients = Planted.cases(
        ContainerRules.metricsClients, in: file,
        [
            "services:\n  a:\n    environment:\n      B_OPERATIONS_ADDRESS: 127.0.0.1:7421\n": [],
            "services:\n  a:\n    environment:\n      B_OPERATIONS_ADDRESS: \"localhost:7421\"\n": [],
            "x-asked: &asked\n  BITPAL_OPERATIONS_CLIENTS: 10.0.0.1\nservices:\n  a:\n    environment:\n"
                + "      <<: [*b, *asked]\n      B_OPERATIONS_ADDRESS: 0.0.0.0:7421\n": [],
            "services:\n  a:\n    environment:\n      B_OPERATIONS_ADDRESS: 0.0.0.0:7421\n": [2],
        ])
}
