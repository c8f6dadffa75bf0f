import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import { api, unwrap } from './api.ts'
import { backoff } from './backoff.ts'
import { cache } from './cache.ts'
import { type ChangedRow, type Containers, rowChangedBy, withContainer } from './changed-row.ts'
import { serviceTime } from './clock.ts'
import { isOutdatedBy, type ServiceEvent } from './event-table.ts'
import { openFeed } from './feeds.ts'
import { inNextFrame } from './frame-queue.ts'
import type { Entry } from './resource-cache.ts'
import { session } from './session.ts'

export type { ServiceEvent }

/** The service sends a heartbeat every 30 s. Milliseconds. */
const silenceMax = 45_000

/** Whether the page shows what the service has now. */
export interface Connection {
  state: 'live' | 'reconnecting' | 'offline'
  /** When the page was last current, in milliseconds since the epoch. */
  since: number
}

const current = signal<Connection>({ state: 'live', since: serviceTime() })
export const connection: ReadonlySignal<Connection> = computed(() => current.value)

const listeners = new Set<(events: readonly ServiceEvent[]) => void>()

/** Calls the listener with the events of each frame until the returned function is called. */
export function onEvents(listener: (events: readonly ServiceEvent[]) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Events of this frame. */
let queue: ServiceEvent[] = []

/** Counts the feeds that ended, because the session did or because rights were withdrawn. */
const ends = signal(0)

/** Keeps the cache current for as long as a user is signed in. Returns a function that stops. */
export function followEvents(): () => void {
  return effect(() => {
    if (session.state.value !== 'signed-in') return undefined
    if (ends.value > 0) reloadAll()
    // What it reads to begin with must not open another one when it changes.
    const feed = untracked(() =>
      openFeed('/ws/events', { host: 'all', heartbeat: true }, take, {
        onReconnect: reloadAll,
        silenceMax,
      }),
    )
    const stop = effect(() => {
      const now = feed.state.value
      if (now === 'live') current.value = { state: 'live', since: serviceTime() }
      else if (now === 'reconnecting') lose()
      else if (now === 'ended') void openAgain()
    })
    return () => {
      // First, because closing it ends the feed too.
      stop()
      feed.close()
    }
  })
}

/** Opens the next feed once there is a session, for which the user may have to log in. */
async function openAgain(): Promise<void> {
  await session.verify()
  setTimeout(() => {
    ends.value += 1
  }, backoff(ends.peek()))
}

function lose(): void {
  const since = current.peek().state === 'live' ? serviceTime() : current.peek().since
  current.value = { state: navigator.onLine ? 'reconnecting' : 'offline', since }
}

function take(data: string | ArrayBuffer): void {
  const message = JSON.parse(data as string) as
    | ServiceEvent
    | { gap: object }
    | { heartbeat: string }
  if ('heartbeat' in message) return
  // Something may have been missed.
  if ('gap' in message) {
    reloadAll()
    return
  }
  queue.push(message)
  inNextFrame('events', apply)
}

function apply(): void {
  const events = queue
  queue = []
  for (const entry of cache.entries()) {
    refreshFor(
      entry,
      events.filter((event) => isOutdatedBy(event, entry)),
    )
  }
  for (const listener of listeners) listener(events)
}

function refreshFor(entry: Entry, events: readonly ServiceEvent[]): void {
  const [event, ...more] = events
  if (!event) return
  const row = more.length === 0 ? rowChangedBy(event, entry) : undefined
  if (row) entry.refreshPart(row.key, () => loadRow(row))
  else entry.refresh()
}

/** Loads a row. Returns a function that puts it into the list. */
async function loadRow({ path, query }: ChangedRow): Promise<(list: unknown) => unknown> {
  const loaded = await unwrap(api.GET('/containers/{id}', { params: { path, query } }))
  return (list) => withContainer(list as Containers, loaded)
}

function reloadAll(): void {
  for (const entry of cache.entries()) entry.refresh()
}
