import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ZipFile } from './zip.ts'

/** Returns the files of `folder` below `base`, with paths that begin with `prefix`. */
export async function filesBelow(base: string, folder: string, prefix = ''): Promise<ZipFile[]> {
  const entries = await readdir(join(base, folder), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !/\.(?:d\.ts|md|map)$/.test(entry.name))
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name)
      return { path: prefix + path.slice(base.length), content: await readFile(path) }
    }),
  )
}
