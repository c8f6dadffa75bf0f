/** A docker compose command line. */
export interface ComposeWords {
  /** Profiles given before the verb. */
  profiles: string[]
  envFile: string | undefined
  /** Other flags before the verb. */
  globals: string[]
  verb: string
  /** Flags behind the verb, without values. */
  flags: Set<string>
  /** Values of the flags that have one. */
  values: Map<string, string[]>
  /** What is typed at a question. */
  typed?: string
  /** Words that are no flags. Those of `run` and `exec` include the command. */
  names: string[]
}

/** Flags that take the next word as their value. `-n=1` and `--index=1` are read for any flag. */
const valued = new Set([
  ...[
    '--scale',
    '--wait-timeout',
    '-e',
    '--env',
    '--index',
    '-o',
    '--output',
    '--format',
    '--pull',
  ],
  ...['--publish', '--build-arg', '--name', '-t', '--timeout', '--hash', '-a', '-c', '-m', '-u'],
])

/** Verbs whose first word that is no flag is followed by a command with flags of its own. */
const withCommand = new Set(['run', 'exec'])

/** Parses the words of a command line. */
export function parseWords(words: readonly string[]): ComposeWords {
  const parsed: ComposeWords = {
    profiles: [],
    envFile: undefined,
    globals: [],
    verb: '',
    names: [],
    flags: new Set(),
    values: new Map(),
  }
  const rest = [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (parsed.verb === '') readGlobal(word, rest, parsed)
    else if (word.startsWith('-')) readFlag(word, rest, parsed)
    else {
      parsed.names.push(word)
      if (withCommand.has(parsed.verb)) parsed.names.push(...rest.splice(0))
    }
  }
  return parsed
}

function readGlobal(word: string, rest: string[], parsed: ComposeWords): void {
  if (word === '--profile') parsed.profiles.push(rest.shift() ?? '')
  else if (word === '--env-file') parsed.envFile = rest.shift()
  else if (word.startsWith('-')) parsed.globals.push(word)
  else parsed.verb = word
}

function readFlag(word: string, rest: string[], { flags, values }: ComposeWords): void {
  const [, name = word, given] = /^(-[^=]+)=(.*)$/s.exec(word) ?? []
  const hasValue = valued.has(name) && !(name === '-t' && given === undefined)
  if (!hasValue) return void flags.add(word)
  values.set(name, [...(values.get(name) ?? []), given ?? rest.shift() ?? ''])
}

/** Returns the last value of a flag under any of its names. */
export const lastValue = ({ values }: ComposeWords, ...names: string[]): string | undefined =>
  names.flatMap((name) => values.get(name) ?? []).at(-1)
