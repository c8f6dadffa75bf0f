import { computed, effect, type ReadonlySignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { api, unwrap } from './api.ts'
import { type List, makeList } from './list.ts'
import { addressOf, type Params, type ReadParams, type ReadPath, type ReadValue } from './paths.ts'
import { type Entry, makeCache, type Resource } from './resource-cache.ts'

/** The cache of all API responses. Events keep it current. */
export const cache = makeCache({
  load: (path, params) => unwrap(read(path, params)),
  now: () => performance.now(),
  setTimer: (work, milliseconds) => setTimeout(work, milliseconds),
  clearTimer: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
})

type Answer = Promise<{ data?: unknown; error?: unknown; response: Response }>

function read(path: string, params: Readonly<Record<string, unknown>>): Answer {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const both: { path: Record<string, unknown>; query: Record<string, unknown> } = {
    path: {},
    query: {},
  }
  for (const [name, value] of Object.entries(params)) {
    both[names.includes(name) ? 'path' : 'query'][name] = value
  }
  // The types of callers are those of the path; here it is any of them.
  const get = api.GET as unknown as (path: string, init: { params: typeof both }) => Answer
  return get(path, { params: both })
}

/** Returns the entry of a path and its parameters. It loads when a component reads it. */
export function resource<P extends ReadPath>(path: P, params?: ReadParams<P>): Entry<ReadValue<P>> {
  const given = (params ?? {}) as Params
  return cache.entry(path, addressOf(path, given), given) as Entry<ReadValue<P>>
}

/** Reads a resource while the component is mounted. */
export function useResource<P extends ReadPath>(
  path: P,
  params?: ReadParams<P>,
): Resource<ReadValue<P>> {
  const entry = resource(path, params)
  useEffect(() => entry.retain(), [entry])
  return entry
}

/** A list that is read while the component is mounted. */
export interface ReadList<T> extends Omit<List<T>, 'update'> {
  problem: Resource<unknown>['problem']
  stale: ReadonlySignal<boolean>
  /** False until the first response. */
  isLoaded: ReadonlySignal<boolean>
  reload(): Promise<void>
}

/**
 * Reads a list in which each row renders alone. The component renders again only if it reads
 * `order` and rows come, go or move.
 *
 * @param rowsOf returns the rows of a response, if that is not a list
 */
export function useList<P extends ReadPath, T>(
  path: P,
  params: ReadParams<P>,
  idOf: (row: T) => string,
  rowsOf: (value: ReadValue<P>) => readonly T[] = (value) => value as unknown as readonly T[],
): ReadList<T> {
  const entry = useResource(path, params)
  const [list, follow] = useMemo(() => listOf(entry, idOf, rowsOf), [entry])
  useEffect(() => follow(), [follow])
  return list
}

function listOf<V, T>(
  { value, problem, stale, reload }: Resource<V>,
  idOf: (row: T) => string,
  rowsOf: (value: V) => readonly T[],
): [ReadList<T>, () => () => void] {
  const { order, rows, update } = makeList(idOf)
  const take = (loaded: V | undefined) => {
    if (loaded !== undefined) update(rowsOf(loaded))
  }
  take(value.peek())
  const isLoaded = computed(() => value.value !== undefined)
  return [{ order, rows, problem, stale, isLoaded, reload }, () => effect(() => take(value.value))]
}
