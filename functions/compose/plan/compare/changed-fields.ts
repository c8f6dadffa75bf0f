import { hashedForm } from '../../hash/hash.ts'
import { json } from '../../hash/hash-fields.ts'
import { serviceFields } from '../../hash/hash-service.ts'
import type { Service } from '../../service.ts'

/** How deep the names go: `deploy.resources.limits.memory` has four parts. */
const partsMax = 4

/** Maps whose keys a person chose: an added one is named by its keys. */
const named = new Set(['environment', 'labels'])

/**
 * Returns the names of the fields in which two services differ, as far as the config hash covers
 * them: `healthcheck.retries`, `ports`. Never returns a value.
 *
 * @param mayShow returns whether a key of a map may be shown. A key can come from a variable, and
 *   so can be a secret. A field with such a key is shown without it.
 */
export function changedFields(
  before: Service,
  after: Service,
  mayShow: (key: string) => boolean,
): string[] {
  const [one, other] = [hashedForm(before), hashedForm(after)]
  const found = Object.entries(serviceFields).flatMap(([name, encode]) =>
    encode(one[name]) === encode(other[name]) ? [] : namesIn([name], one[name], other[name]),
  )
  return [...new Set(found.map((path) => shownPart(path, mayShow)))]
}

/** Returns the paths at and below `path` at which two values differ. */
function namesIn(path: string[], one: unknown, other: unknown): string[][] {
  const isNamed = path.length === 1 && named.has(path[0] ?? '')
  const [left, right] = isNamed ? [one ?? {}, other ?? {}] : [one, other]
  if (path.length >= partsMax || !isMap(left) || !isMap(right)) return [path]
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  const changed = keys.filter((key) => json(entryOf(left, key)) !== json(entryOf(right, key)))
  if (changed.length === 0) return [path]
  return changed.flatMap((key) => namesIn([...path, key], entryOf(left, key), entryOf(right, key)))
}

/** Returns the beginning of a path up to the first key that may not be shown. */
function shownPart(path: string[], mayShow: (key: string) => boolean): string {
  const hidden = path.findIndex((key, index) => index > 0 && !mayShow(key))
  return (hidden < 0 ? path : path.slice(0, hidden)).join('.')
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A missing value differs from null: `environment: [LOG]` has one of null. */
const entryOf = (map: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(map, key) ? (map[key] ?? { set: null }) : null
