import type { Client } from '../api/client.ts'
import { failed } from '../failure.ts'
import { momentAfter } from '../flags/range-flags.ts'
import { isRecord } from '../output/rows.ts'

/** The fields that lists of the past are sorted by. */
const times = ['time', 'at', 'started_at']

/**
 * Returns all entries of a list of the past, newest first. The service returns a part of it; the
 * next part is before the last entry. Entries of one moment may be in two parts, and count once.
 */
export async function everyPage(
  service: Pick<Client, 'raw'>,
  path: string,
  query: Record<string, string[]>,
): Promise<unknown[]> {
  const all: unknown[] = []
  const seen = new Set<string>()
  let until: string | undefined
  for (;;) {
    const part = { ...query, ...(until !== undefined && { until: [until] }) }
    const { text, headers } = await service.raw('GET', path, { query: part })
    const entries = listOf(text)
    const fresh = entries.filter((entry) => !seen.has(JSON.stringify(entry)))
    for (const entry of fresh) seen.add(JSON.stringify(entry))
    all.push(...fresh)
    if (headers['x-result-truncated'] !== 'true') return all
    if (fresh.length === 0) throw failed('--paginate: the list does not end')
    until = nextUntil(entries.at(-1))
  }
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
