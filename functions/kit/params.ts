import { z } from 'zod'

/** `true` or `false` in a query string. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

/** The query `host` of a single thing or an action: a host id. */
export const HostQuery = z.object({
  host: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .meta({ description: 'A host id; `local` unless given' }),
})

/** The query `host` of a list: a host id, or `all`. */
export const HostsQuery = z.object({
  host: z.string().min(1).max(128).optional().meta({
    description: 'A host id, or `all` to ask every host in your scope; `local` unless given',
  }),
})

/** A container id or name as the Engine has it. */
export const ContainerId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/, 'a container id or name')

/** A stack's name is its compose project's name. */
export const StackName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    'lower-case letters, digits, - and _, at most 63, beginning with a letter or digit',
  )
  .meta({ examples: ['shop'] })

/** How many past log lines: the last ones, 100 unless given, 1000 at most. */
export const tail = z
  .string()
  .regex(/^\d{1,4}$/, 'a number of lines from 0 to 1000')
  .transform(Number)
  .refine((lines) => lines <= 1000, 'a number of lines from 0 to 1000')
  .default(100)
  .meta({ type: 'integer', minimum: 0, maximum: 1000, default: 100 })

/** How many past lines a feed begins with: the last ones, 100 unless given, 10 000 at most. */
export const feedTail = z
  .string()
  .regex(/^\d{1,5}$/, 'a number of lines from 0 to 10000')
  .transform(Number)
  .refine((lines) => lines <= 10_000, 'a number of lines from 0 to 10000')
  .default(100)
  .meta({ type: 'integer', minimum: 0, maximum: 10_000, default: 100 })

/** The instant after which log lines count: RFC 3339, or seconds since the epoch. */
export const since = z
  .string()
  .refine(
    (text) => /^\d{1,12}(\.\d{1,9})?$/.test(text) || !Number.isNaN(Date.parse(text)),
    'a time as RFC 3339 or seconds since the epoch',
  )
  .optional()

/** Milliseconds since the epoch, of what `since` took: seconds or a date. */
export const instantOf = (text: string) =>
  /^[\d.]+$/.test(text) ? Number(text) * 1000 : Date.parse(text)

/** A time as the API writes it. */
export const Time = z.iso.datetime()

/** Bytes of body that a caller without a credential may send. */
export const unsignedBodyLimit = 16 * 1024
