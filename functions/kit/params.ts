import { z } from 'zod'
import { referenceMax, referencePattern } from '../compose/reference/image-reference.ts'
import type { TimeRange } from '../core/records/time-range.ts'

/** `true` or `false` in a query string. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** A host as requests name it: by id or name. */
export const HostRef = z.string().min(1).max(128).describe('A host id or name')

/** The query parameter `host` of a single resource or an action. */
export const HostQuery = z.object({
  host: HostRef.optional().meta({ description: 'A host id or name; defaults to `local`' }),
})

/** The query parameter `host` of a list. */
export const HostsQuery = z.object({
  host: HostRef.optional().meta({
    description: 'A host id or name, or `all` for every host in your scope; defaults to `local`',
  }),
})

/** A container id or name in the Engine's syntax. */
export const ContainerId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/, 'must be a container id or name')

/** A stack's name, which is also the name of its compose project. */
export const StackName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    'must be at most 63 lower-case letters, digits, - and _, beginning with a letter or digit',
  )
  .meta({ examples: ['shop'] })

/** The name of a set of variables. */
export const SetName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    'must be at most 63 lower-case letters, digits, - and _, beginning with a letter or digit',
  )
  .meta({ examples: ['home'] })

/** The most lines of a response. */
export const logLinesMax = 1000

/**
 * Number of past log lines to return, counted from the end, at most 1000. `linesToRead` has the
 * defaults.
 */
export const tail = z
  .string()
  .regex(/^\d{1,4}$/, 'must be a number of lines from 0 to 1000')
  .transform(Number)
  .refine((lines) => lines <= logLinesMax, 'must be a number of lines from 0 to 1000')
  .optional()
  .meta({
    type: 'integer',
    minimum: 0,
    maximum: logLinesMax,
    description:
      'Number of past lines, counted from the end; defaults to 100, or with `since` to the most that a response has',
  })

const usualTail = 100

/** A range of a log, as in a query. */
interface LogRange<Tail> {
  tail?: Tail | undefined
  since?: string | undefined
}

/**
 * Returns how many lines to read for a response: with `since` alone one more than it has, so that
 * it can say if there are more.
 */
export const linesToRead = ({ tail, since }: LogRange<number>): number =>
  tail ?? (since === undefined ? usualTail : logLinesMax + 1)

/** Returns with how many past lines a feed begins: with `since` alone all. */
export const feedLines = ({ tail, since }: LogRange<number | 'all'>): number | 'all' =>
  tail ?? (since === undefined ? usualTail : 'all')

/** Number of past log lines that a feed starts with, counted from the end, at most 10 000. */
export const feedTail = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number of lines from 0 to 10000')
  .transform(Number)
  .refine((lines) => lines <= 10_000, 'must be a number of lines from 0 to 10000')
  .meta({ type: 'integer', minimum: 0, maximum: 10_000 })

function isMoment(text: string): boolean {
  return /^\d{1,12}(\.\d{1,9})?$/.test(text) || !Number.isNaN(Date.parse(text))
}

/** Only log lines after this instant are returned: RFC 3339, or seconds since the epoch. */
export const since = z
  .string()
  .refine(isMoment, 'must be a time as RFC 3339 or seconds since the epoch')
  .optional()
  .meta({ description: 'Only what is newer than this time: RFC 3339, or seconds since the epoch' })

const moment = z
  .string()
  .refine(isMoment, 'must be a time as RFC 3339 or seconds since the epoch')
  .optional()

/** Only log lines up to this instant are returned: RFC 3339, or seconds since the epoch. */
export const until = moment.meta({
  description:
    'Only lines written at this time or before it: RFC 3339, or seconds since the epoch. `tail` counts from the last of them. With the time of the oldest line that you have, it returns older ones, and again those of that very time',
})

/** The header of a response with a part of a list of the past; see `paged`. */
export const nextHeader = {
  Link: 'The address of the next, older part of a list that was cut, with `rel="next"`. It is relative to that of the request, which it repeats with another `before`. Absent if the list was not cut.',
}

/** The query parameter of a list that is sorted by name; see `pagedByName`. */
export const after = z.string().max(255).optional().meta({
  description: 'Only entries whose name comes after this one in the order of the list',
})

/** The header of a response with a part of a list that is sorted by name; see `pagedByName`. */
export const nextByNameHeader = {
  Link: 'The address of the next part of a list that was cut, with `rel="next"`. It is relative to that of the request, which it repeats with another `after`. Absent if the list was not cut.',
}

/** The query parameters that choose a part of a list of the past. */
export const RangeQuery = z.object({
  since: moment.meta({
    description: 'Only entries of this time or later: RFC 3339, or seconds since the epoch',
  }),
  until: moment.meta({
    description: 'Only entries before this time. To read on where a list was cut, use `before`',
  }),
  before: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id')
    .optional()
    .meta({
      description:
        'Only entries older than the one with this id, even if that one is gone. Where a list was cut (`X-Result-Truncated`), the id of its last entry returns the next part, as `Link` does',
    }),
})

/** Converts the query parameters of a time range. */
export const rangeOf = ({
  since,
  until,
  before,
}: Omit<z.output<typeof RangeQuery>, 'before'> & { before?: string | undefined }): TimeRange => ({
  before,
  since: since === undefined ? undefined : instantOf(since),
  until: until === undefined ? undefined : instantOf(until),
})

/** Converts a value that `since` accepts, seconds or a date, to milliseconds since the epoch. */
export const instantOf = (text: string) =>
  /^[\d.]+$/.test(text) ? Number(text) * 1000 : Date.parse(text)

/** A time in the API's format. */
export const Time = z.iso.datetime()

/** How a request is authenticated. */
export const CredentialKind = z
  .enum(['session', 'api_token'])
  .meta({ id: 'CredentialKind', description: 'How a request is authenticated' })

/** One of the two outputs of a container. */
export const OutputStream = z
  .enum(['stdout', 'stderr'])
  .meta({ id: 'OutputStream', description: 'One of the two outputs of a container' })

/** A time as an Engine writes it: RFC 3339, in any zone and with up to nanoseconds. */
export const EngineTime = z.string().meta({ format: 'date-time' })

/** Largest body, in bytes, that a caller without a credential may send. */
export const unsignedBodyLimit = 16 * 1024

/** An image name in Docker's syntax, or an id. */
export const ImageName = z
  .string()
  .max(referenceMax)
  .regex(
    referencePattern,
    'must be the name of an image, such as nginx:1.29 or registry.example.org/team/app:1',
  )
