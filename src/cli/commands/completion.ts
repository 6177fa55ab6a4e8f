import { writeAll } from '../output.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/** A script for the shell. It asks `pal complete` for what fits: words, a tab, what they are. */
export function completion(shell: Shell): void {
  writeAll([SCRIPTS[shell]]);
}

const SCRIPTS: Record<Shell, string> = {
  bash: `# pal completion bash > ~/.local/share/bash-completion/completions/pal
_pal_complete() {
  local IFS=$'\\n' word
  COMPREPLY=()
  while read -r word; do
    [ -n "$word" ] && COMPREPLY+=("$(printf '%q' "$word")")
  done < <("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1)
}
complete -o default -F _pal_complete pal palimpsest
`,
  zsh: `#compdef pal palimpsest
# pal completion zsh > a folder of your fpath, as _pal
_pal() {
  local -a values descriptions
  local line
  while IFS= read -r line; do
    values+=("\${line%%$'\\t'*}")
    descriptions+=("\${line%%$'\\t'*}  \${line#*$'\\t'}")
  done < <("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#values} )) && compadd -l -d descriptions -a values || _files
}
_pal "$@"
`,
  fish: `# pal completion fish > ~/.config/fish/completions/pal.fish
function __pal_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] complete -- $words[2..-1] 2>/dev/null
end
complete -c pal -f -a '(__pal_complete)'
complete -c palimpsest -f -a '(__pal_complete)'
`,
};
