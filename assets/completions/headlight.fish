# fish completion for headlight, from fish 3.1 on. The program is asked for what may stand there: a
# word a line, what it means behind a tab; ".csv" is an ending of files, "." any, "/" a folder, and
# "," begins a list.

# Folders, and files that end so.
function __headlight_files
    set -l from (string replace -r -- '^~/' "$HOME/" "$argv[1]")
    set -l paths $from*/
    for ending in $argv[2..-1]
        test $ending = .; and set ending ''
        test "$ending" = /; or set -a paths $from*$ending
    end
    test "$from" = "$argv[1]"
    or set paths '~'(string sub -s (math 1 + (string length -- "$HOME")) -- $paths)
    printf '%s\n' $paths
end

function __headlight_complete
    set -l words (commandline -opc)
    set -l typed (string unescape -- (commandline -ct))
    set -l program (string replace -r -- '^~/' "$HOME/" $words[1])
    set -l before $words[-1]
    set -l prefix ''
    set -l endings
    contains -- -- $words; and return
    if string match -qr -- '^--[^=]+=' "$typed"
        set before (string replace -r -- '=.*' '' $typed)
        set prefix "$before="
        set typed (string replace -r -- '^[^=]*=' '' $typed)
    end
    for line in (command $program __complete "$words[2]" "$before" "$typed" 2>/dev/null </dev/null)
        set -l parts (string split \t -- $line)
        switch $parts[1]
            case ,
                set prefix $prefix(string replace -r -- '[^,]*$' '' "$typed")
            case / '.*'
                set -a endings $parts[1]
            case '*'
                printf '%s\t%s\n' "$prefix$parts[1]" $parts[2]
        end
    end
    set -q endings[1]; and printf "$prefix%s\n" (__headlight_files "$typed" $endings)
end

complete -c headlight -f -a '(__headlight_complete)'
