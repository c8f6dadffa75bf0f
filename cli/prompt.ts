import { failed, interrupted, wrongUsage } from './failure.ts'
import type { Io } from './io.ts'

/** Longer than any password or token. Bytes. */
const inputMax = 64 * 1024

/** The secrets that a command needs, in order: prompted for, or one per line of standard input. */
export interface Secrets {
  /** Prompts without showing what is typed. */
  next(question: string): Promise<string>
  /** Prompts for a one-time code, which is shown while typed. Blanks are removed. */
  code(question: string): Promise<string>
}

/** Reads secrets from the terminal, or from standard input if that is not a terminal. */
export function openSecrets(io: Io): Secrets {
  let lines: string[] | undefined
  const next = async (question: string, ask: typeof askHidden) => {
    if (io.stdin.isTTY) return ask(io, question)
    lines ??= (await readInput(io)).split(/\r?\n/)
    const line = lines.shift()
    if (!line) throw wrongUsage(`standard input contains no ${named(question)}`)
    return line
  }
  return {
    next: (question) => next(question, askHidden),
    code: async (question) => (await next(question, askShown)).replace(/\s/g, ''),
  }
}

async function askHidden(io: Io, question: string): Promise<string> {
  const { isCancel, password } = await import('@clack/prompts')
  const answer = await password({ message: question, mask: '', ...streamsOf(io) })
  if (isCancel(answer)) throw interrupted()
  if (!answer) throw wrongUsage(`no ${named(question)} was entered`)
  return answer
}

/** Prompts go to standard error, so that standard output has only the command's result. */
const streamsOf = (io: Io) => ({ input: io.stdin, output: io.stderr })

/** Prompts for a text, which is shown while typed. Throws wrong usage if none is entered. */
export async function askShown(io: Io, question: string): Promise<string> {
  const { isCancel, text } = await import('@clack/prompts')
  const answer = await text({ message: question, ...streamsOf(io) })
  if (isCancel(answer)) throw interrupted()
  if (!answer) throw wrongUsage(`no ${named(question)} was entered`)
  return answer
}

/** Asks the user to confirm. Without a terminal the user must have given `flag`. */
export async function confirmed(io: Io, question: string, flag: string): Promise<void> {
  if (!io.stdin.isTTY)
    throw wrongUsage(`${question} Standard input is not a terminal: use ${flag} to confirm`)
  if (!(await answersYes(io, question))) throw failed('cancelled: nothing was done')
}

/** Asks a question on the terminal. Returns whether the answer is yes; the default is no. */
export async function answersYes(io: Io, question: string): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts')
  const options = { message: question, initialValue: false, input: io.stdin, output: io.stderr }
  const answer = await confirm(options)
  if (isCancel(answer)) throw interrupted()
  return answer
}

/** The flag of commands that ask before they delete or revoke something. */
export const yesFlag = {
  '--yes': 'Do not ask; required if standard input is not a terminal',
} as const

/**
 * Returns a function that asks the user to confirm, unless `--yes` was given. Throws wrong usage at
 * once if there is no terminal to ask on.
 */
export function confirmation(io: Io, { yes }: { yes: boolean }) {
  if (!yes && !io.stdin.isTTY) {
    throw wrongUsage('standard input is not a terminal: use --yes to confirm')
  }
  return async (question: string) => {
    if (!yes) await confirmed(io, question, '--yes')
  }
}

/**
 * Returns all of standard input as text. Throws a `CliFailure` if it is longer than `max` bytes.
 */
export async function readInput(io: Io, max: number = inputMax): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of io.stdin) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size > max) throw failed(`standard input is longer than ${max} bytes`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Returns a prompt as words for a sentence: `Password` becomes `password`, `API token` stays. */
function named(question: string): string {
  return question.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
}
