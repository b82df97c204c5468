/// A table whose columns are padded to their widest cell, with numbers aligned right. A row's last cell may be longer
/// than its column.
package struct TextTable {
    private var rows: [[String]]
    private let rightAligned: Set<Int>

    package init(_ rows: [[String]], rightAligned: Set<Int> = []) {
        self.rows = rows
        self.rightAligned = rightAligned
    }

    package var lines: [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { row in
                let counts = column < row.count - 1 || (column < row.count && rightAligned.contains(column))
                return counts ? row[column].count : 0
            }
            .max() ?? 0
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                let space = String(repeating: " ", count: max(0, widths[column] - cell.count))
                if column > 0 { line += "  " }
                line += rightAligned.contains(column) ? space + cell : cell + (column == row.count - 1 ? "" : space)
            }
            return line
        }
    }
}
