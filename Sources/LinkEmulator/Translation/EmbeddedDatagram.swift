/// A parsed ICMP error: its translation for the other side, and the packet that it quotes.
struct EmbeddedDatagram<Header: Sendable>: Sendable {
    var translated: ICMPErrorTables.Message
    var inner: Header
    /// The quoted part of the quoted packet's payload. Ranges count from the beginning of the outer packet.
    var transport: Range<Int>
    /// The quoted packet's transport header; nil in a later fragment and for protocols that only a stateless translator
    /// passes.
    var head: TransportHead?
    /// Objects after the quotation (RFC 4884), empty if there are none.
    var extensions: Range<Int>
}

extension EmbeddedDatagram<IPv6Header> {
    init(_ packet: Span<UInt8>, _ header: IPv6Header, _ networks: TranslationNetworks) throws(TranslationDrop) {
        let message = packet.extracting(header.carried)
        let icmp = try ICMPHeader(reading: message)
        var sum = InternetChecksum()
        sum.addPseudoHeader(header.source, header.destination, .icmpv6, length: message.count)
        sum.add(message)
        guard sum.value == 0 else { throw .badChecksum }
        let (quoted, extensions) = ICMPExtensions.split(
            message.count, words: ICMPExtensions.words6(icmp), wordLength: 8)
        let start = header.carried.lowerBound
        do {
            inner = try IPv6Header(message.extracting(quoted), isQuoted: true)
        } catch {
            // An unknown error is dropped as unknown, regardless of the packet it quotes.
            guard ICMPErrorTables.toIPv4(icmp, hasFragmentHeader: false, networks) != nil else {
                throw .untranslatableICMP(type: icmp.type, code: icmp.code)
            }
            throw .malformed(error)
        }
        guard let translated = ICMPErrorTables.toIPv4(icmp, hasFragmentHeader: inner.fragment != nil, networks) else {
            throw .untranslatableICMP(type: icmp.type, code: icmp.code)
        }
        self.translated = translated
        transport =
            start + quoted.lowerBound + inner.carried.lowerBound..<start + quoted.lowerBound + inner.carried.upperBound
        head =
            inner.isLaterFragment
            ? nil : try TransportHead(packet.extracting(transport), inner.carriedProtocol, of: .v6)
        self.extensions = start + extensions.lowerBound..<start + extensions.upperBound
    }
}

extension EmbeddedDatagram<IPv4Header> {
    init(_ packet: Span<UInt8>, _ header: IPv4Header, _ networks: TranslationNetworks) throws(TranslationDrop) {
        let message = packet.extracting(header.payload)
        let icmp = try ICMPHeader(reading: message)
        var sum = InternetChecksum()
        sum.add(message)
        guard sum.value == 0 else { throw .badChecksum }
        let (quoted, extensions) = ICMPExtensions.split(
            message.count, words: ICMPExtensions.words4(icmp), wordLength: 4)
        let start = header.payload.lowerBound
        do { inner = try IPv4Header(message.extracting(quoted), isQuoted: true) } catch { throw .malformed(error) }
        guard let translated = ICMPErrorTables.toIPv6(icmp, quotedLength: inner.totalLength, networks) else {
            throw .untranslatableICMP(type: icmp.type, code: icmp.code)
        }
        self.translated = translated
        transport =
            start + quoted.lowerBound + inner.payload.lowerBound..<start + quoted.lowerBound + inner.payload.upperBound
        head =
            inner.fragmentOffset > 0
            ? nil : try TransportHead(packet.extracting(transport), inner.payloadProtocol, of: .v4)
        self.extensions = start + extensions.lowerBound..<start + extensions.upperBound
    }
}

extension ICMPHeader {
    init(reading message: Span<UInt8>) throws(TranslationDrop) {
        do { try self.init(message) } catch { throw .malformed(error) }
    }
}
