import { z } from 'zod'

/** `true` or `false` in a query string. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** The query parameter `host` of a single resource or an action: a host id. */
export const HostQuery = z.object({
  host: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .meta({ description: 'A host id; defaults to `local`' }),
})

/** The query parameter `host` of a list: a host id, or `all`. */
export const HostsQuery = z.object({
  host: z.string().min(1).max(128).optional().meta({
    description: 'A host id, or `all` for every host in your scope; defaults to `local`',
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

/** Number of past log lines to return, counted from the end. Defaults to 100, at most 1000. */
export const tail = z
  .string()
  .regex(/^\d{1,4}$/, 'must be a number of lines from 0 to 1000')
  .transform(Number)
  .refine((lines) => lines <= 1000, 'must be a number of lines from 0 to 1000')
  .default(100)
  .meta({ type: 'integer', minimum: 0, maximum: 1000, default: 100 })

/**
 * Number of past log lines that a feed starts with, counted from the end. Defaults to 100, at most
 * 10 000.
 */
export const feedTail = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number of lines from 0 to 10000')
  .transform(Number)
  .refine((lines) => lines <= 10_000, 'must be a number of lines from 0 to 10000')
  .default(100)
  .meta({ type: 'integer', minimum: 0, maximum: 10_000, default: 100 })

/** Only log lines after this instant are returned: RFC 3339, or seconds since the epoch. */
export const since = z
  .string()
  .refine(
    (text) => /^\d{1,12}(\.\d{1,9})?$/.test(text) || !Number.isNaN(Date.parse(text)),
    'must be a time as RFC 3339 or seconds since the epoch',
  )
  .optional()

/** Converts a value that `since` accepts, seconds or a date, to milliseconds since the epoch. */
export const instantOf = (text: string) =>
  /^[\d.]+$/.test(text) ? Number(text) * 1000 : Date.parse(text)

/** A time in the API's format. */
export const Time = z.iso.datetime()

/** Largest body, in bytes, that a caller without a credential may send. */
export const unsignedBodyLimit = 16 * 1024
