import { findWords, globalFlags, ownFlagsOf } from './command-words.ts'
import { commands, groups, longer } from './commands.ts'
import { CliFailure, withHint, wrongUsage } from './failure.ts'
import { helpOfAll } from './help.ts'
import { topics } from './help-topics.ts'
import type { Io } from './io.ts'
import { perform, type Report } from './perform.ts'
import { version } from './version.ts'

/** Runs one command line and returns the exit code. Failures are printed to standard error. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const report: Report = { asJson: false }
  try {
    return await dispatch(argv, io, report)
  } catch (error) {
    if (report.asJson) {
      const { failureLine } = await import('./output/failure-line.ts')
      io.stderr.write(failureLine(error))
      return error instanceof CliFailure ? error.exitCode : 1
    }
    const { cleanLines: say } = await import('./output/text.ts')
    if (!(error instanceof CliFailure)) {
      io.stderr.write(`cli: ${say(String((error as Error)?.stack ?? error))}\n`)
      return 1
    }
    io.stderr.write(`cli: ${say(error.message)}\n`)
    if (error.hint) io.stderr.write(`  ${say(error.hint)}\n`)
    return error.exitCode
  }
}

async function dispatch(argv: readonly string[], io: Io, report: Report): Promise<number> {
  const topic = argv[0] === 'help' && argv.length === 2 ? topicOf(argv[1]) : undefined
  if (topic !== undefined) {
    io.stdout.write(topic)
    return 0
  }
  const found = findWords(argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv, groups, longer)
  const words = found.words.join(' ')
  const entry = Object.hasOwn(commands, words) ? commands[words] : undefined
  if (entry) {
    const { default: command } = await entry.load()
    return perform(words, command, found.rest, io, report).catch(async (error: unknown) => {
      const { speakOfFlags } = await import('./flags/speak-of-flags.ts')
      const flags = { ...ownFlagsOf(command), ...globalFlags }
      const spoken = speakOfFlags(error, { ...command, flags })
      throw isWrongUsage(spoken) ? withHint(spoken, `run: cli ${words} --help`) : spoken
    })
  }

  const [first] = found.words
  if (first !== undefined && !(found.words.length === 1 && groups.has(first))) {
    const { unknownCommand } = await import('./suggest/commands.ts')
    const [next = '-'] = found.words.length === 1 ? found.rest : []
    const meant = next.startsWith('-') ? found.words : [...found.words, next]
    throw unknownCommand(found.words, meant, Object.keys(commands))
  }
  return withoutCommand(first, found.rest, io)
}

const topicOf = (name = '') => (Object.hasOwn(topics, name) ? topics[name] : undefined)

const isWrongUsage = (error: unknown): error is CliFailure =>
  error instanceof CliFailure && error.exitCode === 2

/** Handles a command line without a complete command: prints the help or the version. */
function withoutCommand(group: string | undefined, rest: string[], io: Io): number {
  if (!group && rest.some((text) => text === '--version' || text === '-v')) {
    io.stdout.write(`cli ${version}\n`)
    return 0
  }
  if (rest.some((text) => text === '--help' || text === '-h') || (!group && rest.length === 0)) {
    io.stdout.write(helpOfAll(group))
    return 0
  }
  if (group) io.stderr.write(helpOfAll(group))
  throw wrongUsage(group ? `cli ${group}: which command?` : 'which command?', 'run: cli --help')
}
