import { AsyncLocalStorage } from 'node:async_hooks'

/** What the process was doing: the request that started it, and the background work, if it was one. */
export interface WorkContext {
  requestId?: string
  work?: string
}

const storage = new AsyncLocalStorage<WorkContext>()
let isTracing = false

/** How many pieces of work are remembered. */
const recentMax = 20
const recent: (WorkContext | undefined)[] = []
let started = 0

/**
 * Runs work that `recentWork` names later, and everything that it starts. Until `traceWork` is called no code knows what it
 * belongs to: in Node 20 that would cost every request a fifth to a third of its processor time (docs/adr/0106).
 */
export function withWork<T>(context: WorkContext, work: () => T): T {
  recent[started++ % recentMax] = context
  return isTracing ? storage.run({ ...storage.getStore(), ...context }, work) : work()
}

/** Has work that starts from now on know what it belongs to. */
export function traceWork(): void {
  isTracing = true
}

/** Returns what the code that runs now belongs to; nothing when that is not traced. */
export const currentWork = (): WorkContext | undefined => storage.getStore()

/** Returns the work that started last, newest first: one of them is to blame for an error that is not traced. */
export function recentWork(): string[] {
  const known: string[] = []
  for (let back = 1; back <= Math.min(started, recentMax); back += 1) {
    const { requestId, work } = recent[(started - back) % recentMax]!
    known.push(requestId ?? work ?? '')
  }
  return known
}
