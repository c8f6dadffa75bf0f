/** Global flags, declared as in `command.ts`. */
export const globalFlags = {
  '--server <url>': 'Use this server instead of the saved one',
  '--token <token>': 'Use this token instead of the saved one; CLI_TOKEN does the same unseen',
  '--context <name>': 'Use the saved login of this context; see `cli context list`',
  '--host <id>': 'The id or name of a host; lists also accept `all` for every host; or CLI_HOST',
  '--insecure':
    'Do not check the TLS certificates of the server and of its feeds; or CLI_INSECURE=1',
  '--output <format>':
    '`table` (the default), `json`, `yaml` or `name`; `json` is the response of the API; or CLI_OUTPUT',
  '--json <fields>': 'Print only these fields of the response as JSON, such as `name,status`',
  '--jq <expression>': 'Print what a jq expression selects from the response, or from `--json`',
  '-h, --help': 'Show what a command does and its flags',
} as const

/** Flags of commands that print a list. */
export const listFlags = {
  '--filter <...match>':
    'Only matching entries, such as `name=shop*` or `state!=running`; repeatable',
  '-q, --quiet': 'Print only names, as `--output name` does',
  '--wide': 'Do not shorten texts to fit the terminal',
  '--watch': 'Refresh every 2 s until interrupted',
} as const

/** Flags of commands that show progress. */
const progressFlags = {
  '--progress <kind>':
    'How to show progress on standard error: auto (the default), tty, plain, json or quiet',
} as const

/** Returns the flags of a command that not every command has. */
export const ownFlagsOf = (command: {
  flags?: Flags
  list?: true | undefined
  progress?: true
}): Flags => ({
  ...command.flags,
  ...(command.list && listFlags),
  ...(command.progress && progressFlags),
})

/** Returns the arguments of a command, as its help shows them. */
export const argsOf = ({ args = '', nameFromFolder }: { args?: string; nameFromFolder?: true }) =>
  nameFromFolder ? args.replace('<name>', '[name]') : args

/** Returns the further paragraphs of the help of a command. */
export const detailsOf = (command: { details?: string; nameFromFolder?: true }): string =>
  [command.details?.trim(), command.nameFromFolder && folderNameDetails]
    .filter(Boolean)
    .join('\n\n')

const folderNameDetails =
  'Without <name> it is the stack of the current directory: the name in the compose file, else that of the directory.'

type Flags = Readonly<Record<string, string>>

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
 * second word. `longer` are the commands of three words, which begin with the words of another one.
 */
export function findWords(
  argv: readonly string[],
  groups: ReadonlySet<string>,
  longer: ReadonlySet<string> = new Set(),
): Found {
  const words: string[] = []
  const rest: string[] = []
  for (let at = 0; at < argv.length; at += 1) {
    const text = argv[at] ?? ''
    const third = own(spellings, text) ?? text
    if (words.length === 2 && longer.has([...words, third].join(' '))) {
      return { words: [...words, third], rest: [...rest, ...argv.slice(at + 1)] }
    }
    const complete = words.length === 2 || (words.length === 1 && !groups.has(words[0] ?? ''))
    if (complete || text === '--') return { words, rest: [...rest, ...argv.slice(at)] }
    if (!text.startsWith('-')) {
      words.push(...(words.length === 0 ? firstWords(text, groups) : [secondWord(text, words)]))
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

/** Other words for the second word of a command. */
const spellings: Readonly<Record<string, string>> = {
  enroll: 'enrol',
  inspect: 'get',
  remove: 'delete',
  rm: 'delete',
  ls: 'list',
  rule: 'rules',
  channel: 'channels',
  delivery: 'deliveries',
  deployment: 'deployments',
}

/** Commands that have a short name of one word. */
const shortcuts: Readonly<Record<string, readonly string[]>> = {
  ls: ['stacks', 'list'],
  up: ['stacks', 'deploy'],
  ps: ['containers', 'list'],
}

const own = <Value>(words: Readonly<Record<string, Value>>, word: string): Value | undefined =>
  Object.hasOwn(words, word) ? words[word] : undefined

/**
 * Words for `get` as the second word of a command. As the third one they may be a name, such as in
 * `stacks deployments show`.
 */
const getWords: readonly string[] = ['show', 'describe']

/** `ps` shows the containers: those of a stack, or all. */
function secondWord(word: string, [group]: readonly string[]): string {
  if (word === 'ps') return group === 'stacks' ? 'status' : group === 'containers' ? 'list' : word
  if (word === 'up' && group === 'stacks') return 'deploy'
  return getWords.includes(word) ? 'get' : (own(spellings, word) ?? word)
}

const firstWords = (word: string, groups: ReadonlySet<string>): readonly string[] =>
  own(shortcuts, word) ?? [plural(word, groups)]

/** `stack` is `stacks`, `registry` is `registries`. */
function plural(word: string, groups: ReadonlySet<string>): string {
  const forms = [`${word}s`, word.replace(/y$/, 'ies')]
  return forms.find((form) => groups.has(form)) ?? word
}
