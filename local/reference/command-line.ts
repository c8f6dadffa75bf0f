import { present } from '../../adapters/testing/present.ts'
import type { Command } from '../../cli/command.ts'
import { argsOf, detailsOf, globalFlags, listFlags, ownFlagsOf } from '../../cli/command-words.ts'
import { commands } from '../../cli/commands.ts'
import { withGenerated } from './generated.ts'

/**
 * Returns the page of the client with the reference of every command, generated from the table of
 * commands.
 */
export async function commandLinePage(page: string): Promise<string> {
  const all = await Promise.all(
    Object.entries(commands).map(async ([words, { summary, load }]) => ({
      words,
      summary,
      command: (await load()).default,
    })),
  )
  const sorted = all.toSorted((one, other) => (one.words < other.words ? -1 : 1))
  const parts = sorted.map(sectionOf).join('\n\n')
  const flags = flagTable(Object.entries(globalFlags))
  const lists = flagTable(Object.entries(listFlags))
  const shared = withGenerated(withGenerated(page, 'flags', flags), 'list-flags', lists)
  return withGenerated(shared, 'commands', parts)
}

interface Listed {
  words: string
  summary: string
  command: Command
}

function sectionOf({ words, summary, command }: Listed): string {
  const flags = Object.entries(ownFlagsOf({ ...command, list: undefined }))
  const args = command.args ? ` ${argsOf(command)}` : ''
  const details = detailsOf(command)
  const examples = command.examples ?? []
  return [
    `### \`cli ${words}\``,
    `${summary}.`,
    fenced([`cli ${words}${args}${flags.length > 0 || command.list ? ' [flags]' : ''}`]),
    details &&
      escaped(details)
        .trim()
        .split(/\n{2,}/)
        .map(wrapped)
        .join('\n\n'),
    flags.length > 0 && flagTable(flags),
    command.list && 'It also has the [flags of lists](#flags-of-lists).',
    examples.length > 0 && `Examples:\n\n${fenced(examples)}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

const fenced = (lines: readonly string[]) => `\`\`\`text\n${lines.join('\n')}\n\`\`\``

function flagTable(flags: readonly (readonly [string, string])[]): string {
  const rows = flags.map(([flag, text]) => `| \`${flag.replace('<...', '<')}\` | ${cell(text)} |`)
  return ['| flag | meaning |', '|---|---|', ...rows].join('\n')
}

const cell = (text: string) => escaped(text).replaceAll('|', '\\|')

const columnsMax = 100

/** Wraps a paragraph into lines of at most 100 columns. */
function wrapped(paragraph: string): string {
  const lines = ['']
  for (const word of paragraph.split(/\s+/)) {
    const last = present(lines.at(-1))
    if (last !== '' && last.length + 1 + word.length > columnsMax) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.join('\n')
}

/** Escapes angle brackets outside code, which would be read as HTML. */
const escaped = (text: string) =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '\\<')))
    .join('')
