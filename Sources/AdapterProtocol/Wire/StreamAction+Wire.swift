extension StreamAction {
    func put(into line: inout WireObject) {
        line.set("action", name.rawValue)
        switch self {
        case .read(let minimum, let maximum), .readCaptured(let minimum, let maximum):
            line.set("minimum", Int64(minimum))
            line.set("maximum", Int64(maximum))
        case .write(let bytes), .writeCaptured(let bytes): line.set(bytes: bytes)
        case .secure, .closeRead, .closeWrite, .captureStreams, .closeCaptured: break
        }
    }

    init(_ fields: WireFields) throws(WireError) {
        switch try fields.word("action", Name.self) {
        case .read: self = .read(minimum: try fields.count("minimum"), maximum: try fields.count("maximum"))
        case .write: self = .write(try fields.bytes("base64"))
        case .secure: self = .secure
        case .closeRead: self = .closeRead
        case .closeWrite: self = .closeWrite
        case .captureStreams: self = .captureStreams
        case .readCaptured:
            self = .readCaptured(minimum: try fields.count("minimum"), maximum: try fields.count("maximum"))
        case .writeCaptured: self = .writeCaptured(try fields.bytes("base64"))
        case .closeCaptured: self = .closeCaptured
        }
    }
}
