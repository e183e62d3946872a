# What the suites' logs come to, once all have passed: what was not tested here, and how much was.
# With fast=1 a suite without a single check has slow ones alone.
function name(file) { sub(/.*\//, "", file); sub(/\.log$/, "", file); return file }
FNR == 1 { said = 0 }
/^skipped: / {
    said = 1
    if (!seen[FILENAME, $0]++)
        print "skipped in " name(FILENAME) ": " substr($0, 10)
}
/^[0-9]+%: Checks: / {
    split($3, count, ",")
    checks += count[1]
    suites += count[1] > 0
    if (count[1] == 0 && !said && !fast)
        print "skipped: " name(FILENAME) ", which has nothing to test here"
}
END { printf "%d suites, %d checks: all passed\n", suites, checks }
