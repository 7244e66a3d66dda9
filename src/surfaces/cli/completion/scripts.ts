/**
 * Each script asks `penknife completion SHELL -- WORDS` for what completes the last word, and adds paths in the manner of
 * its shell. Nothing that is typed is evaluated.
 */
export const scripts = {
  // bash splits words at = and : (COMP_WORDBREAKS), so the words are put together again, and candidates are shortened by
  // what precedes the last of these characters. bash 3.2 on macOS has neither compopt nor mapfile.
  bash: verbatim`# Completion of penknife for bash.
_penknife() {
  local IFS=$' \t\n' rest=\${COMP_LINE:0:COMP_POINT} piece at last answer line
  local -a words=()
  for ((at = 0; at <= COMP_CWORD; at++)); do
    piece=\${COMP_WORDS[at]}
    last=\${#words[@]}
    if ((at == 0)) || [[ $rest == [[:space:]]* ]]; then
      rest=\${rest#"\${rest%%[![:space:]]*}"}
    elif ((last > 0)); then
      ((last--))
    fi
    # The last word ends at the cursor.
    ((at == COMP_CWORD)) && piece=$rest
    words[last]=\${words[last]-}$piece
    rest=\${rest#"$piece"}
  done
  local current=\${words[last]-} before=""
  local breaks=\${COMP_WORDBREAKS//[^=:]/}
  if [[ -n $breaks && $current == *["$breaks"]* ]]; then before=\${current%"\${current##*["$breaks"]}"}; fi
  COMPREPLY=()
  answer=$("\${words[0]/#\~/$HOME}" completion bash -- "\${words[@]:1}" 2>/dev/null) || return 0
  # Without candidates there is one line.
  if [[ $answer != *$'\n'* ]]; then answer+=$'\n'; fi
  while IFS= read -r line; do
    if [[ $line == "$current"* ]]; then COMPREPLY+=("\${line#"$before"}"); fi
  done <<<"\${answer#*$'\n'}"
  case $answer in
    files* | part*)
      if ((\${#COMPREPLY[@]} == 0)); then
        compopt -o default 2>/dev/null
      else
        compopt -o filenames 2>/dev/null
        for line in "$current"*; do
          if [[ -e $line ]]; then COMPREPLY+=("$line"); fi
        done
      fi
      ;;
    folders*) compopt -o dirnames 2>/dev/null ;;
  esac
  # A file follows.
  if [[ \${COMPREPLY[0]-} == *= ]]; then compopt -o nospace 2>/dev/null; fi
  return 0
}
if type compopt >/dev/null 2>&1; then
  complete -F _penknife penknife
else
  complete -o default -F _penknife penknife
fi
`,
  // compadd takes words as they are, where _describe would read colons in them.
  zsh: verbatim`#compdef penknife
# Completion of penknife for zsh: in a folder of fpath as _penknife, or with source after compinit.
_penknife() {
  local -a answer values shown
  local line value before="" paths
  local -i width=0 described=0
  answer=("\${(@f)$("\${words[1]/#\~/$HOME}" completion zsh -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  paths=$answer[1]
  if [[ $PREFIX == --*=* ]]; then
    before="\${PREFIX%%=*}="
    compset -P 1 '*='
  fi
  for line in "\${(@)answer[2,-1]}"; do
    value=\${\${line%%$'\t'*}#$before}
    values+=("$value")
    (( \${#value} > width )) && width=\${#value}
  done
  for line in "\${(@)answer[2,-1]}"; do
    value=\${\${line%%$'\t'*}#$before}
    if [[ $line == *$'\t'* ]]; then
      described=1
      value="\${(r:width:)value}  -- \${line#*$'\t'}"
    fi
    shown+=("\${value[1,COLUMNS-1]}")
  done
  local found=1
  if (( \${#values} )); then
    if (( described )); then
      compadd -l -d shown -a values && found=0
    elif [[ $values[1] == *= ]]; then
      # A file follows.
      compadd -S '' -a values && found=0
    else
      compadd -a values && found=0
    fi
  fi
  case $paths in
    files) _files && found=0 ;;
    part) compset -P '*=' && _files && found=0 ;;
    folders) _files -/ && found=0 ;;
  esac
  return found
}
if [[ "\${funcstack[1]-}" == _penknife ]]; then
  _penknife "$@"
else
  compdef _penknife penknife
fi
`,
  fish: verbatim`# Completion of penknife for fish.
function __penknife_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r -- '^~/' "$HOME/" $words[1])
    set -l answer ($program completion fish -- $words[2..-1] "$current" 2>/dev/null)
    test (count $answer) -gt 0; or return
    printf '%s\n' $answer[2..-1]
    set -l before (string match -r -- '^--[^=]*=' "$current")
    set -l path (string replace -- "$before" '' "$current")
    switch $answer[1]
        case part
            set before (string match -r -- '^.*=' "$current")
            set path (string replace -- "$before" '' "$current")
            __fish_complete_path "$path" | string replace -r -- '^' "$before"
        case files
            __fish_complete_path "$path" | string replace -r -- '^' "$before"
        case folders
            __fish_complete_directories "$path" '' | string replace -r -- '^' "$before"
    end
end
complete -c penknife -f -a '(__penknife_complete)'
`,
} as const;

export type Shell = keyof typeof scripts;

/** Returns the text as it stands, in which a backslash precedes each brace that TypeScript would read. */
function verbatim({ raw }: TemplateStringsArray): string {
  return raw.join("").replaceAll("\\${", "${");
}
