import type { paths } from './api.types.ts'

interface Ok<T> {
  responses: { 200: { content: { 'application/json': T } } }
}

/** Paths whose GET returns JSON. */
export type ReadPath = {
  [P in keyof paths]: paths[P] extends { get: Ok<unknown> } ? P : never
}[keyof paths]

/** What GET of a path returns. */
export type ReadValue<P extends ReadPath> = paths[P] extends { get: Ok<infer T> } ? T : never

type GetParameters<P extends keyof paths> = paths[P] extends { get: { parameters: infer G } }
  ? G
  : never

/** The path parameters and the query of a GET, in one object. */
export type ReadParams<P extends keyof paths> = Present<GetParameters<P>, 'path'> &
  Present<GetParameters<P>, 'query'>

type Present<G, Name extends string> =
  G extends Record<Name, infer V>
    ? V
    : G extends Partial<Record<Name, infer V>>
      ? [Exclude<V, undefined>] extends [never]
        ? unknown
        : Partial<Exclude<V, undefined>>
      : unknown

type Value = string | number | boolean | undefined
/** Parameters of any path. */
export type Params = Readonly<Record<string, Value | readonly Value[]>>

/** Returns the address of a path: placeholders filled in, the other parameters as a query. */
export function addressOf(path: string, params: Params = {}): string {
  const used = new Set<string>()
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    used.add(name)
    return encodeURIComponent(String(params[name]))
  })
  const query = new URLSearchParams()
  for (const name of Object.keys(params).sort()) {
    if (used.has(name)) continue
    for (const one of [params[name]].flat()) if (one !== undefined) query.append(name, String(one))
  }
  const words = query.toString()
  return words ? `${filled}?${words}` : filled
}
