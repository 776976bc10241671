# catalogue: completion for fish.
function __catalogue_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in (catalogue complete fish -- $words[2..-1] "$current" 2>/dev/null)
    switch $line
      case ':files*'
        __fish_complete_path "$current"
      case ':folders*'
        __fish_complete_directories "$current"
      case '*'
        echo $line
    end
  end
end
complete -c catalogue -f -a '(__catalogue_complete)'
