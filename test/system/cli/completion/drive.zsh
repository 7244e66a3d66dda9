# Types each line of standard input into an interactive zsh, presses Tab, and writes the line that results to $OUT/lines. What the
# terminal showed goes to standard output. SITE is the folder with _penknife.
zmodload zsh/zpty
zmodload zsh/zselect
zmodload zsh/mapfile
export COLUMNS=100 LINES=40
zpty shell "PS1='% ' zsh -f -i"
zpty -w shell 'stty cols 100 rows 40; fpath=($SITE $fpath); autoload -Uz compinit; compinit -u -D; setopt no_beep'
zpty -w shell 'note() { print -r -- "$BUFFER" >> $OUT/lines; BUFFER=; }; zle -N note; bindkey "^G" note'
zpty -w shell 'print -r -- ready > $OUT/lines'
await() {
  local -a seen
  while seen=("${(@f)mapfile[$OUT/lines]}"); (( $#seen - 1 < $1 )); do
    zpty -r -t shell text && shown+=$text || zselect -t 2
  done
}
: > $OUT/lines
count=1
await $count
while IFS= read -r line; do
  zpty -w -n shell "$line"$'\t\a'
  ((count++))
  await $count
done
zpty -w shell exit
while zpty -r shell text; do shown+=$text; done
print -r -- "$shown"
