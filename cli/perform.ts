import type { Command, GlobalValues } from './command.ts'
import { argsOf, globalFlags, ownFlagsOf } from './command-words.ts'
import { commands } from './commands.ts'
import { wrongUsage } from './failure.ts'
import { hostFromEnvironment, speakOfHostVariable } from './flags/host-variable.ts'
import type { OutputValues } from './flags/output-flags.ts'
import { helpOf } from './help.ts'
import type { Io } from './io.ts'
import type { PrintOptions } from './output/print.ts'
import type { Parsed, Usage } from './parse.ts'

/** The flags that commands need not know: what they do happens here. */
type SharedValues = GlobalValues &
  OutputValues & { filter?: string[]; wide?: boolean; watch?: boolean; progress?: string }

/** How a failure is printed. A command line says so before it can fail. */
export interface Report {
  asJson: boolean
}

/** Runs one command with the rest of its command line, and returns its exit code. */
export async function perform(
  words: string,
  command: Command,
  argv: string[],
  io: Io,
  report: Report,
): Promise<number> {
  const declared = { ...command, flags: { ...ownFlagsOf(command), ...globalFlags } }
  const usage = { args: argsOf(command), flags: declared.flags }
  const { own, rest } = command.verbatim ? await splitOff(argv, usage) : { own: argv, rest: [] }
  report.asJson = await asksJson(own, io)
  if (asksHelp(own)) {
    io.stdout.write(helpOf(words, command))
    return 0
  }
  const { parseArguments } = await import('./parse.ts')
  const parsed = parseArguments(words, command.verbatim ? [...own, '--', ...rest] : own, usage)
  const flags = parsed.flags as unknown as SharedValues
  checkGlobals(flags)
  const host = hostFromEnvironment(flags, command, io)
  if (host !== undefined) parsed.flags.host = host
  if (command.nameFromFolder) await addName(parsed, io)
  const options = await printOptions(flags, io)
  const once = async (shown: Io) => {
    const { makePrinter } = await import('./output/print.ts')
    const print = makePrinter(shown, options)
    const client = () => openClient(flags, shown)
    const code = await command.run({ ...parsed, io: shown, print, commands, client } as never)
    return code ?? 0
  }
  try {
    if (!flags.watch) return await once(io)
    const { watch } = await import('./follow/watch.ts')
    return await watch(once, io, options.structured !== undefined)
  } catch (error) {
    const suggested = await withSuggestion(error, { ...parsed, words }, flags, io)
    throw host === undefined ? suggested : speakOfHostVariable(suggested, host, declared)
  }
}

/** Most command lines name their stack, and need not load what reads compose files. */
async function addName(parsed: Parsed, io: Io): Promise<void> {
  if (parsed.args.name !== undefined) return
  const { nameOfFolder } = await import('./folder/folder-name.ts')
  parsed.args.name = await nameOfFolder(io, parsed.flags)
}

/** The printer of a command follows from these flags. What they need is loaded on demand. */
async function printOptions(flags: SharedValues, io: Io): Promise<PrintOptions> {
  const { output, json, jq, quiet, filter = [], wide } = flags
  const options: PrintOptions = { wide: wide ?? false }
  // An empty value is an error, not the default.
  const isGiven = [output, json, jq].some((one) => one !== undefined)
  if (isGiven || quiet || io.env.CLI_OUTPUT) {
    const { outputForm } = await import('./flags/output-flags.ts')
    const { structuredOf } = await import('./output/structured.ts')
    options.structured = await structuredOf(outputForm(flags, io), io)
  }
  if (flags.progress !== undefined) {
    const { progressOf } = await import('./flags/progress-flag.ts')
    options.progress = progressOf(flags.progress)
  }
  if (filter.length > 0) {
    const { rowFilter } = await import('./output/filter-rows.ts')
    options.keep = rowFilter(filter)
  }
  return options
}

/** Adds the name that was probably meant to the failure of a name that does not exist. */
async function withSuggestion(
  error: unknown,
  line: Parsed & { words: string },
  flags: SharedValues,
  io: Io,
): Promise<unknown> {
  const { ApiFailure } = await import('./failure.ts')
  if (!(error instanceof ApiFailure) || error.status !== 404) return error
  const { suggestNames } = await import('./suggest/names.ts')
  const { currentNames } = await import('./complete/names.ts')
  return suggestNames(
    error,
    line,
    currentNames(() => openClient(flags, io)),
  )
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

/** Most command lines do not have the flag, and need not load what reads it. */
async function asksJson(argv: string[], io: Io): Promise<boolean> {
  if (!io.env.CLI_OUTPUT && !argv.some((text) => /^--output\b/.test(text))) return false
  const { chosenOutput } = await import('./flags/output-flags.ts')
  return chosenOutput(argv, io) === 'json'
}

function checkGlobals({ server, token, context, host }: GlobalValues): void {
  // An empty value usually comes from an unset shell variable. It must not select the saved server
  // or token.
  for (const [flag, value] of Object.entries({ server, token, context, host })) {
    if (value === '') throw wrongUsage(`--${flag} is empty`)
  }
}

async function openClient(globals: GlobalValues, io: Io) {
  const { openSession } = await import('./session/session.ts')
  const { makeClient } = await import('./api/client.ts')
  return makeClient(await openSession(globals, io))
}
