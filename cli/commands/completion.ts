import { type Call, command } from '../command.ts'
import { suggestions } from '../complete/candidates.ts'
import { savedNames } from '../complete/saved-names.ts'
import { scripts } from '../complete/scripts.ts'
import { wrongUsage } from '../failure.ts'

const ownArgs = '<shell> [...words]'

export default command({
  args: ownArgs,
  verbatim: true,
  details: `
Prints a script that completes commands, flags and names in bash, zsh or fish. Names come from the service, and are
left out while it is away. The script calls this command again, with the words up to the cursor.`,
  examples: [
    'source <(cli completion bash)',
    'cli completion bash > /etc/bash_completion.d/cli',
    'source <(cli completion zsh)',
    'cli completion fish > ~/.config/fish/completions/cli.fish',
  ],
  run: completion,
})

async function completion({
  args,
  flags,
  io,
  print,
  client,
  commands,
}: Call<typeof ownArgs>): Promise<void> {
  const { shell, words } = args
  if (!Object.hasOwn(scripts, shell)) {
    throw wrongUsage(`there is no completion for ${JSON.stringify(shell)}`, 'use bash, zsh or fish')
  }
  if (words.length === 0) {
    io.stdout.write(scripts[shell as keyof typeof scripts])
    return
  }
  for (const { text, meaning } of await suggestions(
    words,
    commands,
    savedNames(io, client, flags),
    io.env,
  )) {
    print.line(`${text}\t${meaning}`)
  }
}
