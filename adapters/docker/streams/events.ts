import { ignoreError } from '../../../functions/core/ignore-error.ts'
import {
  type EngineEventKind,
  type EngineSubject,
  engineEventKinds,
  engineSubjects,
} from '../../../functions/core/records/event-kinds.ts'
import { jsonLines } from '../responses/json-lines.ts'
import type { EngineClient } from '../transport/client.ts'
import { onAbort } from '../transport/deadline.ts'

/**
 * A change reported by the Engine: the kind of resource, its id (the name of a volume), and the
 * container concerned.
 */
export interface EngineChange {
  kind: EngineSubject
  action: string
  id: string
  /** Nanoseconds since the epoch, rounded to a few hundred. */
  at: number
  attributes: Record<string, string>
  /** For a network or volume: the container that was connected, mounted and so on. */
  container: string | undefined
}

/** The Engine's changes as they happen, over one connection that is opened on first use. */
export interface EngineEvents {
  /** Returns whether every change reaches the listeners. The first call opens the connection. */
  live(): boolean
  /**
   * Calls the listener for each change, and with undefined when the connection was lost or is back:
   * anything may have changed. Returns a function that removes the listener.
   */
  listen(listener: (change: EngineChange | undefined) => void): () => void
  close(): void
}

const retryFirst = 100
const retryLast = 5000

/** Returns the changes of all four kinds. The Engine filters out the commands of health checks. */
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
          type: engineSubjects,
          event: [...new Set(engineEventKinds.map((kind) => kind.split('.')[1]))],
        },
      },
      signal: stop.signal,
    })
    // The connection alone must not keep the process running.
    response.socket.unref()
    up = true
    tell(undefined)
    for await (const event of jsonLines<EventLine>(response)) {
      tell(changeOf(event))
    }
  }

  async function keepFollowing(): Promise<void> {
    let wait = retryFirst
    while (!stop.signal.aborted) {
      // `live` reports the failure: callers then ask the Engine itself and get its error.
      await follow().catch(ignoreError('follow the events of an Engine'))
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

/** The parts of a line of the Engine's events that are read. */
export interface EventLine {
  Type: EngineChange['kind']
  Action?: string
  Actor?: { ID?: string; Attributes?: Record<string, string> }
  time?: number
  timeNano?: number
}

/** Returns a line of the Engine's events as a change. */
export function changeOf({ Type, Action, Actor, time, timeNano }: EventLine): EngineChange {
  const attributes = Actor?.Attributes ?? {}
  return {
    kind: Type,
    action: Action ?? '',
    id: Actor?.ID ?? '',
    at: validTime(timeNano ?? (time ?? 0) * 1e9),
    attributes,
    container: attributes.container,
  }
}

/** The latest time that a `Date` can hold, in nanoseconds since the epoch. */
const latestTime = 8.64e21

/** Returns the time of an event, or 0 if the Engine sends anything but a time. */
const validTime = (at: unknown) => (typeof at === 'number' && at >= 0 && at <= latestTime ? at : 0)

/** Returns the kind of event that a change is, or undefined if it is none that is reported. */
export function eventKindOf({ kind, action }: EngineChange): EngineEventKind | undefined {
  const name = `${kind}.${action.split(':')[0]}`
  return engineEventKinds.find((one) => one === name)
}

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
