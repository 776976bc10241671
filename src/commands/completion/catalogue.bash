# catalogue: completion for bash, from 3.2 (that of macOS has no compopt).
_catalogue() {
  local line kind word="${COMP_WORDS[COMP_CWORD]}"
  [[ $word == = ]] && word=
  COMPREPLY=()
  while IFS= read -r line; do
    line="${line%%$'\t'*}"
    case $line in
      :files | :folders)
        compopt -o filenames 2>/dev/null
        kind=-f
        [[ $line == :folders ]] && kind=-d
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen $kind -- "$word")
        ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done < <(catalogue complete bash -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _catalogue catalogue
