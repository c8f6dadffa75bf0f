import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Returns the text of a private file, or undefined if it does not exist. Sets its mode to 0600 if
 * others had access.
 */
export async function readPrivate(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path)
    if ((mode & 0o077) !== 0) await chmod(path, 0o600)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/**
 * Returns the text of a private file, and creates it from `text` if it does not exist. If several
 * processes do this at once, one creates it and all get the same text.
 */
export async function readOrCreatePrivate(
  path: string,
  text: () => string,
  mode: 0o600 | 0o400 = 0o600,
): Promise<string> {
  const found = await readPrivate(path)
  if (found !== undefined) return found
  await makePrivate(path, text(), mode)
  return (await readPrivate(path)) ?? ''
}

/** Creates a private file atomically, unless it exists. */
export async function makePrivate(
  path: string,
  text: string,
  mode: 0o600 | 0o400 = 0o600,
): Promise<void> {
  const temporary = await writeBeside(path, text, mode)
  try {
    await link(temporary, path)
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Replaces a private file atomically: a reader sees the old text or the new one. */
export async function replacePrivate(path: string, text: string): Promise<void> {
  await rename(await writeBeside(path, text), path)
}

/** Writes a private file atomically, replacing an existing one. */
export async function writePrivate(
  path: string,
  content: Uint8Array,
  mode: 0o600 | 0o400,
): Promise<void> {
  await rename(await writeBeside(path, content, mode), path)
}

async function writeBeside(path: string, text: string | Uint8Array, mode = 0o600): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(temporary, 'wx', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  return temporary
}

const isCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code
