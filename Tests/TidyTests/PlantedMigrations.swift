/// Violations of ``MigrationRules``, and steps that only look like one.
enum PlantedMigrations {
    static let all: [Planted] = contracting + expanding + excused

    private static let contracting = Planted.cases(
        MigrationRules.contraction, in: "Sources/Stores/AlertStore/Schema/M0999_Planted.swift",
        [
            step("ALTER TABLE alerts.rule DROP COLUMN note;"): [3],
            step("DROP TABLE alerts.rule"): [3],
            step("ALTER TABLE alerts.rule\n            RENAME COLUMN note TO remark;"): [3],
            step("ALTER TABLE alerts.rule ALTER COLUMN note TYPE bytea USING note::bytea"): [3],
            step("ALTER TABLE alerts.rule ALTER note SET DATA TYPE bytea"): [3],
            step("ALTER TABLE alerts.rule ALTER COLUMN note SET NOT NULL"): [3],
            step("ALTER TABLE alerts.rule ALTER COLUMN note DROP NOT NULL"): [3],
            step("ALTER TABLE alerts.rule ADD COLUMN a text CHECK (a IN ('x', 'y')) NOT NULL"): [3],
            step("revoke select on alerts.rule from bitpal_gateway"): [3],
            step("DROP TABLE alerts.rule", "static let readableFrom: Int? = 998"): [3],
            step("SELECT 1", "static let readableFrom: Int? = 998"): [3],
            step("SELECT 1") + step("DROP TABLE alerts.rule"): [12],
        ])

    private static let expanding = Planted.cases(
        MigrationRules.contraction, in: "Sources/Stores/AlertStore/Schema/M0999_Planted.swift",
        [
            step("CREATE TABLE alerts.remark (note text NOT NULL)"): [],
            step("ALTER TABLE alerts.rule ADD COLUMN a text CHECK (length(a) > 1), ADD COLUMN b int;"): [],
            step("ALTER TABLE alerts.rule ADD COLUMN a text NOT NULL DEFAULT '' CHECK (a <> '-')"): [],
            step("ALTER TABLE alerts.rule ALTER note SET DEFAULT '', ALTER note SET NOT NULL"): [],
            step("REVOKE ALL ON FUNCTION alerts.adopt FROM PUBLIC;"): [],
            step("-- DROP TABLE alerts.rule\n        SELECT 1"): [],
            "/// DROP TABLE\n" + step("SELECT 1"): [],
            step("DROP TABLE alerts.rule", "static let readableFrom: Int? = 12"): [],
            // What has landed has.
            step("DROP TABLE alerts.rule", number: "0012"): [],
            "enum Other {\n    static let sql = \"DROP TABLE alerts.rule\"\n}\n": [],
        ])

    private static let excused =
        Planted.cases(
            MigrationRules.contraction, in: "Sources/Stores/AlertStore/Schema/M0999_Planted.swift",
            [
                step(
                    "ALTER TABLE alerts.rule DROP CONSTRAINT rule_kind_check",
                    above: "// tidy: migration-contraction A wider one takes its place."): [],
                step(
                    "ALTER TABLE alerts.rule DROP CONSTRAINT rule_kind_check",
                    above: "// tidy: migration-contraction "): [3],
            ])
        + Planted.cases(
            MigrationRules.contraction, in: "Sources/Stores/Nowhere/M0999_Planted.swift",
            [step("SELECT 1"): [nil]])

    /// A step in nine lines, declared in the third.
    private static func step(
        _ sql: String, _ more: String = "", above: String = "//", number: String = "0999"
    ) -> String {
        """
        /// A planted step.
        \(above)
        enum M\(number)_Planted: Migration {
            static let version = 1
            \(more)
            static let sql = \"\"\"
                \(sql)
                \"\"\"
        }

        """
    }
}
