import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isTemporary } from './check.ts'
import { pathsIn } from './paths-in.ts'

/** Milliseconds. Another process may be writing to the directory now; no write takes this long. */
const margin = 60_000

/**
 * Removes the temporary files of killed processes. They have an exact name and were last changed at
 * least a minute before `processStart` (milliseconds since the epoch). `kept` is never removed,
 * because a table may have such a name. Returns their paths in the data directory.
 */
export function sweepTemporaries(
  dataDirectory: string,
  { processStart, kept }: { processStart: number; kept: string },
): string[] {
  const removed: string[] = []
  for (const directory of ['', 'secret-keys', 'audit-keys']) {
    for (const path of pathsIn(dataDirectory, directory)) {
      if ((!isTemporary(path) && !isProbe(path)) || path === kept) continue
      const full = join(dataDirectory, path)
      const found = statSync(full, { throwIfNoEntry: false })
      if (!found?.isFile() || found.mtimeMs > processStart - margin) continue
      rmSync(full, { force: true })
      removed.push(path)
    }
  }
  return removed
}

/** Returns whether a health check wrote the file. */
const isProbe = (path: string) => /^probe\.[0-9a-f]{12}$/.test(path)
