import type { Estate } from '../api/types.ts'

/** A field of a file that stands for a secret. */
export interface SecretUse {
  section: string
  /** The thing in its section. */
  name: string
  /** Such as `password`, or `target.secret_access_key`. */
  field: string
  /** The name under which the client looks for the value. */
  secret: string
  /** The server that the thing connects to, if the file names one. */
  server?: string
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Returns each field of a file that stands for a secret, in order. They are found in the file
 * itself: a service cannot ask for another variable of the environment.
 */
export function secretUses(estate: Estate): SecretUse[] {
  const sections: [string, unknown][] = Object.entries(estate)
  return sections.flatMap(([section, entries]) =>
    Array.isArray(entries) ? entries.flatMap((entry) => usesOf(section, entry)) : [],
  )
}

function usesOf(section: string, entry: unknown): SecretUse[] {
  if (!isFields(entry)) return []
  // An overlay can be called `from`, as the field of a reference is.
  const { overlays: _, ...rest } = entry
  const name = textOf(entry.name ?? entry.address ?? entry.of) ?? ''
  const server = serverOf(section, entry)
  return referencesIn(rest, []).map(({ field, secret }) => ({
    section,
    name,
    field,
    secret,
    ...(server !== undefined && { server }),
  }))
}

function referencesIn(
  value: unknown,
  place: readonly string[],
): Pick<SecretUse, 'field' | 'secret'>[] {
  if (typeof value !== 'object' || value === null) return []
  const fields: [string, unknown][] = Object.entries(value)
  const [only, ...others] = fields
  if (only?.[0] === 'from' && typeof only[1] === 'string' && others.length === 0) {
    return [{ field: place.join('.'), secret: only[1] }]
  }
  return fields.flatMap(([name, inside]) => referencesIn(inside, [...place, name]))
}

/** Returns the server that a thing sends its secrets to; undefined if its address is one. */
function serverOf(section: string, entry: Fields): string | undefined {
  switch (section) {
    case 'registries':
      return textOf(entry.address)
    case 'sources':
      return textOf(entry.url)
    case 'channels':
      return textOf(entry.server) ?? usualServers.get(textOf(entry.kind)) ?? textOf(entry.host)
    case 'backup_jobs':
      return isFields(entry.target) ? targetServer(entry.target) : undefined
    default:
      return undefined
  }
}

/** The servers of channels that name none. */
const usualServers: ReadonlyMap<string | undefined, string> = new Map([
  ['ntfy', 'https://ntfy.sh'],
  ['telegram', 'https://api.telegram.org'],
  ['pushover', 'https://api.pushover.net'],
])

function targetServer({ kind, endpoint, bucket, host }: Fields): string | undefined {
  if (kind !== 's3') return textOf(host)
  return textOf(endpoint) ?? `the bucket ${textOf(bucket) ?? ''} of Amazon S3`
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined
