
# The words behind `cargo samekey` are completed as those of `cargo-samekey`.
function __cargo_samekey_is_meant
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = samekey
end

function __cargo_samekey_completions
    set -l words (commandline -opc)
    set -l line cargo-samekey (string escape -- $words[3..-1]) (commandline -ct)
    complete --do-complete (string join ' ' -- $line)
end

complete -c cargo -f -n __cargo_samekey_is_meant -a '(__cargo_samekey_completions)'
