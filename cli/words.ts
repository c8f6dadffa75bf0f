import { wrongUsage } from './failure.ts'

/** Global flags, declared as in `command.ts`. */
export const globalFlags = {
  '--server <url>': 'Use this server instead of the saved one',
  '--token <token>': 'Use this token instead of the saved one',
  '--host <id>': 'The host to use; lists also accept `all` for every host',
  '--insecure': 'Do not check the TLS certificate of the server',
  '--output <format>': '`json` prints the response of the API; `table` is the default',
  '-h, --help': 'Show what a command does and its flags',
} as const

const valued = new Set(
  Object.keys(globalFlags).flatMap((flag) => (flag.includes('<') ? [flag.split(' ')[0]] : [])),
)

/** The words of a command in their canonical form, and the rest of the command line. */
export interface Found {
  words: string[]
  rest: string[]
}

/**
 * Finds the command's words among flags that may come before or between them. `groups` need a
 * second word.
 */
export function findWords(argv: readonly string[], groups: ReadonlySet<string>): Found {
  const words: string[] = []
  const rest: string[] = []
  for (let at = 0; at < argv.length; at += 1) {
    const text = argv[at] ?? ''
    const complete = words.length === 2 || (words.length === 1 && !groups.has(words[0] ?? ''))
    if (complete || text === '--') return { words, rest: [...rest, ...argv.slice(at)] }
    if (!text.startsWith('-')) {
      words.push(words.length === 0 ? plural(text, groups) : (spellings.get(text) ?? text))
      continue
    }
    rest.push(text)
    if (valued.has(text) && at + 1 < argv.length) {
      at += 1
      rest.push(argv[at] ?? '')
    }
  }
  return { words, rest }
}

/** Alternative spellings. */
const spellings = new Map([
  ['enroll', 'enrol'],
  ['remove', 'delete'],
  ['rm', 'delete'],
])

/** `stack` is `stacks`, `registry` is `registries`. */
function plural(word: string, groups: ReadonlySet<string>): string {
  const forms = [`${word}s`, word.replace(/y$/, 'ies')]
  return forms.find((form) => groups.has(form)) ?? word
}

/** Returns wrong usage for a command that does not exist. */
export function unknownCommand(words: string[], known: string[]) {
  const near = known.filter((one) => one.split(' ')[0] === words[0])
  const hint = near.length > 0 ? `similar commands: ${near.join(', ')}` : 'run: cli --help'
  return wrongUsage(`unknown command ${JSON.stringify(words.join(' '))}`, hint)
}
