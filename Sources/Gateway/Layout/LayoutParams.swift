import JSON
import Shared

// The method layout.resolve: the resolver alone.

extension LayoutRequest {
    /// Reads the params of `layout.resolve`.
    ///
    /// - Throws: `invalid_params`.
    init(_ params: JSONValue?) throws(RPCError) {
        var reader = try ObjectReader(params)
        width = try reader.required("width", reader.double("width", in: ViewWindow.widths))
        scale = try reader.required("scale", reader.double("scale", in: ViewWindow.scales))
        columns = try reader.required("columns", reader.int("columns", in: 2...3))
        visibility = try reader.required("visibility", reader.word("visibility"))
        style = try reader.required("style", reader.word("style"))
        cause = try reader.required("cause", reader.word("cause"))
        previous = try reader.object("previous").map { reader throws(RPCError) in
            try Layout.Resolved(reader)
        }
        guard var specs = try reader.object("specs") else { throw reader.wrong("specs", "is missing") }
        self.specs[.sidebar] = try specs.object("sidebar").map { reader throws(RPCError) in
            try ColumnSpec(reader)
        }
        if columns == 3 {
            self.specs[.content] = try specs.object("content").map { reader throws(RPCError) in
                try ColumnSpec(reader)
            }
        } else if specs.value("content") != nil {
            throw specs.wrong("content", "is a column that a window of two columns has not")
        }
        self.specs[.detail] = try specs.object("detail").map { reader throws(RPCError) in
            try ColumnSpec(reader)
        }
        try specs.finish()
        try reader.finish()
    }

    /// Answers `layout.resolve`.
    func answer() -> [UInt8] {
        let layout = Layout(self)
        var json = JSONWriter(capacity: 512)
        json.object { json in
            json.object("layout") { json in
                json.member("width", layout.width)
                json.object("visibility") { json in
                    json.member("requested", visibility.rawValue)
                    json.member("resolved", layout.resolved.visibility.rawValue)
                }
                json.object("style") { json in
                    json.member("requested", style.rawValue)
                    json.member("resolved", layout.style.rawValue)
                }
                json.member("presentation", layout.resolved.presentation.rawValue)
                Layout.write(layout.frames, to: &json)
            }
        }
        return json.bytes
    }
}

extension Layout.Resolved {
    /// Reads what `layout.resolve` has answered before.
    fileprivate init(_ params: ObjectReader) throws(RPCError) {
        var reader = params
        visibility = try reader.required("visibility", reader.word("visibility"))
        presentation = try reader.required("presentation", reader.word("presentation"))
        guard visibility != .automatic else {
            throw reader.wrong("visibility", "must be resolved: all, doubleColumn or detailOnly")
        }
        guard presentation != .stack else {
            throw reader.wrong("presentation", "must be tiled or overlay: leave out a collapsed layout")
        }
        try reader.finish()
    }
}

extension ColumnSpec {
    /// Reads the wishes for one column.
    fileprivate init(_ params: ObjectReader) throws(RPCError) {
        var reader = params
        let widths = 0...ViewWindow.widths.upperBound
        min = try reader.double("min", in: widths)
        preferred = try reader.double("preferred", in: widths)
        fraction = try reader.double("fraction", in: 0...1)
        max = try reader.double("max", in: widths)
        try reader.finish()
    }
}
