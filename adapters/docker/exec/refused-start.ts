import type { ExecOutput } from '../../../functions/core/ports/engine-exec.ts'
import { knownMessage } from '../responses/engine-messages.ts'

/** The line that the Engine writes as the output of a command that it could not start. */
const refusal =
  /^(?:OCI runtime exec failed: |unable to find (?:user|group) |uids and gids must be )[^\n]*\n?$/

/** Exit codes of commands that could not be started; -1 is that of a health check. */
const codes: readonly (number | null)[] = [-1, 126, 127, 128]

/** The longest of these lines, in characters. */
const lengthMax = 4096

/**
 * Returns the text for users if the whole output of a command says that it could not be started.
 */
export function refusedStart(output: string, exitCode: number | null): string | undefined {
  if (!refusal.test(output) || !codes.includes(exitCode)) return undefined
  return knownMessage(output)
}

/**
 * Yields the output of a command. If all of it is the Engine's text that the command could not be
 * started, it yields the text for users instead, as standard error. A program may print such a text
 * too, so the exit code decides.
 */
export async function* translateRefusal(
  output: AsyncIterable<ExecOutput>,
  { tty, exitCode }: { tty: boolean; exitCode(): Promise<number | null> },
): AsyncGenerator<ExecOutput, void, void> {
  const held: ExecOutput[] = []
  let isHeld = true
  for await (const one of output) {
    if (isHeld) {
      held.push(one)
      const text = textOf(held)
      isHeld = refusal.test(text) && text.length <= lengthMax
      if (!isHeld) yield* held
    } else yield one
  }
  if (!isHeld || held.length === 0) return
  const said = refusedStart(textOf(held), await exitCode())
  if (said === undefined) yield* held
  else if (tty) yield { stream: 'stdout', data: Buffer.from(`${said}\r\n`) }
  else yield { stream: 'stderr', data: Buffer.from(`${said}\n`) }
}

const textOf = (output: readonly ExecOutput[]) =>
  Buffer.concat(output.map(({ data }) => data)).toString('utf8')
