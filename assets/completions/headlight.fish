# fish completion for headlight, from fish 3.1 on. Kept by hand; check_app_completion holds it to the
# program's options and their values.

# What is typed of a value, behind --option= too.
function __headlight_typed
    string replace -r -- '^--[^=]*=' '' (string unescape -- (commandline -ct))
end

# The names that stand between commas.
function __headlight_list
    set -l before (__headlight_typed | string replace -r -- '[^,]*$' '')
    printf '%s\n' "$before"$argv
end

# Folders, and files that end so.
function __headlight_files
    set -l typed (__headlight_typed)
    set -l from (string replace -r -- '^~/' "$HOME/" "$typed")
    set -l paths $from*/
    for ending in $argv
        set -a paths $from*$ending
    end
    test "$from" = "$typed"
    or set paths '~'(string sub -s (math 1 + (string length -- "$HOME")) -- $paths)
    printf '%s\n' $paths
end

# What the program on the command line prints for an option, cut to names that mean nothing to a shell.
function __headlight_ask
    set -l program (string replace -r -- '^~/' "$HOME/" (commandline -opc)[1])
    command $program $argv[1] 2>/dev/null </dev/null | LC_ALL=C sed -n $argv[2]
end

# Other names come first, folders last.
function __headlight_models
    printf '%s\n' $argv
    __headlight_ask models 'h;s/^\([A-Za-z0-9_][A-Za-z0-9._/-]*\)  .* layers .* heads, hidden [0-9]*$/\1/p
        g;s/^[A-Za-z0-9_][A-Za-z0-9._-]*\/\([A-Za-z0-9_][A-Za-z0-9._-]*\)  .* layers .* heads, hidden [0-9]*$/\1/p'
    __headlight_files
end

function __headlight_lessons
    __headlight_ask lessons 's/^\([a-z0-9_-]*\)  *[0-9]* min  \(.*\)$/\1\t\2/p'
    __headlight_files .md
end

