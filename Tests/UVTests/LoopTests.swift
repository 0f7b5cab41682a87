import Testing
import UV

@Suite struct LoopTests {
    @Test func aLoopEndsWhenAllIsClosed() throws {
        let loop = try Loop()
        let timer = Timer(on: loop)
        var fired = 0
        timer.start(milliseconds: 1, repeating: 1) {
            fired += 1
            if fired == 3 { timer.close() }
        }
        loop.run()
        #expect(fired == 3)
    }

    @Test func aHandleThatIsLeftOpenIsABug() async {
        await #expect(processExitsWith: .failure) {
            let loop = try Loop()
            _ = Timer(on: loop)
            loop.run()
        }
    }

    @Test func aStoppedTimerDoesNotFire() throws {
        let loop = try Loop()
        let (stopped, other) = (Timer(on: loop), Timer(on: loop))
        var fired = false
        stopped.start(milliseconds: 1) { fired = true }
        stopped.stop()
        other.start(milliseconds: 5) {
            stopped.close()
            other.close()
        }
        loop.run()
        #expect(!fired)
    }

    @Test func theEndOfATurnComesAfterItsEventsAndCanAskForAnotherTurn() throws {
        let loop = try Loop()
        var log: [String] = []
        var turnEnd: TurnEnd?
        let timer = Timer(on: loop)
        timer.start(milliseconds: 1) { log.append("timer") }
        var turns = 0
        turnEnd = TurnEnd(on: loop) {
            guard log.contains("timer") else { return }
            log.append("end")
            turns += 1
            turnEnd?.wantsAnotherTurn = turns < 3
            if turns == 3 {
                turnEnd?.close()
                timer.close()
            }
        }
        // Nothing but the wish for another turn keeps the loop from waiting for ever here.
        let guardian = Timer(on: loop)
        guardian.start(milliseconds: 10_000) { log.append("it waited") }
        turnEnd.map { _ in }
        while turns < 3 { loop.step() }
        guardian.close()
        loop.run()
        #expect(log == ["timer", "end", "end", "end"])
    }

    @Test func closeTellsWhenItIsDoneAndASecondOneDoesNothing() throws {
        let loop = try Loop()
        let timer = Timer(on: loop)
        var closed = 0
        timer.close { closed += 1 }
        timer.close { closed += 1 }
        #expect(timer.isClosing)
        loop.run()
        #expect(closed == 1)
    }
}
