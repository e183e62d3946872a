# budget.awk BUDGET -: whether each room has no more lines of code than tests/budget allows, from what
# `cloc --by-file --csv` counts. A room is src/NAME with include/headlight/NAME.
FNR == NR { if (!/^#/ && NF == 2) most[$1] = $2; next }
{
    count = split($0, column, ",")
    parts = split(column[2], path, "/")
    room = path[1] == "src" ? path[2] : path[1] == "include" ? path[3] : ""
    if (room != "" && parts > 2)
        lines[room] += column[count]
}
END {
    for (room in lines) {
        all += lines[room]
        if (!(room in most)) {
            print "tests/budget: expected a row for the room " room
            failed = 1
        } else if (lines[room] > most[room]) {
            print room ": expected at most " most[room] " lines of code, found " lines[room]
            failed = 1
        }
        allowed += most[room]
    }
    if (failed)
        print "take something out, or raise tests/budget in a commit of its own that says why"
    else
        print "budget: " all " of " allowed " lines of code"
    exit failed
}
