import Foundation
import LabKernel

/// The resources of this process at one time.
struct ProcessStatistics {
    let residentMebibytes: Double
    /// The peak resident memory.
    let peakMebibytes: Double
    let heapBytes: Int
    let descriptors: Int
    /// Partial downloads in the temporary directory.
    let partialFiles: Int

    init() {
        residentMebibytes = ProcessMemory.mebibytes(.resident)
        peakMebibytes = ProcessMemory.mebibytes(.peak)
        heapBytes = HeapStatistics.bytesInUse
        descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
        let files =
            (try? FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)) ?? []
        partialFiles = files.count { $0.hasPrefix("AdaptableSession-") && $0.hasSuffix(".tmp") }
    }

    var json: String {
        """
        {"residentMiB":\(residentMebibytes),"heapBytes":\(heapBytes),"descriptors":\(descriptors),"partialFiles":\(partialFiles)}
        """
    }
}
