import type { Call, Command, GlobalValues } from './command.ts'
import { commands, groups } from './commands.ts'
import { CliFailure, wrongUsage } from './failure.ts'
import { helpOf, helpOfAll } from './help.ts'
import type { Io } from './io.ts'
import type { Usage } from './parse.ts'
import { version } from './version.ts'
import { findWords, globalFlags, unknownCommand } from './words.ts'

/** Runs one command line and returns the exit code. Failures are printed to standard error. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(argv, io)
  } catch (error) {
    const { say } = await import('./text.ts')
    if (!(error instanceof CliFailure)) {
      io.stderr.write(`cli: ${say(String((error as Error)?.stack ?? error))}\n`)
      return 1
    }
    io.stderr.write(`cli: ${say(error.message)}\n`)
    if (error.hint) io.stderr.write(`  ${say(error.hint)}\n`)
    return error.exitCode
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const found = findWords(argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv, groups)
  const words = found.words.join(' ')
  const entry = Object.hasOwn(commands, words) ? commands[words] : undefined
  if (entry) {
    const { default: command } = await entry.load()
    return perform(words, command, found.rest, io).catch((error: unknown) => {
      throw withHint(error, `run: cli ${words} --help`)
    })
  }

  const [first] = found.words
  if (first !== undefined && !(found.words.length === 1 && groups.has(first))) {
    throw unknownCommand(found.words, Object.keys(commands))
  }
  return withoutCommand(first, found.rest, io)
}

function withHint(error: unknown, hint: string): unknown {
  if (!(error instanceof CliFailure) || error.exitCode !== 2 || error.hint) return error
  return wrongUsage(error.message, hint)
}

/** Handles a command line without a complete command: prints the help or the version. */
function withoutCommand(group: string | undefined, rest: string[], io: Io): number {
  if (rest.includes('--version') && !group) {
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

async function perform(words: string, command: Command, argv: string[], io: Io): Promise<number> {
  const flags = { ...command.flags, ...globalFlags }
  const usage = { args: command.args ?? '', flags }
  const { own, rest } = command.verbatim ? await splitOff(argv, usage) : { own: argv, rest: [] }
  if (asksHelp(own)) {
    io.stdout.write(helpOf(words, command))
    return 0
  }
  const { parseArguments } = await import('./parse.ts')
  const parsed = parseArguments(words, command.verbatim ? [...own, '--', ...rest] : own, usage)
  const globals = parsed.flags as unknown as GlobalValues
  checkGlobals(globals)
  const { makePrinter } = await import('./print.ts')
  const print = makePrinter(io, globals.output === 'json' ? 'json' : 'table')
  const code = await command.run({
    ...parsed,
    io,
    print,
    client: () => openClient(globals, io),
  } as unknown as Call)
  return code ?? 0
}

async function splitOff(argv: string[], usage: Usage) {
  const { splitVerbatim } = await import('./parse.ts')
  return splitVerbatim(argv, usage)
}

/** Help takes precedence over errors about missing arguments. */
function asksHelp(argv: string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).some((text) => text === '--help' || text === '-h')
}

function checkGlobals({ output = 'table', server, token, host }: GlobalValues): void {
  // An empty value usually comes from an unset shell variable. It must not select the saved server
  // or token.
  for (const [flag, value] of Object.entries({ server, token, host })) {
    if (value === '') throw wrongUsage(`--${flag} is empty`)
  }
  if (output !== 'json' && output !== 'table') {
    throw wrongUsage(`--output ${JSON.stringify(output)}: must be json or table`)
  }
}

async function openClient(globals: GlobalValues, io: Io) {
  const { openSession } = await import('./session.ts')
  const { makeClient } = await import('./client.ts')
  return makeClient(await openSession(globals, io))
}
