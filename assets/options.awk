# options.awk: makes of the file of options what the program is compiled with, rows for the preprocessor: of topics,
# commands, options, how these are read, and fields. Who includes them defines the macros of those rows that it wants.
#
#     awk -f assets/options.awk assets/options > options.inc
#
# or, given the manual's frame, too, the manual: a line @TOPIC@ of the frame becomes the list of that topic, @options@
# those of all topics but the commands.
#
#     awk -f assets/options.awk assets/options assets/headlight.1.in > headlight.1

function quoted(text) {
    gsub(/["\\]/, "\\\\&", text)
    gsub(/\n/, "\\n", text)
    return "\"" text "\""
}

function escaped(text) {
    gsub(/--/, "\\-\\-", text)
    gsub(/√/, "\\(sr", text)
    return text
}

function sentence(text) {
    text = escaped(text)
    gsub(/[.] /, ".\n", text)
    text = toupper(substr(text, 1, 1)) substr(text, 2)
    return (text ~ /^['.]/ ? "\\&" : "") text (text ~ /[.:]$/ ? "" : ".") "\n"
}

# The entry that has been read.
function finish(    macro) {
    if (name == "")
        return
    if (topic == "commands") {
        rows = rows "COMMAND(" toupper(name) ", " quoted(name) ", " quoted(takes) ", " quoted(help) \
            ", " quoted(called) ", " quoted(more) ", " columns ")\n"
        macro = "Cm " name
    } else {
        rows = rows "OPTION(" (topics - 1) ", " dashes ", " quoted(name) ", " (letter == "" ? "0" : "'" letter "'") ", " \
            (takes == "" ? "NULL" : quoted(takes)) ", " quoted(help) ", " quoted(called) ", " \
            (values == "" ? "NULL" : "(const char *const[]){" values "NULL}") ")\n"
        field = toupper(name)
        gsub(/-/, "_", field)
        if (columns ~ /^[0-9]/) {
            place = columns
            sub(/ .*/, "", place)
            sub(/^[^ ]+/, "", columns)
            gsub(/CHOICES/, choices, columns)
            fields[place] = fields[place] "FIELD(" field ", " quoted(name) "," columns ")\n"
            columns = "OF_FIELD(" field ")"
        }
        rows = rows "ROW(" columns ")\n"
        macro = (letter == "" ? "" : "Fl " letter " , ") (dashes ? "Fl Fl " : "Cm ") name
    }
    manual[topic] = manual[topic] ".It " macro (takes == "" ? "" : " Ar " escaped(takes)) "\n" sentence(help) \
        (more == "" ? "" : topic == "commands" ? typed(more) : sentence(more)) meanings
    name = help = more = letter = called = values = choices = meanings = columns = ""
}

# Lines of help for the manual: those that are indented as they are typed.
function typed(text,    lines, count, i, prose, out) {
    count = split(text, lines, "\n")
    for (i = 1; i <= count; i++) {
        if (lines[i] !~ /^ /)
            prose = prose (prose == "" ? "" : " ") lines[i]
        if (prose != "" && (lines[i] ~ /^ / || i == count)) {
            out = out sentence(prose)
            prose = ""
        }
        if (lines[i] ~ /^ +/) {
            gsub(/\\/, "\\e", lines[i])
            gsub(/"/, "\\(dq", lines[i])
            out = out ".Dl " escaped(substr(lines[i], 3)) "\n"
        }
    }
    return out
}

NR != FNR {
    finish()
    if ($0 !~ /^@.*@$/)
        print
    else if ($0 == "@options@")
        for (i = 2; i <= topics; i++)
            printf ".Ss %s\n%s.Bl -tag -width Ds\n%s.El\n", titles[i], typed(abouts[i]), manual[names[i]]
    else
        printf ".Bl -tag -width Ds\n%s.El\n", manual[substr($0, 2, length($0) - 2)]
    next
}

/^#/ { next }

/^== / {
    finish()
    topic = $NF
    gsub(/[()]/, "", topic)
    title = substr($0, 4, length($0) - length($NF) - 4)
    names[++topics] = topic
    titles[topics] = title
    behind = 1
    next
}

/^[^ ]/ {
    finish()
    if (!(topics in abouts)) {
        abouts[topics] = more
        calleds[topics] = called
    }
    more = called = ""
    line = $0
    if (sub(/^-[a-zA-Z], /, ""))
        letter = substr(line, 2, 1)
    name = $1
    takes = substr($0, length(name) + 2)
    dashes = sub(/^--/, "", name)
    behind = 0
    next
}

sub(/^ += /, "") {
    called = " " $0 " "
    next
}

sub(/^ +- /, "") {
    value = substr($0, 1, index($0, ": ") - 1)
    meaning = substr($0, length(value) + 3)
    choices = choices (choices == "" ? "" : ", ") quoted(value)
    values = values quoted(value) ", " quoted(meaning) ", "
    meanings = meanings ".br\n.Cm " value " :\n" escaped(meaning) "\n"
    next
}

sub(/^ +: /, "") {
    columns = columns (columns == "" ? "" : " ") $0
    next
}

/^ / {
    sub(/^    /, "")
    if (behind && (topic == "commands" || name == ""))
        more = more (more == "" ? "" : "\n") $0
    else if (behind)
        more = more (more == "" ? "" : " ") $0
    else
        help = help (help == "" ? "" : " ") $0
    next
}

{ behind = 1 }

END {
    finish()
    if (ARGC != 2)
        exit
    count = split("TOPIC COMMAND OPTION ROW FIELD", kinds, " ")
    for (i = 1; i <= count; i++)
        printf "#ifndef %s\n#define %s(...)\n#endif\n", kinds[i], kinds[i]
    for (i = 1; i <= topics; i++)
        printf "TOPIC(%s, %s, %s, %s)\n", quoted(names[i]), quoted(titles[i]), quoted(abouts[i]), \
            quoted(calleds[i])
    printf "%s", rows
    for (i = 1; i < 1000; i++)
        printf "%s", fields[i]
    for (i = 1; i <= count; i++)
        print "#undef " kinds[i]
}
