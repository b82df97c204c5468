public import Foundation

/// The receiver of a service's events. All methods are optional.
public protocol AdaptableNetServiceDelegate: AnyObject, Sendable {
    /// Called before publishing starts.
    func netServiceWillPublish(_ sender: AdaptableNetService)
    /// Called when the service is announced. Its name may have changed.
    func netServiceDidPublish(_ sender: AdaptableNetService)
    /// Called when publishing failed; the dictionary has `errorCode` and `errorDomain`.
    func netService(_ sender: AdaptableNetService, didNotPublish errorDict: [String: NSNumber])
    /// Called before resolving starts.
    func netServiceWillResolve(_ sender: AdaptableNetService)
    /// Called when the host name, the port and at least one address are known.
    func netServiceDidResolveAddress(_ sender: AdaptableNetService)
    /// Called when resolving failed; the dictionary has `errorCode` and `errorDomain`.
    func netService(_ sender: AdaptableNetService, didNotResolve errorDict: [String: NSNumber])
    /// Called after `stop()`.
    func netServiceDidStop(_ sender: AdaptableNetService)
    /// Called for the first attributes and for each change, after `startMonitoring()`.
    func netService(_ sender: AdaptableNetService, didUpdateTXTRecord data: Data)
    /// Called for each connection to a service that listens. The receiver opens the streams (SRVC-04).
    func netService(
        _ sender: AdaptableNetService, didAcceptConnectionWith inputStream: InputStream, outputStream: OutputStream)
}

extension AdaptableNetServiceDelegate {
    public func netServiceWillPublish(_ sender: AdaptableNetService) {}
    public func netServiceDidPublish(_ sender: AdaptableNetService) {}
    public func netService(_ sender: AdaptableNetService, didNotPublish errorDict: [String: NSNumber]) {}
    public func netServiceWillResolve(_ sender: AdaptableNetService) {}
    public func netServiceDidResolveAddress(_ sender: AdaptableNetService) {}
    public func netService(_ sender: AdaptableNetService, didNotResolve errorDict: [String: NSNumber]) {}
    public func netServiceDidStop(_ sender: AdaptableNetService) {}
    public func netService(_ sender: AdaptableNetService, didUpdateTXTRecord data: Data) {}
    public func netService(
        _ sender: AdaptableNetService, didAcceptConnectionWith inputStream: InputStream, outputStream: OutputStream
    ) {}
}
