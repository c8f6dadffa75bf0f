import { argsOf, detailsOf, globalFlags, listFlags, ownFlagsOf } from '../../cli/command-words.ts'
import { commands, groups } from '../../cli/commands.ts'
import { topics } from '../../cli/help-topics.ts'

/** The manual pages by their file names: of the client, and of each group of commands. */
export const manualPages: Readonly<Record<string, () => Promise<string>>> = {
  'cli.1': clientPage,
  ...Object.fromEntries(
    [...groups].sort().map((group) => [`cli-${group}.1`, () => groupPage(group)]),
  ),
}

async function clientPage(): Promise<string> {
  const single = Object.keys(commands).filter((words) => !words.includes(' '))
  const pages = [...groups].sort().map((group) => reference(`cli-${group}`))
  return lines([
    title('CLI'),
    ...section('NAME', 'cli \\- ' + escaped('client of Container Stacks')),
    ...section('SYNOPSIS', '.B cli', '.I command', escaped('[flags]')),
    ...section(
      'DESCRIPTION',
      escaped('Runs compose projects on one host or many, through the API of a service.'),
      escaped('Groups of commands have pages of their own.'),
    ),
    ...section('GLOBAL FLAGS', ...flagList(globalFlags)),
    ...section('FLAGS OF LISTS', ...flagList(listFlags)),
    ...section('COMMANDS', ...(await sectionsOf(single))),
    ...Object.entries(topics).flatMap(([name, text]) =>
      section(name.replace('-', ' ').toUpperCase(), ...verbatim(text.split('\n').slice(2))),
    ),
    ...section('SEE ALSO', ...joined(pages)),
  ])
}

async function groupPage(group: string): Promise<string> {
  const words = Object.keys(commands).filter((one) => one.startsWith(`${group} `))
  return lines([
    title(`CLI-${group.toUpperCase()}`),
    ...section('NAME', escaped(`cli-${group}`) + ' \\- ' + escaped(`commands for ${group}`)),
    ...section('SYNOPSIS', `.B ${escaped(`cli ${group}`)}`, '.I command', escaped('[flags]')),
    ...section('COMMANDS', ...(await sectionsOf(words))),
    ...section('SEE ALSO', reference('cli')),
  ])
}

const sectionsOf = async (words: readonly string[]) =>
  (await Promise.all(words.map(commandSection))).flat()

async function commandSection(words: string): Promise<string[]> {
  const entry = commands[words]
  if (!entry) return []
  const { default: command } = await entry.load()
  const flags = ownFlagsOf({ ...command, list: undefined })
  const usage = ['cli', words, argsOf(command)].filter(Boolean).join(' ')
  return [
    `.SS ${quoted(usage)}`,
    text(`${entry.summary}.`),
    ...detailsOf(command)
      .split(/\n{2,}/)
      .flatMap((one) => (one === '' ? [] : ['.PP', text(one.replace(/\s+/g, ' '))])),
    ...(Object.keys(flags).length > 0 ? flagList(flags) : []),
    ...(command.list ? ['.PP', text('It also has the flags of lists, see cli(1).')] : []),
    ...(command.examples ? ['.PP', 'Examples:', ...verbatim(command.examples)] : []),
  ]
}

const flagList = (flags: Readonly<Record<string, string>>) =>
  Object.entries(flags).flatMap(([flag, meaning]) => [
    '.TP',
    `.B ${quoted(flag.replace('<...', '<'))}`,
    text(meaning),
  ])

const verbatim = (texts: readonly string[]) => [
  '.PP',
  '.in +4n',
  '.EX',
  ...texts.map((one) => text(one)),
  '.EE',
  '.in',
]

const section = (name: string, ...content: string[]) => [`.SH ${quoted(name)}`, ...content]

/** Without a date, so that the same commands make the same page. */
const title = (name: string) => `.TH ${quoted(name)} "1" "" "Container Stacks" "Commands"`

const reference = (page: string) => `.BR ${escaped(page)} (1)`

/** References after each other have commas between them. */
const joined = (references: readonly string[]) =>
  references.map((one, at) => (at < references.length - 1 ? `${one} ,` : one))

/** Returns a line of text, escaped if troff would read it as a request. */
const text = (line: string) => escaped(line).replace(/^(?=[.'])/, '\\&')

const quoted = (words: string) => `"${escaped(words).replaceAll('"', '\\(dq')}"`

const escaped = (words: string) =>
  words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('’', '\\(cq')
    .replaceAll('`', '\\(ga')
    .replaceAll('~', '\\(ti')
    .replaceAll('^', '\\(ha')
    .replaceAll('…', '...')

const lines = (all: readonly string[]) => `${all.join('\n')}\n`
