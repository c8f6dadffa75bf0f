import { randomInt } from 'node:crypto'
import { posix } from 'node:path'
import type { EngineClient } from './client.ts'
import type { FileStat } from './file-memory.ts'
import type { Helper } from './helper.ts'
import { lookAt } from './look-at.ts'

/**
 * How a file below what a helper was lent for looks from outside; nothing when it is not there or not a regular file. The
 * Engine answers this itself: for an archive it starts a program, which takes ten times as long.
 */
export async function statFile(
  client: EngineClient,
  helper: Helper,
  path: string,
): Promise<FileStat | undefined> {
  const look = await lookAt(client, helper.id, posix.join(helper.base, path))
  if (look?.kind !== 'file') return undefined
  return { size: look.size, mode: look.mode, changed: instant(look.mtime) }
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
