import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { globalFlags } from './words.ts'

/** Returns the help of the client, or of one group of commands, such as `stacks`. */
export function helpOfAll(group?: string): string {
  const rows = Object.entries(commands)
    .filter(([words]) => !group || words.startsWith(`${group} `))
    .map(([words, { summary }]) => [words, summary] as const)
  return sections([
    group ? '' : 'The client of Container Stacks: compose projects on one host or many.\n',
    `Usage: cli ${group ?? '<command>'} ${group ? '<command> ' : ''}[flags]\n`,
    titled('Commands', rows),
    titled('Global flags', Object.entries(globalFlags)),
    group ? '' : environment,
    `Run \`cli ${group ? `${group} ` : ''}<command> --help\` for the arguments and flags of a command.`,
  ])
}

const environment = `\`cli --version\` shows the version of the client.

Environment:
  CLI_SERVER, CLI_TOKEN  Server and token, instead of a login
  NO_COLOR               Disable colours

Singular and plural are the same: \`cli stack list\` is \`cli stacks list\`.
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not logged in, 4 forbidden.
`

/** Returns the help of one command. */
export function helpOf(words: string, command: Command): string {
  const flags = Object.entries<string>(command.flags ?? {}).map(
    ([flag, text]) => [flag.replace('<...', '<'), text] as const,
  )
  const args = command.args ? ` ${command.args}` : ''
  return sections([
    `${commands[words]?.summary ?? ''}\n`,
    `Usage: cli ${words}${args} [flags]\n`,
    command.details ? `${command.details.trim()}\n` : '',
    flags.length > 0 ? titled('Flags', flags) : '',
    titled('Global flags', Object.entries(globalFlags)),
    command.examples ? `Examples:\n${command.examples.map((one) => `  ${one}\n`).join('')}` : '',
  ])
}

const sections = (texts: string[]) => `${texts.filter(Boolean).join('\n').trimEnd()}\n`

function titled(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  const lines = rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`)
  return `${title}:\n${lines.join('')}`
}
