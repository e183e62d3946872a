# options.awk: makes of the file of options what the program is compiled with, rows for the preprocessor:
#
#     awk -f assets/options.awk assets/options > options.inc
#
# or, given the manual's frame, too, the manual: a line @TOPIC@ of the frame becomes the list of that topic, @options@
# those of all topics but the commands.
#
#     awk -f assets/options.awk assets/options assets/headlight.1.in > headlight.1

function quoted(text) {
    gsub(/["\\]/, "\\\\&", text)
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
    return (text ~ /^['.]/ ? "\\&" : "") text (text ~ /[.]$/ ? "" : ".") "\n"
}

# The entry that has been read.
function finish(    macro) {
    if (name == "")
        return
    if (topic == "commands") {
        rows = rows "COMMAND(" toupper(name) ", " quoted(name) ", " quoted(takes) ", " quoted(help) \
            ", " quoted(called) ")\n"
        macro = "Cm " name
    } else {
        rows = rows "OPTION(" quoted(topic) ", " quoted(title) ", " quoted(name) ", " \
            (letter == "" ? "0" : "'" letter "'") ", " (takes == "" ? "NULL" : quoted(takes)) ", " quoted(help) \
            ", " quoted(called) ", " (values == "" ? "NULL" : "(const char *const[]){" values "NULL}") ")\n"
        macro = (letter == "" ? "" : "Fl " letter " , ") "Fl Fl " name
    }
    manual[topic] = manual[topic] ".It " macro (takes == "" ? "" : " Ar " escaped(takes)) "\n" sentence(help) \
        (more == "" ? "" : sentence(more)) meanings
    name = help = more = letter = called = values = meanings = ""
}

NR != FNR {
    finish()
    if ($0 !~ /^@.*@$/)
        print
    else if ($0 == "@options@")
        for (i = 2; i <= topics; i++)
            printf ".Ss %s\n.Bl -tag -width Ds\n%s.El\n", titles[i], manual[names[i]]
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
    next
}

/^[^ ]/ {
    finish()
    line = $0
    if (sub(/^-[a-zA-Z], /, ""))
        letter = substr(line, 2, 1)
    name = $1
    takes = substr($0, length(name) + 2)
    sub(/^--/, "", name)
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
    values = values quoted(value) ", " quoted(meaning) ", "
    meanings = meanings ".br\n.Cm " value " :\n" escaped(meaning) "\n"
    next
}

/^ / {
    sub(/^ +/, "")
    if (behind)
        more = more (more == "" ? "" : " ") $0
    else
        help = help (help == "" ? "" : " ") $0
    next
}

{ behind = 1 }

END {
    finish()
    if (ARGC == 2)
        printf "%s", rows
}
