/** The scripts that complete command lines, by shell. */
export const scripts = {
  // Nothing that the client prints is evaluated: bash's `compgen -W` would run what is in a name.
  // If `cli` is an alias, its text is evaluated, as bash does when the line is run.
  bash: `# Completion of cli for bash. To load it: source <(cli completion bash)
_cli_complete() {
  local line="\${COMP_LINE:0:COMP_POINT}" words partial program
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  partial="\${words[-1]}"
  program="\${BASH_ALIASES[\${words[0]}]-\${words[0]@Q}}"
  mapfile -t COMPREPLY < <(eval "$program"' completion bash "\${words[@]:1}"' 2>/dev/null)
  COMPREPLY=("\${COMPREPLY[@]%%$'\\t'*}")
  # Bash replaces only what follows the last colon.
  if [[ $partial == *:* && $COMP_WORDBREAKS == *:* ]]; then
    COMPREPLY=("\${COMPREPLY[@]#"\${partial%"\${partial##*:}"}"}")
  fi
}
complete -o default -F _cli_complete cli
`,
  zsh: `#compdef cli
# Completion of cli for zsh. To load it: source <(cli completion zsh)
_cli() {
  local line
  local -a found
  for line in "\${(@f)$("\${words[1]}" completion zsh "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#found )); then _describe 'cli' found; else _files; fi
}
compdef _cli cli
`,
  fish: `# Completion of cli for fish. To load it: cli completion fish | source
function __cli_complete
  set -l words (commandline -opc)
  set -l found ($words[1] completion fish $words[2..-1] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c cli -f -a '(__cli_complete)'
`,
} as const
