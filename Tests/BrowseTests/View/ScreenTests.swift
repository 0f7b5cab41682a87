import Curses
import Testing

@testable import Browse

/// What is on the screen for a view, at several sizes.
@Suite struct ScreenTests {
    @Test func threeColumnsStandBesideEachOther() throws {
        #expect(
            try ViewFixture().core(120, 20).screen
                == #"""
                 ≡  Recipes                                                                                                           ←
                  Categories                       │ Breakfast                    12 │ Shakshuka
                ───────────────────────────────────┼─────────────────────────────────┼──────────────────────────────────────────────────
                  Kitchen                          │▌Shakshuka                       │ Eggs in tomato
                 ▌▾ Breakfast                   12 │▌Eggs in tomato                  │
                      Eggs                   new 3 │ 日本の朝ごはん     4 2026-11-30 │ Serves  2
                                                   │ Granola                         │ Time    35 minutes
                  Later                            │                                 │
                  ▸ Dinner                       0 │                                 │ Warm the oil.
                                                   │                                 │ Crack the eggs into four hollows.
                                                   │                                 │
                                                   │                                 │ ▣ A pan
                                                   │                                 │
                                                   │                                 │ → Bread
                                                   │                                 │ ∙ Gone
                                                   │                                 │ → Salt
                                                   │                                 │
                                                   │                                 │
                                                   │                                 │
                 ? help  q quit  ↵ choose  Tab column  / search  s order  t sidebar  [ ] history
                """#)
    }

    @Test func aTerminalOf80ColumnsHasTwo() throws {
        var view = ViewFixture()
        view.frames = [("content", 0, 250, false), ("detail", 250.5, 389.5, false)]
        #expect(
            try view.core(80, 20).screen
                == #"""
                 ≡  Recipes                                                                   ←
                 Breakfast               1/12 │ Shakshuka
                ──────────────────────────────┼─────────────────────────────────────────────────
                ▌Shakshuka                    │ Eggs in tomato
                ▌Eggs in tomato               │
                 日本の朝ごはん  4 2026-11-30 │ Serves  2
                 Granola                      │ Time    35 minutes
                                              │
                                              │ Warm the oil.
                                              │ Crack the eggs into four hollows.
                                              │
                                              │ ▣ A pan
                                              │
                                              │ → Bread
                                              │ ∙ Gone
                                              │ → Salt
                                              │
                                              │
                                              │
                 ? help  q quit  ↵ choose  Tab column  / search  s order  t sidebar  [ ] history
                """#)
    }

    @Test func aStackHasOneColumnAndAWayBack() throws {
        var view = ViewFixture()
        view.frames = [("content", 0, 320, false)]
        (view.toggle, view.back) = ("null", #"{"title":"Categories","event":{"type":"back"}}"#)
        #expect(
            try view.core(40, 12).screen
                == #"""
                 ‹ Categories  Recipes                ←
                 Breakfast                         1/12
                ────────────────────────────────────────
                ▌Shakshuka
                ▌Eggs in tomato
                 日本の朝ごはん            4 2026-11-30
                 Granola




                 ? help  q quit  ↵ choose  Esc back
                """#)
    }

    @Test func aTinyTerminalHasTheList() throws {
        var view = ViewFixture()
        view.frames = [("content", 0, 160, false)]
        (view.toggle, view.back) = ("null", #"{"title":"Categories","event":{"type":"back"}}"#)
        #expect(
            try view.core(20, 5).screen
                == #"""
                 ← Breakfast   1/12
                ▌Shakshuka
                 日本の朝ごはん
                 Granola
                 ? help  q quit
                """#)
    }

    @Test func anOverlayLiesOverTheDetail() throws {
        var view = ViewFixture()
        view.frames = [
            ("content", 0, 250, false), ("detail", 250.5, 389.5, false), ("sidebar", 10, 200, true),
        ]
        view.toggle = #"{"icon":"chevron","event":{}}"#
        view.dismiss = #"{"event":{"type":"dismiss"}}"#
        #expect(
            try view.core(80, 12).screen
                == #"""
                 «  ×  Recipes                                                                ←
                  Categories             │ 12 │ Shakshuka                                   61%
                ─────────────────────────┼────┼─────────────────────────────────────────────────
                  Kitchen                │    │ Eggs in tomato
                 ▌▾ Breakfast         12 │    │
                      Eggs         new 3 │-30 │ Serves  2
                                         │    │ Time    35 minutes
                  Later                  │    │
                  ▸ Dinner             0 │    │ Warm the oil.
                                         │    │ Crack the eggs into four hollows.
                                         │    │
                 ? help  q quit  ↵ choose  Esc put away  Tab column  / search  s order
                """#)
    }

    @Test func aTerminalWithoutUnicodeGetsASCII() throws {
        var view = ViewFixture()
        view.frames = [("content", 0, 320, false)]
        #expect(
            try view.core(40, 10, charset: .ascii).screen
                == #"""
                 =  Recipes                           <
                 Breakfast                         1/12
                ----------------------------------------
                >Shakshuka
                >Eggs in tomato
                 ???????                   4 2026-11-30
                 Granola


                 ? help  q quit  Enter choose  / search
                """#)
    }

    @Test func thePopupsLieOverEverything() throws {
        var core = try ViewFixture().core(120, 12)
        core.press(.character("s"))
        #expect(
            core.screen
                == #"""
                 ≡  Recipes                                                                                                           ←
                  Categories                       │ Breakfast                    12 │ Shakshuka                                    61%
                ───────────────────────────────────┼─────────────────────────────────┼──────────────────────────────────────────────────
                  Kitchen                          │▌Shakshuka                       │ Eggs in tomato
                 ▌▾ Breakfast                   12 │▌Eggs in tomato  ╭─ Order ────╮  │
                      Eggs                   new 3 │ 日本の朝ごはん  │ ✓ Position │0 │ Serves  2
                                                   │ Granola         │   Title    │  │ Time    35 minutes
                  Later                            │                 ╰────────────╯  │
                  ▸ Dinner                       0 │                                 │ Warm the oil.
                                                   │                                 │ Crack the eggs into four hollows.
                                                   │                                 │
                 ? help  q quit  ↵ choose  Tab column  / search  s order  t sidebar  [ ] history
                """#)
        core.press(.escape)
        core.press(.character("?"))
        #expect(
            core.screen
                == #"""
                 ≡  Recipes              ╭─ Keys ────────────────────────────────────────────────────────────╮                        ←
                  Categories             │ Up Down  j k              move, or scroll the detail              │                      61%
                ─────────────────────────│ PgUp PgDn  Ctrl-u Ctrl-d  move by a screen, by half of one        │──────────────────────────
                  Kitchen                │ Home End  g G             to the beginning, to the end            │
                 ▌▾ Breakfast            │ Enter                     choose; again: on to the next column    │
                      Eggs               │ Space                     fold or unfold                          │
                                         │ Left Right  h l           fold or unfold, else to the next column │
                  Later                  │ Tab  Shift-Tab            to the next column, to the one before   │
                  ▸ Dinner               │ Esc  Backspace            back, or put away what lies over        │
                                         │ [ ]  Alt-Left Alt-Right   back and forward in the history         │r hollows.
                                         │ /                         search                                  │
                 ? help  q quit  ↵ choose╰───────────────────────────────────────────────────────────────────╯
                """#)
    }
}
