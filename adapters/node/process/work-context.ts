import { AsyncLocalStorage } from 'node:async_hooks'

/** The request or the background work that started the running code. */
export interface WorkContext {
  requestId?: string
  work?: string
}

const storage = new AsyncLocalStorage<WorkContext>()
let isTracing = false

/** Recent work to remember. */
const recentMax = 20
const recent: (WorkContext | undefined)[] = []
let started = 0

/**
 * Runs work and remembers it for `recentWork`. After `traceWork`, code that it starts also knows
 * its context. Before that it does not: in Node 20 tracing costs each request a fifth to a third of
 * its CPU time (docs/adr/0002-layers-and-failures.md).
 */
export function withWork<T>(context: WorkContext, work: () => T): T {
  recent[started++ % recentMax] = context
  return isTracing ? storage.run({ ...storage.getStore(), ...context }, work) : work()
}

/** Starts tracing: work that starts from now on knows its context. */
export function traceWork(): void {
  isTracing = true
}

/** Returns the context of the code that runs now, or undefined if it is not traced. */
export const currentWork = (): WorkContext | undefined => storage.getStore()

/**
 * Returns the most recently started work, newest first: one of these caused an error that is not
 * traced.
 */
export function recentWork(): string[] {
  const known: string[] = []
  for (let back = 1; back <= Math.min(started, recentMax); back += 1) {
    const { requestId, work } = recent[(started - back) % recentMax] ?? {}
    known.push(requestId ?? work ?? '')
  }
  return known
}
