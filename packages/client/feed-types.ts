import type { components, paths } from './api.types.ts'

/** The description of a feed whose messages have the type `T`. */
interface FeedOf<T> {
  get: { responses: { 200: { content: { 'application/json': T } } } }
}

/** The feeds whose messages are JSON. */
export type FeedPath = {
  [P in keyof paths]: P extends `/ws/${string}`
    ? paths[P] extends FeedOf<unknown>
      ? P
      : never
    : never
}[keyof paths]

/** The messages of a feed. Its last one is not among them: it says how the feed ended. */
export type MessageOf<P extends FeedPath> =
  paths[P] extends FeedOf<infer T> ? Exclude<T, components['schemas']['FeedClosing']> : never

/** The values of the path and of the query of a feed, as in a request to it. */
export type FeedParams<P extends FeedPath> = Group<P, 'path'> & Group<P, 'query'>

/** All parameters of a feed, in groups: `path`, `query`, `header` and `cookie`. */
type Groups<P extends FeedPath> = paths[P]['get'] extends { parameters: infer G } ? G : never

/**
 * One group of parameters: required or optional as in the description. A group that the feed does
 * not have, which is described as `never`, adds nothing.
 */
type Group<P extends FeedPath, Name extends string> =
  Groups<P> extends Record<Name, infer Values>
    ? { [K in Name]: Values }
    : Groups<P> extends Partial<Record<Name, infer Values>>
      ? [Exclude<Values, undefined>] extends [never]
        ? unknown
        : { [K in Name]?: Values }
      : unknown
