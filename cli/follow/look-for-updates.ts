import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Reply } from '../api/client.ts'
import type { HostList, Update } from '../api/types.ts'
import { interrupted } from '../failure.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { itemsOf } from '../resolve/host-list.ts'

/** Milliseconds. */
const defaultLimits = {
  /** Between two requests. */
  interval: 1000,
  /** After which the client no longer waits. */
  total: 60_000,
}

/** The `Date` of a response has whole seconds. Milliseconds. */
const dateStep = 1000

interface Asking {
  client: Pick<Client, 'get' | 'post'>
  print: Pick<Printer, 'note'>
  io: Pick<Io, 'onInterrupt'>
}

/**
 * Makes the service ask registries now, and waits until each has answered or failed, for a minute
 * at most. An interrupt stops the waiting.
 */
export async function lookForUpdates(
  stack: string | undefined,
  { client, print, io }: Asking,
  limits = defaultLimits,
): Promise<void> {
  const { value } = await client.post('/updates/check', { body: { stack } })
  if (value.tags === 0) {
    return print.note(
      'no registry is asked: it was asked within the last minute, or takes no requests for now',
    )
  }
  print.note('asking registries')
  const stop = new AbortController()
  const { signal } = stop
  const undo = io.onInterrupt?.(() => stop.abort())
  const end = performance.now() + limits.total
  const query = { stack, host: 'all' }
  try {
    for (;;) {
      await pause(limits.interval, undefined, { signal })
      const waiting = unanswered(await client.get('/updates', { query, signal }))
      if (waiting.length === 0) return
      if (performance.now() + limits.interval > end) {
        return print.note(`not looked at yet: the images of services: ${waiting.length}`)
      }
    }
  } catch (error) {
    if (signal.aborted) throw interrupted('the service goes on asking: cli updates')
    throw error
  } finally {
    undo?.()
  }
}

/** Returns the services whose tag is still to be asked for: its next look is not in the future. */
function unanswered({ value, answer }: Reply<HostList<Update>>): Update[] {
  const { date } = answer.headers
  const now = (date === undefined ? Date.now() : Date.parse(date)) + dateStep
  return itemsOf(value).filter(
    ({ state, next_check_at: next }) =>
      state !== 'not_checked' && next !== null && Date.parse(next) <= now,
  )
}
