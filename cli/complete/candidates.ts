import type { Command, Commands } from '../command.ts'
import { groupsOf, longerOf } from '../command-list.ts'
import { findWords, globalFlags, ownFlagsOf } from '../command-words.ts'
import { hostFromEnvironment } from '../flags/host-variable.ts'
import { outputs } from '../flags/output-flags.ts'
import { progressKinds } from '../flags/progress-flag.ts'
import type { Io } from '../io.ts'
import { isPlain, type Kind, kindAt, type NameOptions, type Names } from './names.ts'

/** What may stand at the cursor, and what it means. */
export interface Suggestion {
  text: string
  meaning: string
}

/**
 * Returns what may follow the words of a command line, of which the last is incomplete or empty.
 * Returns nothing where a file may follow, or anything.
 *
 * @param names finds the names that a service knows, such as those of its stacks
 * @param env the environment, whose CLI_HOST stands for a `--host` that is not given
 */
export async function suggestions(
  words: readonly string[],
  commands: Commands,
  names: Names,
  env: Io['env'],
): Promise<Suggestion[]> {
  const partial = words.at(-1) ?? ''
  const found = findWords(words.slice(0, -1), groupsOf(commands), longerOf(commands))
  const name = found.words.join(' ')
  const known = Object.hasOwn(commands, name) ? commands[name] : undefined
  const command = known && (await known.load()).default
  const all = [
    ...(partial.startsWith('-') ? [] : nextWords(found.words, commands)),
    ...(await ofCommand({ name, command, rest: found.rest, partial, env }, names)),
  ]
  return all.filter(({ text }) => text.startsWith(partial))
}

/** Returns the words that may follow those of an incomplete command. */
function nextWords(words: readonly string[], commands: Commands): Suggestion[] {
  const before = words.map((word) => `${word} `).join('')
  const next = new Map<string, string>()
  for (const [name, { summary }] of Object.entries(commands)) {
    if (!name.startsWith(before)) continue
    const [word = '', ...more] = name.slice(before.length).split(' ')
    if (more.length === 0 || !next.has(word)) next.set(word, more.length === 0 ? summary : '')
  }
  return [...next].map(([text, meaning]) => ({ text, meaning }))
}

interface Place {
  name: string
  command: Command | undefined
  /** The arguments and flags before the cursor. */
  rest: readonly string[]
  partial: string
  env: Io['env']
}

async function ofCommand({ name, command, rest, partial, env }: Place, names: Names) {
  const flags = flagsOf({ ...ownFlagsOf(command ?? {}), ...globalFlags })
  const { values, given, awaiting, isLiteral } = read(rest, flags)
  const host = given.get('--host') ?? hostFromEnvironment({}, command ?? {}, { env })
  const options: NameOptions = { host, stack: values[0] }
  const named = async (kind: Kind | undefined) =>
    kind ? listed((await names(kind, options)).filter(isPlain)) : []
  if (awaiting === '--output') return listed(outputs)
  if (awaiting === '--progress') return listed(progressKinds)
  if (awaiting) return named(kindAt({ flag: awaiting }))
  if (partial.startsWith('-') && !isLiteral) {
    return [...flags].map(([text, { meaning }]) => ({ text, meaning }))
  }
  if (!command) return []
  const argument = argumentAt(command.args ?? '', values.length)
  return argument ? named(kindAt({ command: name, argument })) : []
}

const listed = (names: readonly string[]) => names.map((text) => ({ text, meaning: '' }))

interface Flag {
  takesValue: boolean
  meaning: string
}

/** Returns the flags by each of their spellings. */
function flagsOf(declared: Readonly<Record<string, string>>): Map<string, Flag> {
  const flags = Object.entries(declared).flatMap(([text, meaning]) =>
    text
      .replace(/ <.*/, '')
      .split(', ')
      .map((one) => [one, { takesValue: text.includes('<'), meaning }] as const),
  )
  return new Map(flags)
}

/** Takes apart the arguments and flags before the cursor. */
function read(rest: readonly string[], flags: ReadonlyMap<string, Flag>) {
  const values: string[] = []
  const given = new Map<string, string>()
  let awaiting: string | undefined
  let isLiteral = false
  for (const text of rest) {
    if (awaiting) given.set(awaiting, text)
    else if (text === '--') isLiteral = true
    else if (!text.startsWith('-') || isLiteral) values.push(text)
    awaiting = !awaiting && !isLiteral && flags.get(text)?.takesValue ? text : undefined
  }
  return { values, given, awaiting, isLiteral }
}

/** Returns the name of the argument at a position: `services` for any after `<name>`. */
function argumentAt(args: string, position: number): string | undefined {
  const words = args.split(' ')
  const last = words.at(-1) ?? ''
  const word = words[position] ?? (last.includes('...') ? last : undefined)
  return word?.replace(/[[\]<>.]/g, '')
}
