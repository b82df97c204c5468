import Foundation
public import FoundationNetworking
import HTTPFields

/// The properties that a protocol class attaches to a request: URLProtocol's `property(forKey:in:)` and its siblings.
///
/// On this platform a copied URLRequest loses the properties that FoundationNetworking keeps beside it. Its header fields
/// survive every copy, so the properties are in a field, which a session never sends.
enum RequestProperties {
    static let field = "AdaptableURLProtocol-Properties"

    static func read(_ text: String?) -> [String: Any] {
        guard let text, let data = Data(base64Encoded: text),
            let list = unsafe try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        else { return [:] }
        return list as? [String: Any] ?? [:]
    }

    /// Returns the text for the field; nil without properties.
    static func write(_ properties: [String: Any]) -> String? {
        guard !properties.isEmpty else { return nil }
        return try? PropertyListSerialization.data(fromPropertyList: properties, format: .binary, options: 0)
            .base64EncodedString()
    }
}

extension AdaptableURLProtocol {
    /// Returns the property that `setProperty` has attached to the request, or to one that it is a copy of; nil without
    /// one.
    public class func property(forKey key: String, in request: URLRequest) -> Any? {
        RequestProperties.read(request.value(forHTTPHeaderField: RequestProperties.field))[key]
    }

    /// Attaches a property to a request and its later copies. A value that a property list cannot hold is ignored. The
    /// properties are in a header field, which a session does not send; other clients would send it.
    public class func setProperty(_ value: Any, forKey key: String, in request: NSMutableURLRequest) {
        guard PropertyListSerialization.propertyList([key: value], isValidFor: .binary) else { return }
        change(request) { $0[key] = value }
    }

    /// Removes a property from a request.
    public class func removeProperty(forKey key: String, in request: NSMutableURLRequest) {
        change(request) { $0[key] = nil }
    }

    private class func change(_ request: NSMutableURLRequest, _ act: (inout [String: Any]) -> Void) {
        var properties = RequestProperties.read(request.value(forHTTPHeaderField: RequestProperties.field))
        act(&properties)
        var fields = (request.allHTTPHeaderFields ?? [:])
            .filter { !HTTPFieldSyntax.equal($0.key, RequestProperties.field) }
        fields[RequestProperties.field] = RequestProperties.write(properties)
        request.allHTTPHeaderFields = fields
    }
}
