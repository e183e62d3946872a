# A floor includes only those above it in this list; curses and cblas each have one door.
BEGIN {
    count = split("base tensor text model lens survey draw view session lesson terminal export app", floors, " ")
    for (i = 1; i <= count; i++)
        level[floors[i]] = i
}
function complain(what) { print FILENAME ":" FNR ": " what; bad = 1 }
/^#include/ {
    split(FILENAME, path, "/")
    floor = path[1] == "include" ? path[3] : path[2]
    if (!(floor in level))
        complain(floor " is no floor")
    if (match($0, /"headlight\/[a-z]+\//)) {
        other = substr($0, RSTART + 11, RLENGTH - 12)
        if (!(other in level) || level[other] > level[floor])
            complain(floor " includes " other)
    }
    if ($0 ~ /<(curses|ncurses|term)\.h>/ && FILENAME !~ /^src\/terminal\/curses[a-z_]*\.c$/)
        complain("only src/terminal/curses*.c include curses")
    if ($0 ~ /<cblas\.h>/ && FILENAME != "src/tensor/kernels_portable.c")
        complain("only src/tensor/kernels_portable.c includes cblas")
}
END { exit bad }
