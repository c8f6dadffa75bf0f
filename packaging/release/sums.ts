import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes `SHA256SUMS` of all other files of a folder, as `sha256sum -c` reads it. */
export function writeSums(folder: string): void {
  const lines = sumsOf(folder).map(([name, sum]) => `${sum}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
}

/** Returns the names and SHA-256 sums of the files of a folder, sorted by name. */
export function sumsOf(folder: string): [name: string, sum: string][] {
  return readdirSync(folder)
    .filter((name) => name !== 'SHA256SUMS')
    .sort()
    .map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ])
}
