/// Hears of stream tasks. Every message is optional.
public protocol AdaptableSessionStreamDelegate: AdaptableSessionTaskDelegate {
    /// Nothing more is to be read.
    func urlSession(_ session: AdaptableSession, readClosedFor streamTask: AdaptableSessionStreamTask)

    /// Nothing more can be written.
    func urlSession(_ session: AdaptableSession, writeClosedFor streamTask: AdaptableSessionStreamTask)
}

extension AdaptableSessionStreamDelegate {
    public func urlSession(_ session: AdaptableSession, readClosedFor streamTask: AdaptableSessionStreamTask) {
        _ = DelegateWitness.tellMissing()
    }

    public func urlSession(_ session: AdaptableSession, writeClosedFor streamTask: AdaptableSessionStreamTask) {
        _ = DelegateWitness.tellMissing()
    }
}
