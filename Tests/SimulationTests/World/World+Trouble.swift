import CatalogService
import Shared

@testable import CatalogService
@testable import Gateway
@testable import SQLite
@testable import SelectionService
@testable import Shared

// What goes wrong, and how it is made good.

extension World {
    /// Starts everything that is not there.
    func start() {
        for process in processes { start(process) }
    }

    func makeTrouble() {
        let process = fate.one(of: processes)
        let trouble = fate.one(of: temper.troubles)
        trace.note("trouble", trouble.number, text: "\(trouble) \(process.name)")
        switch trouble {
        case .kill:
            guard process.isAlive, !process.isOnStack else { return }
            reached.insert(.killed)
            process.kill()
        case .killInATurn: process.callsToLive = fate.number(0...12)
        case .stop:
            guard let service = process.service, !process.isOnStack, process.isAlive else { return }
            reached.insert(.stopped)
            service.stop()
        case .stall:
            reached.insert(.stalled)
            process.stalledUntil =
                clock + UInt64(fate.number(1...(fate.isOne(in: 4) ? 7_000 : 300))) * 1_000_000
        case .fullDisk: disk.isFull.toggle()
        case .clockJump:
            reached.insert(.clockJumped)
            let days = fate.isOne(in: 4) ? 40 : 0
            wallClockOffsetMs += days * 86_400_000 + fate.number(-4_000_000...4_000_000)
            if days > 0 { ledger.sessionsMayBeGone = true }
        case .cut:
            guard let client = fate.maybe(clients) else { return }
            reached.insert(.connectionCut)
            client.leave()
        case .cutByService:
            guard let server = process.service?.server, !process.isOnStack, process.isAlive,
                let connection = fate.maybe(server.connections.values.sorted { $0.id.number < $1.id.number })
            else { return }
            // As it does with who reads too slowly: what was not written yet is lost.
            reached.insert(.cutByService)
            server.close(connection, why: "too slow")
        }
    }

    /// Starts what has been down for as long as it should.
    func restartWhatIsDue() {
        for process in processes where !process.isOnStack {
            if process.isAlive, process.service?.isRunning == false { process.kill() }
            guard !process.isAlive else { continue }
            guard let time = restarts[process.name] else {
                restarts[process.name] = now + UInt64(hasFaults ? fate.number(0...400) : 0)
                continue
            }
            guard time <= now else { continue }
            restarts[process.name] = nil
            reached.insert(.restarted)
            trace.note("starts", text: process.name)
            if disk.isForgetful { disk.restore() }
            start(process)
        }
    }

    private func start(_ process: SimulatedProcess) {
        do {
            switch process.name {
            case "catalog":
                try serve(process) { service throws(StartFailure) in
                    let handler = try CatalogHandler(service, path: "\(self.disk.directory)/catalog.sqlite")
                    handler.store.database.askBeforeCommits { [unowned process] in process.mayCommit() }
                    return handler
                }
            case "selection":
                try serve(process) { service throws(StartFailure) in
                    let handler = try SelectionHandler(
                        service, directory: self.disk.directory, catalogSocket: "catalog")
                    handler.wallMs = { [unowned self] in wallClockMs }
                    handler.store.database.askBeforeCommits { [unowned process] in process.mayCommit() }
                    return handler
                }
            default:
                try serve(process) { service throws(StartFailure) in
                    let handler = GatewayHandler(
                        service, catalogPath: "catalog", selectionPath: "selection")
                    handler.windowOutputBytesMax = self.temper.windowOutputBytesMax
                    return handler
                }
            }
        } catch {
            ledger.fail("\(process.name) does not start: \(error)")
        }
    }

    private func serve(
        _ process: SimulatedProcess, _ makeHandler: (Service) throws(StartFailure) -> any Handler
    ) throws {
        try process.start { loop in
            try Service(
                name: process.name, socketPath: process.name, loop: loop, log: .silent,
                makeHandler: makeHandler)
        }
    }
}

extension Temper.Trouble {
    var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
