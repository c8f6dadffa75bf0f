import type { Client, Reply } from '../api/client.ts'
import type { Operation } from '../api/types.ts'
import { failed } from '../failure.ts'
import type { Io } from '../io.ts'
import { makeOperationProgress } from '../output/operation-progress.ts'
import { operationWork } from '../output/operation-words.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'
import { hintOf } from '../reason-hints.ts'
import { pollUntilDone } from './poll.ts'

interface Following {
  client: Client
  print: Printer
  io: Io
}

/** Seconds for which a read waits for the end. Less than the timeout of a poll. */
const waitSeconds = '10'

/**
 * Follows the operation that a request without waiting has started, and returns the response that
 * the request would have had after waiting. Throws a `CliFailure` if it did not succeed.
 */
export async function followOperation<T>(
  started: Reply<T>,
  following: Following,
): Promise<Reply<T>> {
  const { value, answer } = await operationEnd(asOperation(started), following)
  requireSuccess(value)
  const { result, result_truncated: isCut } = value
  if (isCut) following.print.note('the result is truncated: the service cut its lists')
  return { value: result as T, answer: { ...answer, text: JSON.stringify(result) } }
}

/** Shows an operation until it has ended, and returns it as it is then. */
export function operationEnd(
  started: Reply<Operation>,
  { client, print, io }: Following,
): Promise<Reply<Operation>> {
  const { id } = started.value
  const operation = {
    request: (options: { timeout: number; signal: AbortSignal }) =>
      client.get('/operations/{id}', {
        path: { id },
        query: { wait_seconds: waitSeconds },
        ...options,
      }),
    progress: makeOperationProgress(io, print.progress),
    stoppedMessage: `${operationWork(started.value)} continues: cli operations watch ${id}`,
  }
  return pollUntilDone(started, operation, io)
}

/** Throws a `CliFailure` if an operation has ended without success. */
export function requireSuccess(operation: Operation): void {
  const { status, error, reason } = operation
  if (status === 'succeeded') return
  const work = operationWork(operation)
  const words = status === 'failed' ? `${work} failed` : `${work} was ${status}`
  const known = reason ?? undefined
  const message = error ? `${words}: ${clean(error)}` : words
  throw failed(message, { reason: known, hint: hintOf(known, error ?? undefined) })
}

/** Says how to follow the operation that a request without waiting has started. */
export const sayOperationStarted = (started: Reply<unknown>, print: Printer): void =>
  print.reply(asOperation(started), ({ id }) => print.line(`started: cli operations watch ${id}`))

const asOperation = (started: Reply<unknown>) => started as Reply<Operation>
