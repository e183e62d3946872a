# The mutants of the sources that are named: every place at which one operator or constant can be replaced, as
# key, file, line, column, what stands there, what takes its place, the line: separated by tabs. The key
# comes from the file's and the line's text and a seed (-v seed=…), not from where the line stands: sorted
# by it, the mutants are in an order of chance that edits elsewhere don't change.
# Left out is what tests needn't notice: comments, strings, what the preprocessor decides, assertions, the
# arguments of messages and prefetches, by how much a buffer grows, and how large a declared array is.
BEGIN {
    FS = "\n"
    OFS = "\t"
    for (i = 1; i < 256; i++)
        code[sprintf("%c", i)] = i
    swap("< <= >=,<= < >,> >= <=,>= > <,== !=,!= ==,&& ||,|| &&,+ -,- +,* /,/ *,% /,<< >>,>> <<,& |,| &,^ |")
    swap("+= -=,-= +=,*= /=,/= *=,|= &=,&= |=,^= |=,<<= >>=,>>= <<=,++ --,-- ++,! !!,true false,false true")
}
function swap(rows,    row, i) {
    for (i = split(rows, row, ","); i > 0; i--)
        instead[substr(row[i], 1, index(row[i], " ") - 1)] = substr(row[i], index(row[i], " ") + 1)
}
function key_of(text,    h, i) {
    h = seed
    text = text "............" # what differs at the end is mixed in, too
    for (i = 1; i <= length(text); i++)
        h = (h * 31 + code[substr(text, i, 1)]) % 2147483647
    return sprintf("%08x", h)
}
function mutant(from, to,    text) {
    text = $0
    gsub(/\t/, " ", text)
    sub(/^ +/, "", text)
    print key_of(FILENAME text nth[FILENAME, $0] "@" column from to), FILENAME, FNR, column, from, to, text
}
function constant(token) {
    mutant(token, "(" token " + 1)")
    if (token !~ /^0[fu]?$/)
        mutant(token, "(" token " - 1)")
}
# Operators of two operands have a space before them: * and & with none are pointers, - a sign.
function operator(token, before, after,    to, n, i) {
    if (!(token in instead) || (token ~ /^[-+*&]$/ && (before != " " || after !~ /^( |$)/)))
        return
    n = split(instead[token], to, " ")
    for (i = 1; i <= n; i++)
        mutant(token, to[i])
}
function token_at(rest) {
    if (comment)
        return match(rest, /\*\//) ? (comment = 0) + RSTART + 1 : length(rest)
    if (match(rest, /^\/\*/))
        return (comment = 1) + 1
    if (match(rest, /^\/\/.*/) || match(rest, /^"([^"\\]|\\.)*"/) || match(rest, /^'([^'\\]|\\.)*'/) ||
        match(rest, /^[A-Za-z_][A-Za-z0-9_]*/) || match(rest, /^([0-9]+\.?[0-9]*[eE][-+][0-9]+|[0-9])[0-9A-Za-z.]*/) ||
        match(rest, /^(<<=|>>=|->|\.\.\.|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*\/%&|^]=)/))
        return RLENGTH
    return 1
}
{ nth[FILENAME, $0]++ }
FNR == 1 { comment = unheard = 0 }
{
    silent = (/^#/ && !/^#define/) || /capacity|_Static_assert|assert\(|calloc\(1,/
    for (column = 1; column <= length($0); column += size) {
        rest = substr($0, column)
        was = comment
        size = token_at(rest)
        token = substr(rest, 1, size)
        if (silent || was || comment)
            continue
        if (token ~ /^".*%/ && !/sscanf/)
            unheard = 1 # what follows is put into it
        if (token ~ /^("|\/\/)/)
            continue
        if (token ~ /^(error_[a-z]+|format_[a-z_]+|__builtin_prefetch)$/)
            unheard = 1
        else if (token == ";" || token == "{")
            unheard = 0
        else if (unheard)
            continue
        else if (token ~ /^['0-9]/ && rest !~ /^[0-9]+\][^=]*;/)
            constant(token)
        else
            operator(token, substr($0, column - 1, 1), substr(rest, size + 1, 1))
    }
}
