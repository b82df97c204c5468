/// An optional value in a heap cell of its own: 8 bytes in the value that holds it, however large it is. For what most
/// queued tasks do not have.
@propertyWrapper
enum Boxed<Value> {
    case none
    indirect case some(Value)

    init(wrappedValue: Value?) {
        self = .none
        self.wrappedValue = wrappedValue
    }

    var wrappedValue: Value? {
        get { if case .some(let value) = self { value } else { nil } }
        set { self = newValue.map { .some($0) } ?? .none }
    }
}

extension Boxed: Sendable where Value: Sendable {}
