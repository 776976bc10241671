#compdef catalogue
# catalogue: completion for zsh.
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_catalogue() {
  local line
  local -a found
  for line in "${(@f)$(catalogue complete zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :files*) _files ;;
      :folders*) _files -/ ;;
      ?*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done
  (( $#found )) && _describe catalogue found
}
compdef _catalogue catalogue
