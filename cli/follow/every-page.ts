import type { Client } from '../api/client.ts'
import type { Answer } from '../api/http.ts'
import { failed } from '../failure.ts'
import { momentAfter } from '../flags/range-flags.ts'
import { isRecord } from '../output/rows.ts'

/** The fields that lists of the past are sorted by. */
const times = ['time', 'at', 'started_at']

/**
 * Returns all entries of a list. The service returns a part of it, and a link to the next. Those of
 * earlier versions return no link: there the next part of a list of the past is before the time of
 * the last entry. Entries of one moment may be in two parts then, and count once.
 */
export async function everyPage(
  service: Pick<Client, 'raw'>,
  path: string,
  query: Record<string, string[]>,
): Promise<unknown[]> {
  const all: unknown[] = []
  const seen = new Set<string>()
  let position: Record<string, string[]> = {}
  for (;;) {
    const { text, headers } = await service.raw('GET', path, { query: { ...query, ...position } })
    const entries = listOf(text)
    const fresh = entries.filter((entry) => !seen.has(JSON.stringify(entry)))
    for (const entry of fresh) seen.add(JSON.stringify(entry))
    all.push(...fresh)
    if (headers['x-result-truncated'] !== 'true') return all
    const next = linkedPart(headers)
    if (next !== undefined) {
      if (JSON.stringify(next) === JSON.stringify(position)) throw failed(endless)
      position = next
      continue
    }
    if (fresh.length === 0) throw failed(endless)
    position = { until: [nextUntil(entries.at(-1))] }
  }
}

const endless = '--paginate: the list does not end'

/** Returns where the next part begins by the link to it, if there is one. */
function linkedPart({ link = '' }: Answer['headers']): Record<string, string[]> | undefined {
  const [, query] = /^<[^>?]*\?([^>]*)>;\s*rel="next"/.exec(String(link)) ?? []
  const linked = new URLSearchParams(query)
  const name = ['before', 'after'].find((one) => linked.has(one))
  return name === undefined ? undefined : { [name]: [linked.get(name) ?? ''] }
}

function listOf(text: string): unknown[] {
  const value: unknown = JSON.parse(text)
  if (Array.isArray(value)) return value
  throw failed('--paginate: the response is no list')
}

/** Returns where the part after this last entry begins. */
function nextUntil(entry: unknown): string {
  const time = isRecord(entry) ? times.map((field) => entry[field]).find(Boolean) : undefined
  if (typeof time !== 'string' || Number.isNaN(Date.parse(time)))
    throw failed('--paginate: the list is truncated and has no times')
  return momentAfter(time)
}
