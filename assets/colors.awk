# colors.awk: makes rows of themes (include/headlight/draw/theme.h) of the file of colours:
#
#     awk -f assets/colors.awk assets/colors > colors.inc

/^#/ || NF == 0 { next }

$1 == "name" || $1 == "least" || $1 == "mono" {
    themes = NF - 1
    for (i = 1; i <= themes; i++)
        said[$1, i] = $(i + 1)
    next
}

{
    for (i = 1; i <= themes; i++) {
        rgb = $(2 * i)
        colors[i] = colors[i] "[ROLE_" $1 "] = {0x" substr(rgb, 1, 2) ", 0x" substr(rgb, 3, 2) ", 0x" substr(rgb, 5) "}, "
        ansi[i] = ansi[i] "[ROLE_" $1 "] = " $(2 * i + 1) ", "
    }
}

END {
    for (i = 1; i <= themes; i++)
        printf "{.name = \"%s\", .least_contrast = %s, .mono = %s,\n .color = {%s},\n .ansi = {%s}},\n", \
            said["name", i], said["least", i], said["mono", i], colors[i], ansi[i]
}
