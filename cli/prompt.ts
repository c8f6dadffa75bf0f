import { failed, interrupted, wrongUsage } from './failure.ts'
import type { Io } from './io.ts'

/** Longer than any password or token. Bytes. */
const inputMax = 64 * 1024

/** Secrets that a command needs, in order: asked for at the terminal, or one per line of standard input. */
export interface Secrets {
  /** Asked for without showing it. */
  next(question: string): Promise<string>
  /** A code that is good once: it is shown while it is typed, without the blanks. */
  code(question: string): Promise<string>
}

/** Reads secrets from the person at the terminal, or from standard input when that is none. */
export function openSecrets(io: Io): Secrets {
  let lines: string[] | undefined
  const next = async (question: string, ask: typeof askHidden) => {
    if (io.stdin.isTTY) return ask(io, question)
    lines ??= (await readInput(io)).split(/\r?\n/)
    const line = lines.shift()
    if (!line) throw wrongUsage(`standard input has no ${named(question)}`)
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
  if (!answer) throw wrongUsage(`there was no ${named(question)}`)
  return answer
}

/** The question goes to standard error: what is piped on is the command's result alone. */
const streamsOf = (io: Io) => ({ input: io.stdin, output: io.stderr })

async function askShown(io: Io, question: string): Promise<string> {
  const { isCancel, text } = await import('@clack/prompts')
  const answer = await text({ message: question, ...streamsOf(io) })
  if (isCancel(answer)) throw interrupted()
  if (!answer) throw wrongUsage(`there was no ${named(question)}`)
  return answer
}

/** Has the person confirm; elsewhere than at a terminal `flag` must have said so. */
export async function confirmed(io: Io, question: string, flag: string): Promise<void> {
  if (!io.stdin.isTTY) throw wrongUsage(`${question} Say ${flag}: there is no one to ask`)
  const { confirm, isCancel } = await import('@clack/prompts')
  const options = { message: question, initialValue: false, input: io.stdin, output: io.stderr }
  const answer = await confirm(options)
  if (isCancel(answer)) throw interrupted()
  if (!answer) throw failed('nothing was done')
}

/** All of standard input as text. Throws a `CliFailure` when it is longer than `max` bytes. */
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

/** A question as a thing within a sentence: `Password` is a password, `API token` an API token. */
function named(question: string): string {
  return question.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
}
