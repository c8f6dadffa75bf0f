import { type Answer, type Call, type CallError, isWrite, monotonicNow } from './calls.ts'
import { Refusal } from './refusal.ts'
import type { StoreFile } from './store-file.ts'

/**
 * Runs calls that wait at the same time. Reads are answered first. All writes are in one
 * transaction, because making it durable takes most of their time: they are answered once it is on
 * disk.
 */
export function runCalls(
  file: StoreFile,
  calls: readonly Call[],
  answer: (answer: Answer) => void,
): void {
  const wanted = calls.filter(({ until }) => until > monotonicNow())
  for (const call of wanted.filter(({ method }) => !isWrite(method))) answer(outcome(file, call))
  const writes = wanted.filter(({ method }) => isWrite(method))
  if (writes.length > 0) runWrites(file, writes, answer)
}

/** If the transaction fails, each write is tried alone: a small one may fit on a full disk. */
function runWrites(
  file: StoreFile,
  writes: readonly Call[],
  answer: (answer: Answer) => void,
): void {
  const answers: Answer[] = []
  try {
    file.commit(() => {
      for (const call of writes) answers.push(outcome(file, call))
    })
  } catch (error) {
    if (writes.length > 1) for (const call of writes) runCalls(file, [call], answer)
    else for (const { id } of writes) answer({ id, error: errorOf(error) })
    return
  }
  for (const one of answers) answer(one)
}

/** Runs a call. A refused one changed nothing. Any other error is for the whole transaction. */
function outcome(file: StoreFile, { id, table, method, args }: Call): Answer {
  const calls = file[table] as unknown as Record<string, (...args: unknown[]) => unknown>
  try {
    return { id, value: calls[method]?.(...args) }
  } catch (error) {
    if (isWrite(method) && !(error instanceof Refusal)) throw error
    return { id, error: errorOf(error) }
  }
}

/** Returns an error in the form that is sent to the other thread. */
export function errorOf(error: unknown): CallError {
  const { message, errcode } = error as Error & { errcode?: number }
  return { message, code: error instanceof Refusal ? undefined : (errcode ?? 1) }
}
