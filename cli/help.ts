import type { Command } from './command.ts'
import { sections } from './command-sections.ts'
import { argsOf, detailsOf, globalFlags, ownFlagsOf } from './command-words.ts'
import { commands } from './commands.ts'
import { topics } from './help-topics.ts'

/** Returns the help of the client, or of one group of commands, such as `stacks`. */
export const helpOfAll = (group?: string): string => (group ? helpOfGroup(group) : helpOfClient())

function helpOfClient(): string {
  return joined([
    'The client of Container Stacks: compose projects on one host or many.\n',
    'Usage: cli <command> [flags]\n',
    titled('To begin with, in the directory of a compose.yaml', firstCommands),
    ...sections.map(
      ({ title, first, example }) => `${titled(title, rowsOf(first))}  Example: ${example}\n`,
    ),
    titled('Global flags', Object.entries(globalFlags)),
    general,
  ])
}

/** The first commands of a new user, in their order. */
const firstCommands = [
  ['cli login <url>', 'Log in to a service; `cli setup <url>` for a new one'],
  ['cli stacks create', 'Save the project as a stack; nothing runs yet'],
  ['cli stacks plan', 'Show what a deploy would do, and why'],
  ['cli stacks deploy', 'Do it'],
  ['cli stacks status', 'Show what runs, and where you reach it'],
] as const

function helpOfGroup(group: string): string {
  const example = sections.find(({ first }) => first[0] === group)?.example
  return joined([
    `Usage: cli ${group} <command> [flags]\n`,
    titled('Commands', rowsOf([group])),
    titled('Global flags', Object.entries(globalFlags)),
    example ? `Example: ${example}\n` : '',
    `Run \`cli ${group} <command> --help\` for the arguments and flags of a command.`,
  ])
}

const rowsOf = (first: readonly string[]) =>
  Object.entries(commands)
    .filter(([words]) => first.includes(words.split(' ')[0] ?? ''))
    .map(([words, { summary }]) => [words, summary] as const)

const general = `Singular and plural are the same: \`cli stack list\` is \`cli stacks list\`. \`ls\` is list, \`rm\` is delete,
\`ps\` is the containers: of a stack with \`cli stack ps\`, of all with \`cli ps\`. \`-v\` is --version.
Things are given by name, by id, or by the beginning of an id.
Commands that delete or revoke ask on a terminal, and need --yes elsewhere.

Run \`cli <command> --help\` for the arguments and flags of a command, and \`cli help <topic>\` for more:
${Object.keys(topics).join(', ')}.
`

/** Returns the help of one command. */
export function helpOf(words: string, command: Command): string {
  const flags = Object.entries(ownFlagsOf(command)).map(
    ([flag, text]) => [flag.replace('<...', '<'), text] as const,
  )
  const args = command.args ? ` ${argsOf(command)}` : ''
  const details = detailsOf(command)
  return joined([
    `${commands[words]?.summary ?? ''}\n`,
    `Usage: cli ${words}${args} [flags]\n`,
    details ? `${details}\n` : '',
    flags.length > 0 ? titled('Flags', flags) : '',
    titled('Global flags', Object.entries(globalFlags)),
    command.examples ? `Examples:\n${command.examples.map((one) => `  ${one}\n`).join('')}` : '',
  ])
}

const joined = (texts: string[]) => `${texts.filter(Boolean).join('\n').trimEnd()}\n`

function titled(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  const lines = rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`)
  return `${title}:\n${lines.join('')}`
}
