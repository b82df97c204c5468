import Foundation

/// A value of `userInfo` that a property list can hold; exactly one of the members is set.
struct CacheFileValue: Codable {
    private var text: String?
    private var data: Data?
    private var date: Date?
    private var flag: Bool?
    private var integer: Int?
    private var number: Double?
    private var list: [CacheFileValue]?
    private var map: [String: CacheFileValue]?

    /// Returns nil for a value of any other type; such values are left out of lists and maps.
    init?(_ any: any Sendable) {
        switch any {
        case let value as String: text = value
        case let value as Data: data = value
        case let value as Date: date = value
        case let value as Bool: flag = value
        case let value as Int: integer = value
        case let value as Double: number = value
        case let value as [any Sendable]: list = value.compactMap { CacheFileValue($0) }
        case let value as [String: any Sendable]: map = value.compactMapValues { CacheFileValue($0) }
        default: return nil
        }
    }

    var value: (any Sendable)? {
        if let text { return text }
        if let data { return data }
        if let date { return date }
        if let flag { return flag }
        if let integer { return integer }
        if let number { return number }
        if let list { return list.compactMap(\.value) }
        return map?.compactMapValues(\.value)
    }
}
