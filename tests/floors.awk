# A lower floor never includes a higher one; curses and cblas each have one door.
BEGIN {
    may["base"] = " base "; may["text"] = " base text "; may["model"] = " base model "
    may["lens"] = " base text model lens "; may["view"] = " base text model lens view "
    may["app"] = " base text model lens view app "
}
function complain(what) { print FILENAME ":" FNR ": " what; bad = 1 }
/^#include/ {
    split(FILENAME, path, "/")
    floor = path[1] == "include" ? path[3] : path[2]
    if (match($0, /"headlight\/[a-z]+\//)) {
        other = substr($0, RSTART + 11, RLENGTH - 12)
        if (floor in may && index(may[floor], " " other " ") == 0)
            complain(floor " includes " other)
    }
    if ($0 ~ /<(curses|ncurses|term)\.h>/ && FILENAME !~ /^src\/app\/curses[a-z_]*\.c$/)
        complain("only src/app/curses*.c include curses")
    if ($0 ~ /<cblas\.h>/ && FILENAME != "src/model/processor_blas.c")
        complain("only src/model/processor_blas.c includes cblas")
}
END { exit bad }
