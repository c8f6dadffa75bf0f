import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { envText } from './env-text.ts'
import type { PeerFolder, PeerStack } from './peer-stack.ts'

/**
 * Writes the files of stacks whose product shows only texts, each stack into a folder of its own.
 * Returns the stacks with their folders. The product chooses no path: of the names of files, only
 * the last part counts, and a stack has a number.
 *
 * @param parent an existing directory that only this user may read: the files can have secrets
 */
export async function writeFolders(
  stacks: readonly PeerStack[],
  parent: string,
): Promise<PeerStack[]> {
  const written: PeerStack[] = []
  for (const [index, stack] of stacks.entries()) {
    const isWanted = stack.name !== null && stack.needs === null
    const folder = isWanted ? await writeFolder(stack, join(parent, String(index))) : null
    written.push({ ...stack, folder })
  }
  return written
}

async function writeFolder(stack: PeerStack, root: string): Promise<PeerFolder | null> {
  const [file] = stack.files
  if (!file || !('text' in file)) return null
  const env = envText(Object.entries(stack.env))
  const main = { path: basename(file.path), text: file.text }
  await mkdir(root, { mode: 0o700 })
  await writeFile(join(root, main.path), main.text, { mode: 0o600 })
  for (const name of stack.writtenFromEnv)
    await writeFile(join(root, basename(name)), env, { mode: 0o600 })
  return {
    compose: {
      root,
      main,
      overlays: {},
      env: env === '' ? undefined : env,
      sources: [main.path],
      hiddenEnv: undefined,
      unusable: [],
      isAlone: false,
    },
    env: env === '' ? undefined : env,
    data: [],
  }
}
