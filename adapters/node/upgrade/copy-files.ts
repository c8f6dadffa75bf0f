import { copyFile, mkdir, open, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Copies the files of a stopped DynamoDB Local: its database and the access key that names it, not
 * the program. The directory gets its name when it is complete.
 */
export async function copyStoreFiles(directory: string, target: string): Promise<void> {
  const unfinished = `${target}.unfinished`
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'store.pid') continue
    const path = join(unfinished, entry.name)
    await copyFile(join(directory, entry.name), path)
    await sync(path)
  }
  await rename(unfinished, target)
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
