import { hash } from 'node:crypto'
import { conflict, invalid } from '../core/errors.ts'
import type { Stored } from '../core/ports/collection.ts'
import type { EndpointFacts } from './endpoint-facts.ts'
import type { HttpEvent } from './event.ts'
import type { Edition, IfMatch } from './if-match.ts'

/** Returns a hash of a text, in hex. It is short enough for a header. */
export const hashOf = (text: string): string => hash('sha256', text, 'hex').slice(0, 32)

/** Returns the edition of a thing that has no revision, from the values that users can change. */
export const editionOf = (values: unknown): Edition => hashOf(JSON.stringify(values)).slice(0, 16)

/** Returns the `ETag` of a response: its edition, if it has one, and the hash of its body. */
export const entityTag = (bodyHash: string, edition: Edition | undefined): string =>
  edition === undefined ? `"${bodyHash}"` : `"${edition}-${bodyHash}"`

/**
 * Returns whether the client has the version with this tag already: `If-None-Match` lists it or is
 * `*`. Weak tags count, as proxies that compress make tags weak (RFC 9110, 13.1.2).
 */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return known.includes(etag) || known.includes('*')
}

const anyVersion: IfMatch = { namesVersions: false, check() {} }

/**
 * Returns the condition of a request.
 *
 * @throws 400 if `If-Match` is invalid, or the request would change something whatever it says
 */
export function ifMatchOf(
  { headers, routeKey }: Pick<HttpEvent, 'headers' | 'routeKey'>,
  { takesIfMatch }: Pick<EndpointFacts, 'takesIfMatch'>,
): IfMatch {
  const header = headers['if-match']
  if (header === undefined) return anyVersion
  if (takesIfMatch) return readIfMatch(header)
  if (routeKey.startsWith('GET ')) return anyVersion
  throw invalid('If-Match: this endpoint does not compare versions: leave the header out')
}

const tagForm = /^(?:W\/)?"([\x21\x23-\x7e]*)"$/

/** Only the edition in a tag counts, so that a value that changes by itself refuses no change. */
function readIfMatch(header: string): IfMatch {
  if (header.trim() === '*') return anyVersion
  const tags = header.split(',').map((tag) => tagForm.exec(tag.trim())?.[1])
  if (tags.includes(undefined)) {
    throw invalid('If-Match: must be * or the ETag of an earlier response, with its quotes')
  }
  const editions = tags.map((tag = '') => tag.slice(0, Math.max(0, tag.lastIndexOf('-'))))
  return {
    namesVersions: true,
    check(edition) {
      if (!editions.includes(String(edition))) throw staleVersion()
    },
  }
}

const staleVersion = () =>
  conflict(
    'If-Match: it was changed since you read it. Read it again, and repeat the change with the new ETag',
    { reason: 'stale-revision' },
  )

/** The part of a store of records that removes one. */
interface Removes {
  remove(id: string, revision?: number): Promise<boolean>
}

/**
 * Removes a record that `ifMatch` was checked with. Returns false if it is gone already.
 *
 * @throws 409 if the request names versions, and the record was changed since it was read
 */
export async function removeMatching(
  { id, revision }: Stored<{ id: string }>,
  records: Removes,
  { namesVersions }: IfMatch,
): Promise<boolean> {
  if (!namesVersions) return records.remove(id)
  if (await records.remove(id, revision)) return true
  throw staleVersion()
}
