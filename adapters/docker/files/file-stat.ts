import { randomInt } from 'node:crypto'
import { posix } from 'node:path'
import type { Helper } from '../helper-containers/helper.ts'
import { statPath } from '../inspect/path-stat.ts'
import type { EngineClient } from '../transport/client.ts'
import type { FileStat } from './file-memory.ts'

/**
 * Returns the metadata of a file in the helper's directory, or undefined if it is missing or not a
 * regular file. The Engine answers this without starting a program, which makes it ten times as
 * fast as an archive.
 */
export async function statFile(
  client: EngineClient,
  helper: Helper,
  path: string,
): Promise<FileStat | undefined> {
  const stat = await statPath(client, helper.id, posix.join(helper.base, path))
  if (stat?.kind !== 'file') return undefined
  return { size: stat.size, mode: stat.mode, changed: instant(stat.mtime) }
}

/** Converts RFC 3339 with any number of decimal digits to the format of `changed`. */
function instant(text: string): string {
  const [, digits = ''] = /\.(\d+)/.exec(text) ?? []
  const seconds = Date.parse(text.replace(/\.\d+/, '')) / 1000
  return `${seconds}.${digits.padEnd(9, '0')}`
}

/** Returns the current time with random digits, so that it identifies one write. */
export function uniqueInstant(): string {
  const now = Date.now()
  const fraction = (now % 1000) * 1_000_000 + randomInt(1, 1_000_000)
  return `${Math.floor(now / 1000)}.${String(fraction).padStart(9, '0')}`
}