complete -c headlight -f
complete -c headlight -n __fish_use_subcommand -a 'run survey merge index find models lessons keys schema help'
complete -c headlight -a '(__headlight_files .txt .jsonl .csv .tsv .conllu .survey .index .safetensors .json)'
complete -c headlight -l model -x -a '(__headlight_models built-in)' -d 'a checkpoint'\''s folder, or a model in the hub'\''s cache'
complete -c headlight -l family -x -a 'bert distilbert roberta xlm-roberta electra albert mpnet modernbert deberta-v2 gpt2 nomic_bert camembert data2vec-text luke ernie bert-generation dpr' -d 'whose tensors the model has, if it doesn'\''t say: bert, roberta, ...'
complete -c headlight -l site -x -a 'encoder decoder cross' -d 'of a recorded encoder-decoder: encoder, decoder, cross'
complete -c headlight -l against -x -a '(__headlight_models built-in)' -d 'another model (or built-in) or recording to compare with'
complete -c headlight -l lesson -x -a '(__headlight_lessons)' -d 'begin a lesson, by name, number or file; L lists them'
complete -c headlight -l step -x -a '' -d 'the lesson'\''s step to begin with, from 1'
complete -c headlight -l view -x -a 'head neuron model matrix answers steps compare corpus' -d 'the view: head, neuron, model, matrix, answers, steps, compare, corpus'
complete -c headlight -l layer -x -a '' -d 'layer, from 0'
complete -c headlight -l special -x -a 'shown hidden rescaled' -d '[CLS] and [SEP]: shown, hidden, rescaled without them'
complete -c headlight -l words -d 'word pieces merged into words'
complete -c headlight -l filter -x -a 'all aa ab ba bb' -d 'all, aa, ab, ba, bb: which sentence attends to which'
complete -c headlight -l heads -x -a '' -d 'heads drawn together, in the head view: 0,2,5-7, all or none'
complete -c headlight -l head -x -a '' -d 'layer and head, from 0: 3.2; drawn alone without --heads'
complete -c headlight -l mean -x -a 'none heads layers' -d 'one map: the mean over heads or layers, or none'
complete -c headlight -l threshold -x -a '' -d 'draw lines from this weight up: 0.05, or auto'
complete -c headlight -l shade -x -a 'weight root row' -d 'brightness by weight, its root, or its share of the row'
complete -c headlight -l numbers -d 'the weights in digits, beside the tokens of the head view'
complete -c headlight -l map -x -a 'weights scores norms rollout similarity plain difference' -d 'weights, scores, norms, rollout, ...'
complete -c headlight -l list -d 'a list of the strongest connections beside the view'
complete -c headlight -l metric -x -a 'none label entropy previous next self first separators same distance maximum effect moved' -d 'mark heads by a figure: label, entropy, previous, next, ...'
complete -c headlight -l without -x -a 'none hidden masked removed' -d 'answers without each word: none, hidden, masked, removed'
complete -c headlight -l answers -x -a 'first classes tags span words replaced sentence' -d 'which answer of several: classes, tags, span, words, ...'
complete -c headlight -l sort -d 'sort the model view'\''s heads by that figure'
complete -c headlight -l thumbnails -x -a 'heat lines' -d 'thumbnails of the model view: heat or lines'
complete -c headlight -l corpus -x -a 'heads sorted scatter relations' -d 'the corpus view: heads, sorted, scatter, relations'
complete -c headlight -l corpus-figure -x -a 'does previous next self first separators entropy distance maximum same induction broad effect moved' -d 'its figure of heads: does, previous, ..., effect, moved'
complete -c headlight -l corpus-axis -x -a 'previous next self first separators entropy distance maximum same induction broad effect moved' -d 'the second figure of its scatter'
complete -c headlight -l select -x -a '' -d 'the attending token: flies, flies#2 (the second) or a number'
complete -c headlight -l attended -x -a '' -d 'the attended token'
complete -c headlight -l find -x -a '' -d 'mark the tokens that contain it'
complete -c headlight -l rank -d 'rank all heads by the weight between the two tokens'
complete -c headlight -l theme -x -a 'dark light contrast mono print' -d 'dark, light, contrast, mono or print'
complete -c headlight -l present -d 'for the projector: the view below its sentence (P ends it)'
complete -c headlight -l no-special -d 'tokenise without special tokens, such as [CLS]'
complete -c headlight -l mask -x -a '' -d 'have the model read [MASK] in place of tokens'
complete -c headlight -l unscaled -d 'change the network: scores without the division by √D'
complete -c headlight -l temperature -x -a '' -d 'change the network: scores divided by X as well'
complete -c headlight -l causal -d 'change the network: attend to earlier tokens only'
complete -c headlight -l hide -x -a '' -d 'change the network: hide tokens from all; a comma is #N'
complete -c headlight -l cut -x -a '' -d 'change the network: cut connections; tokens by number'
complete -c headlight -l off -x -a '' -d 'change the network: switch heads off, as layer.head'
complete -c headlight -l uniform -x -a '' -d 'change the network: heads that weigh all alike'
complete -c headlight -l no-positions -d 'change the network: no position embeddings'
complete -c headlight -l sinusoidal -d 'change the network: sinusoidal positions instead'
complete -c headlight -l no-segments -d 'change the network: no segment embeddings'
complete -c headlight -l type -x -a '' -d 'press keys first: "Down Enter e Ctrl-U"; words in quotes'
complete -c headlight -l record -x -a '(__headlight_files .cast)' -d 'write what is seen, or what --type shows, as a cast of asciinema'
complete -c headlight -l state -x -a '(__headlight_files .json)' -d 'open the state saved in FILE.json; save it there on leaving; - reads one'
complete -c headlight -l set -x -d 'a choice by its name in a saved state: stage=scores'
complete -c headlight -l columns -x -a '' -d 'which columns of a table are texts: text, or question,context'
complete -c headlight -l sample -x -a '' -d 'only N of them, drawn by a hash of their ids'
complete -c headlight -l seed -x -a '' -d 'draw others'
complete -c headlight -l shard -x -a '' -d 'only the I-th of N parts of them, from 0: 0/4'
complete -c headlight -l truncate -d 'cut texts that are too long for the model, and say so'
complete -c headlight -l stride -x -a '' -d 'cut them into windows that share N tokens'
complete -c headlight -l strict -d 'end at the first text that can\'t be read'
complete -c headlight -l effects -d 'and how switching off each head changes an answer'
complete -c headlight -l keep -d 'keep a survey that is already complete'
complete -c headlight -l only -x -a '' -d 'layers, and heads as L.H, of an index: 3,7,5.1; or layers of a page'
complete -c headlight -l like -x -a '' -d 'the token to look for, at a layer or a head: 3:time flies#flies'
complete -c headlight -s o -l output -x -a '(__headlight_files .survey .index .jsonl)' -d 'the file that a command writes'
complete -c headlight -l snapshot -x -a '(__headlight_files .txt .ansi .svg)' -d 'draw the screen to FILE.txt, .ansi or .svg'
complete -c headlight -l format -x -a 'txt ansi svg' -d 'draw it to standard output: txt, ansi or svg'
complete -c headlight -l size -x -a '' -d 'size of the snapshot (120x40)'
complete -c headlight -l bare -d 'draw the view alone, as a figure for a paper (.svg)'
complete -c headlight -l width -x -a '' -d 'maximum width of a figure (3.3in): in, cm, mm or pt'
complete -c headlight -l font-size -x -a '' -d 'its font size (8pt)'
complete -c headlight -l font -x -a '' -d 'its typeface, instead of a fixed-width one'
complete -c headlight -l csv -x -a '(__headlight_files .csv)' -d 'the numbers on screen, or of a survey, as CSV; - is standard output'
complete -c headlight -l json -x -a '(__headlight_files .json)' -d 'tokens and answers, or a survey, as JSON; - is standard output'
complete -c headlight -l include -x -a '(__headlight_list weights scores query key value hidden all lens effects metrics maps words)' -d 'add to the JSON: weights,query,hidden,lens,effects,words,...'
complete -c headlight -l ask -x -a '' -d 'the piece, label or span to ask for, and that effects are on, in the JSON'
complete -c headlight -l top -x -a '' -d 'how many of the likeliest pieces are listed (5)'
complete -c headlight -l trace -x -a '(__headlight_files .safetensors .survey)' -d 'write every tensor of the forward pass as safetensors'
complete -c headlight -l page -x -a '(__headlight_files .html)' -d 'write an interactive HTML page, which works offline'
complete -c headlight -l color -x -a 'direct 256 16 mono' -d 'direct, 256, 16 or mono'
complete -c headlight -l ascii -d 'draw with ASCII only'
complete -c headlight -l lines -x -a 'auto pixels blocks braille' -d 'lines as pixels, blocks or braille; auto: the best there is'
complete -c headlight -l no-mouse -d 'leave the mouse to the terminal, to select text'
complete -c headlight -l threads -x -a '' -d 'threads for a pass; by default one for each processor'
complete -c headlight -l config -x -a '(__fish_complete_path)' -d 'settings and keys from FILE, not ~/.config/headlight/config'
complete -c headlight -l no-config -d 'neither settings nor keys from a file'
complete -c headlight -s h -l help -d 'help on one screen, or of a command'
complete -c headlight -s V -l version -d 'print the version, and what a report of a fault needs'
