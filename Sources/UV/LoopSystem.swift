// What a loop hangs on. In a program that is libuv, and nothing else can be: a loop with another system can only be
// made by tests of this package (`Tests/SimulationTests`), which run the services whole in a world where a seed decides
// what happens when.

/// What stands for libuv and the kernel under one process of a simulation.
protocol LoopSystem: AnyObject {
    /// Milliseconds of the monotonic clock as of the start of the turn.
    var now: UInt64 { get }
    /// Nanoseconds of the same clock, now.
    var nanoseconds: UInt64 { get }

    /// Keeps a handle until it is closed.
    func adopt(_ handle: Handle)
    /// Has `Handle.hasClosed` called at the end of the turn.
    func close(_ handle: Handle)

    /// Has `Timer.fire` called after a time, once or again and again.
    func start(_ timer: Timer, milliseconds: UInt64, repeating: UInt64)
    func stop(_ timer: Timer)

    /// Has `Pipe.connected` called for each connection that waits.
    func listen(_ pipe: Pipe, at path: String)
    /// Connects a pipe to the client that waited first; false if it has gone.
    func accept(_ connection: Pipe, from listener: Pipe) -> Bool
    func connect(_ pipe: Pipe, to path: String, onEnd: @escaping (UVError?) -> Void)
    /// Tells what has come by `Pipe.arrived`, as is done, and `Pipe.ended` too, whenever `Pipe.isReading`.
    func readPending(_ pipe: Pipe)
    func write(_ bytes: [UInt8], to pipe: Pipe, onWritten: @escaping (UVError?) -> Void)
    func shutDownWriting(_ pipe: Pipe)
    func queuedBytes(_ pipe: Pipe) -> Int
    func isPeerGone(_ pipe: Pipe) -> Bool
}
