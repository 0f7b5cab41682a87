import CUV
import Glibc

/// Runs a function of C in libuv's pool of threads, for what waits for the disk.
///
/// Nothing of Swift is there, so nothing has to be `Sendable`: a text goes in, a number comes out.
public enum Work {
    /// What can run there.
    public typealias Function = @convention(c) (UnsafePointer<CChar>?) -> Int32

    /// Runs it; `onEnd` is told its result, or a negative number if it could not be run.
    ///
    /// The loop does not end before that.
    public static func run(
        _ function: Function, _ text: String, on loop: Loop, onEnd: @escaping (Int32) -> Void
    ) {
        if loop.system != nil { return unsafe runNow(function, text, on: loop, onEnd: onEnd) }
        let request = unsafe Request<CUV_work>(onEnd: onEnd)
        unsafe request.start { raw in
            unsafe raw.pointee.function = function
            unsafe raw.pointee.text = strdup(text)
            let status = unsafe CUV_queue_work(loop.raw, raw) { ended, status in
                let work = unsafe UnsafeMutableRawPointer(ended)?.assumingMemoryBound(to: CUV_work.self)
                unsafe Request.end(work, status < 0 ? status : work?.pointee.result ?? 0)
            }
            if status < 0 { unsafe free(raw.pointee.text) }
            return status
        }
    }

    /// Runs it where there is no other thread: in a simulation; its end is told in another turn all the same.
    private static func runNow(
        _ function: Function, _ text: String, on loop: Loop, onEnd: @escaping (Int32) -> Void
    ) {
        let result = unsafe text.withCString { unsafe function($0) }
        let turn = Timer(on: loop)
        turn.start(milliseconds: 0) {
            turn.close()
            onEnd(result)
        }
    }
}
