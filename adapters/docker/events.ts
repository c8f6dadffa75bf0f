import type { EngineClient } from './client.ts'
import { onAbort } from './deadline.ts'
import { jsonLines } from './json-lines.ts'

/** A change that the Engine told of: the kind of thing, its id (a volume's name) and the containers it concerns. */
export interface EngineChange {
  kind: 'container' | 'image' | 'network' | 'volume'
  action: string
  id: string
  /** Nanoseconds since the epoch, to some hundred. */
  at: number
  attributes: Record<string, string>
  /** For a network or volume: the container that was connected, mounted and so on. */
  container: string | undefined
}

/** The Engine's changes as they happen, over one connection that is opened at the first need and kept. */
export interface EngineEvents {
  /** True while every change reaches the listeners. Asking opens the connection. */
  live(): boolean
  /** `change` is undefined when the connection came back: anything may have changed. Gives the way to stop listening. */
  listen(listener: (change: EngineChange | undefined) => void): () => void
  close(): void
}

const changes = {
  container:
    'create start stop die kill oom destroy rename update pause unpause restart health_status',
  image: 'pull tag untag delete import load save push prune',
  network: 'create connect disconnect destroy remove update prune',
  volume: 'create mount unmount destroy prune',
}

const retryFirst = 100
const retryLast = 5000

/** Listens to the changes of all four kinds; commands run by health checks are left out by the Engine itself. */
export function engineEvents(client: EngineClient): EngineEvents {
  const listeners = new Set<(change: EngineChange | undefined) => void>()
  const stop = new AbortController()
  let up = false
  let started = false

  const tell = (change: EngineChange | undefined) => {
    for (const listener of listeners) listener(change)
  }

  async function follow(): Promise<void> {
    const response = await client.stream({
      method: 'GET',
      path: '/events',
      query: {
        filters: {
          type: Object.keys(changes),
          event: [...new Set(Object.values(changes).join(' ').split(' '))],
        },
      },
      signal: stop.signal,
    })
    // The connection alone is no reason for a process to go on.
    response.socket.unref()
    up = true
    tell(undefined)
    for await (const event of jsonLines(response)) {
      tell(changeOf(event))
    }
  }

  async function keepFollowing(): Promise<void> {
    let wait = retryFirst
    while (!stop.signal.aborted) {
      try {
        await follow()
      } catch {
        // told by `live`: callers ask the Engine itself meanwhile, and hear its failure from there
      }
      if (up) wait = retryFirst
      up = false
      client.renegotiate()
      tell(undefined)
      await pause(wait, stop.signal)
      wait = Math.min(wait * 2, retryLast)
    }
  }

  const start = () => {
    if (started || stop.signal.aborted) return
    started = true
    void keepFollowing()
  }

  return {
    live() {
      start()
      return up
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => stop.abort(new Error('closed')),
  }
}

/** A line of the Engine's events. */
export function changeOf({ Type, Action, Actor, time, timeNano }: any): EngineChange {
  const attributes = Actor?.Attributes ?? {}
  return {
    kind: Type,
    action: Action ?? '',
    id: Actor?.ID ?? '',
    at: timeNano ?? (time ?? 0) * 1e9,
    attributes,
    container: attributes.container,
  }
}

/** Whether it is one of those that are listened to. */
export const isChange = ({ kind, action }: EngineChange) =>
  Boolean(changes[kind]?.split(' ').includes(action.split(':')[0] ?? ''))

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      forget()
      resolve()
    }, milliseconds).unref()
    const forget = onAbort(signal, () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
