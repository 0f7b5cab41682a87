extension GatewayCore {
    /// What is counted.
    struct Counters {
        /// Views that were drawn.
        var views = 0
        /// Views that were taken over from another window.
        var sharedViews = 0
        /// Views of places that were shown before.
        var familiarViews = 0
        /// Views with columns that are stale or unavailable.
        var degradedViews = 0
        /// Views begun anew because something changed while they were read.
        var repeatedRounds = 0
        /// Answers of the catalog that did not have to be asked for.
        var knownAnswers = 0
        /// Views that did not have to be composed.
        var keptViews = 0
    }
}
