import { Reply } from './reply.ts'

/** The prefix of every path of the service. */
export const prefix = '/api/v1'

/**
 * Returns the value of `Location` for a resource.
 *
 * @example locationOf('stacks', 'shop') // '/api/v1/stacks/shop'
 */
export const locationOf = (...segments: readonly string[]): string =>
  [prefix, ...segments.map(encodeURIComponent)].join('/')

/** Returns the 201 of a resource that was created and that can be read at its `Location`. */
export const created = <T>(value: T, ...segments: readonly string[]): Reply<T> =>
  new Reply(value, { headers: { Location: locationOf(...segments) } })

/** Describes the header that `created` sends, for `responseHeaders`. */
export const createdHeaders = {
  Location: { description: 'The path at which GET returns what was created', statuses: [201] },
} as const
