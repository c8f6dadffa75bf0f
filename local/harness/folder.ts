import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A file by its content, also with a mode, or a link by its target. */
export type FolderContent = Record<
  string,
  string | Uint8Array | { content: string; mode: number } | { link: string }
>

/** Writes files and links into a directory. Parent directories are created. */
export async function fillFolder(directory: string, content: FolderContent): Promise<void> {
  for (const [path, value] of Object.entries(content)) {
    const target = join(directory, path)
    await mkdir(dirname(target), { recursive: true })
    if (typeof value === 'string' || value instanceof Uint8Array) await writeFile(target, value)
    else if ('link' in value) await symlink(value.link, target)
    else {
      await writeFile(target, value.content)
      await chmod(target, value.mode)
    }
  }
}

/** Returns a new temporary directory with this content. It is removed at the end of a test. */
export async function temporaryFolder(content: FolderContent = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'folder-'))
  await fillFolder(directory, content)
  return {
    directory,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}
