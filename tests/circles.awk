# Which files of a room take from each other in a circle, by the symbols of their objects: reads
# tests/circles.list, then "nm -A -P -g" of build/src. A circle is fine where one line of the list
# covers all of its files.
/^#/ { next }
FILENAME ~ /\.list$/ {
    room_of[++rows] = $1
    gsub(/\*/, "[a-z0-9_]*", $2)
    gsub(/,/, "|", $2)
    covered[rows] = "/(" $2 ")$"
    next
}
{
    sub(/\.o:?$/, "", $1)
    parts = split($1, path, "/")
    room = path[parts - 1]
    file = room "/" path[parts]
    if (!(file in taken))
        files[room] = files[room] " " file
    taken[file] += $3 == "U"
    if ($3 == "U")
        takes[file, taken[file]] = $2
    else
        home[$2] = file
}
# way[a, b]: a needs b, perhaps through others; symbol[a, b]: something that it takes directly
function find_ways(room, f, n,    i, j, k, other) {
    for (i = 1; i <= n; i++)
        for (k = 1; k <= taken[f[i]]; k++) {
            other = home[takes[f[i], k]]
            if (other != f[i] && index(other, room "/") == 1)
                way[f[i], other] = symbol[f[i], other] = takes[f[i], k]
        }
    for (k = 1; k <= n; k++)
        for (i = 1; i <= n; i++)
            for (j = 1; ((f[i], f[k]) in way) && j <= n; j++)
                if ((f[k], f[j]) in way)
                    way[f[i], f[j]] = 1
}
function check_circle(room, f, n, file,    c, count, i, j, row, fits) {
    for (i = 1; i <= n; i++)
        if (((f[i], file) in way) && ((file, f[i]) in way))
            done[c[++count] = f[i]] = 1
    for (row = 1; row <= rows; row++) {
        fits = room_of[row] == room
        for (i = 1; fits && i <= count; i++)
            fits = c[i] ~ covered[row]
        if (fits)
            return
    }
    bad = 1
    print "src/" room ": a circle of " count " files that tests/circles.list does not allow:"
    for (i = 1; i <= count; i++)
        for (j = 1; j <= count; j++)
            if ((c[i], c[j]) in symbol)
                print "    " c[i] ".c takes " symbol[c[i], c[j]] " from " c[j] ".c"
}
END {
    for (room in files) {
        n = split(files[room], f, " ")
        find_ways(room, f, n)
        for (i = 1; i <= n; i++)
            if (((f[i], f[i]) in way) && !(f[i] in done))
                check_circle(room, f, n, f[i])
    }
    exit bad
}
