import type { paths } from './api.types.ts'

interface Messages<T> {
  get: { responses: { 200: { content: { 'application/json': T } } } }
}

/** The feeds whose messages are JSON. */
export type FeedPath = {
  [P in keyof paths]: P extends `/ws/${string}`
    ? paths[P] extends Messages<unknown>
      ? P
      : never
    : never
}[keyof paths]

/** The messages of a feed. */
export type MessageOf<P extends FeedPath> = paths[P] extends Messages<infer T> ? T : never

/** The values of the path and of the query of a feed, as in a request to it. */
export type FeedParams<P extends FeedPath> = Part<P, 'path'> & Part<P, 'query'>

type Parameters<P extends FeedPath> = paths[P]['get'] extends { parameters: infer G } ? G : never

type Part<P extends FeedPath, Name extends string> =
  Parameters<P> extends Record<Name, infer V>
    ? { [K in Name]: V }
    : Parameters<P> extends Partial<Record<Name, infer V>>
      ? [Exclude<V, undefined>] extends [never]
        ? unknown
        : { [K in Name]?: V }
      : unknown
