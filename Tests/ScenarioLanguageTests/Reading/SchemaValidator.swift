import FoundationEssentials

@testable import ScenarioLanguage

/// A JSON value; an editor with validation also reads a YAML file as one.
indirect enum JSON: Decodable, Equatable {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    /// Converts a node by the core schema of YAML 1.2, as editors read YAML.
    init(_ node: Document.Node) {
        switch node {
        case .list(let nodes, _): self = .array(nodes.map(JSON.init))
        case .mapping(let pairs, _):
            var object: [String: JSON] = [:]
            for (key, value) in pairs {
                if case .scalar(let name, _, _) = key { object[name] = JSON(value) }
            }
            self = .object(object)
        case .scalar(let text, let isPlain, _):
            if !isPlain {
                self = .string(text)
            } else if ["", "~", "null", "Null", "NULL"].contains(text) {
                self = .null
            } else if ["true", "True", "TRUE"].contains(text) {
                self = .boolean(true)
            } else if ["false", "False", "FALSE"].contains(text) {
                self = .boolean(false)
            } else if text.contains(/^[-+]?([0-9]+|(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?)$/),
                let number = Double(text)
            {
                self = .number(number)
            } else {
                self = .string(text)
            }
        }
    }
}

/// A validator for the part of JSON Schema draft 2020-12 that the printed schema uses. It is written against the
/// specification and not against the printer; an unknown keyword is an error, so that everything is checked.
struct SchemaValidator {
    enum Problem: Error {
        case unknownKeyword(String)
        case wrongSchema(String)
    }

    /// Returns the violations; empty if the instance is valid.
    static func problems(_ instance: JSON, _ schema: JSON) throws -> [String] {
        guard case .object(let keywords) = schema, case .object(let definitions) = keywords["$defs"] ?? .object([:])
        else {
            throw Problem.wrongSchema("$")
        }
        return try SchemaValidator(definitions: definitions).problems(instance, schema, path: "$")
    }

    let definitions: [String: JSON]

    private func problems(_ instance: JSON, _ schema: JSON, path: String) throws -> [String] {
        if schema == .boolean(true) { return [] }
        if schema == .boolean(false) { return ["\(path) is not allowed"] }
        guard case .object(let keywords) = schema else { throw Problem.wrongSchema(path) }
        var problems: [String] = []
        for (keyword, value) in keywords {
            switch (keyword, value) {
            case ("$schema", _), ("title", _), ("description", _), ("examples", _), ("$defs", _): break
            case ("$ref", .string(let reference)):
                guard reference.hasPrefix("#/$defs/"), let target = definitions[String(reference.dropFirst(8))] else {
                    throw Problem.wrongSchema(reference)
                }
                problems += try self.problems(instance, target, path: path)
            case ("type", .string(let name)):
                if !Self.fits(instance, name) { problems.append("\(path) is not of type \(name)") }
            case ("type", .array(let names)):
                if !names.contains(where: {
                    if case .string(let name) = $0 { Self.fits(instance, name) } else { false }
                }) {
                    problems.append("\(path) is of none of the types")
                }
            case ("enum", .array(let values)):
                if !values.contains(instance) { problems.append("\(path) is not in the enum") }
            case ("pattern", .string(let pattern)):
                if case .string(let text) = instance, !text.contains(try Regex(pattern)) {
                    problems.append("\(path) misses the pattern")
                }
            case ("minimum", .number(let least)):
                if case .number(let number) = instance, number < least {
                    problems.append("\(path) is below the minimum")
                }
            case ("maximum", .number(let most)):
                if case .number(let number) = instance, number > most {
                    problems.append("\(path) is above the maximum")
                }
            case ("minItems", .number(let least)):
                if case .array(let elements) = instance, Double(elements.count) < least {
                    problems.append("\(path) has too few items")
                }
            case ("items", _):
                if case .array(let elements) = instance {
                    for (index, element) in elements.enumerated() {
                        problems += try self.problems(element, value, path: "\(path)[\(index)]")
                    }
                }
            case ("required", .array(let names)):
                if case .object(let object) = instance {
                    for case .string(let name) in names where object[name] == nil {
                        problems.append("\(path) lacks \(name)")
                    }
                }
            case ("properties", _), ("patternProperties", _), ("additionalProperties", _): break
            case ("then", _), ("else", _): break
            case ("if", _):
                let branch = try self.problems(instance, value, path: path).isEmpty ? "then" : "else"
                if let schema = keywords[branch] { problems += try self.problems(instance, schema, path: path) }
            case ("anyOf", .array(let schemas)):
                if try !schemas.contains(where: { try self.problems(instance, $0, path: path).isEmpty }) {
                    problems.append("\(path) fits none of anyOf")
                }
            case ("oneOf", .array(let schemas)):
                if try schemas.filter({ try self.problems(instance, $0, path: path).isEmpty }).count != 1 {
                    problems.append("\(path) does not fit exactly one of oneOf")
                }
            default: throw Problem.unknownKeyword(keyword)
            }
        }
        return try problems + propertyProblems(instance, keywords, path)
    }

    private func propertyProblems(_ instance: JSON, _ keywords: [String: JSON], _ path: String) throws -> [String] {
        guard case .object(let object) = instance else { return [] }
        var problems: [String] = []
        for (name, value) in object {
            var isKnown = false
            if case .object(let properties) = keywords["properties"], let schema = properties[name] {
                isKnown = true
                problems += try self.problems(value, schema, path: "\(path).\(name)")
            }
            if case .object(let patterns) = keywords["patternProperties"] {
                for (pattern, schema) in patterns where name.contains(try Regex(pattern)) {
                    isKnown = true
                    problems += try self.problems(value, schema, path: "\(path).\(name)")
                }
            }
            if !isKnown, let schema = keywords["additionalProperties"] {
                problems += try self.problems(value, schema, path: "\(path).\(name)")
            }
        }
        return problems
    }

    private static func fits(_ instance: JSON, _ type: String) -> Bool {
        switch (instance, type) {
        case (.null, "null"), (.boolean, "boolean"), (.number, "number"), (.string, "string"), (.array, "array"),
            (.object, "object"):
            true
        case (.number(let number), "integer"): number.rounded() == number
        default: false
        }
    }
}
