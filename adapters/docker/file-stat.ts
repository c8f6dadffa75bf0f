import { randomInt } from 'node:crypto'
import { posix } from 'node:path'
import type { EngineClient } from './client.ts'
import { unlessMissing } from './errors.ts'
import type { FileStat } from './file-memory.ts'
import type { Helper } from './helper.ts'

/** The bits of Go's file modes that stand for something else than a regular file. */
const kinds = 0x8f28_0000

/**
 * How a file below what a helper was lent for looks from outside; nothing when it is not there or not a regular file. The
 * Engine answers this itself: for an archive it starts a program, which takes ten times as long.
 */
export async function statFile(
  client: EngineClient,
  helper: Helper,
  path: string,
): Promise<FileStat | undefined> {
  const head = await unlessMissing(
    client.stream({
      method: 'HEAD',
      path: `/containers/${helper.id}/archive`,
      query: { path: posix.join(helper.base, path) },
      deadline: 30_000,
    }),
  )
  if (!head) return undefined
  head.resume()
  const text = Buffer.from(String(head.headers['x-docker-container-path-stat']), 'base64')
  const { size, mode, mtime } = JSON.parse(text.toString())
  return (mode & kinds) === 0 ? { size, mode, changed: instant(mtime) } : undefined
}

/** RFC 3339 with any number of digits behind the point, as `changed` has it. */
function instant(text: string): string {
  const [, digits = ''] = /\.(\d+)/.exec(text) ?? []
  const seconds = Date.parse(text.replace(/\.\d+/, '')) / 1000
  return `${seconds}.${digits.padEnd(9, '0')}`
}

/** Now, with digits that no other write has: what bears this time is what was written with it. */
export function uniqueInstant(): string {
  const now = Date.now()
  const fraction = (now % 1000) * 1_000_000 + randomInt(1, 1_000_000)
  return `${Math.floor(now / 1000)}.${String(fraction).padStart(9, '0')}`
}
