
# The words behind `cargo samekey` are completed as those of `cargo-samekey`, everything else of cargo as before.
__cargo_samekey_or_cargo() {
    if [[ "${COMP_WORDS[1]}" == samekey && $COMP_CWORD -ge 2 ]]; then
        COMP_WORDS=(cargo-samekey "${COMP_WORDS[@]:2}")
        COMP_CWORD=$((COMP_CWORD - 1))
        "$__cargo_samekey_own" cargo-samekey "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    elif [[ -n "$__cargo_samekey_before" ]]; then
        "$__cargo_samekey_before" "$@"
    elif [[ $COMP_CWORD -eq 1 ]]; then
        COMPREPLY=($(compgen -W samekey -- "$2"))
    fi
}

# The function that completes a program.
__cargo_samekey_function_of() {
    [[ "$(complete -p "$1" 2>/dev/null)" =~ -F\ ([^ ]+) ]] && echo "${BASH_REMATCH[1]}"
}

__cargo_samekey_install() {
    local loader before
    for loader in _comp_load _completion_loader; do
        if ! complete -p cargo >/dev/null 2>&1 && declare -F "$loader" >/dev/null; then
            "$loader" cargo >/dev/null 2>&1
        fi
    done
    before="$(__cargo_samekey_function_of cargo)"
    if [[ "$before" != __cargo_samekey_or_cargo ]]; then
        __cargo_samekey_before="$before"
    fi
    __cargo_samekey_own="$(__cargo_samekey_function_of cargo-samekey)"
    complete -o bashdefault -o default -F __cargo_samekey_or_cargo cargo
}
__cargo_samekey_install
unset -f __cargo_samekey_install __cargo_samekey_function_of
