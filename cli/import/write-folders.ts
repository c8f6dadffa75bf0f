import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import { hasCode } from '../failure.ts'
import type { NamedText } from '../folder/compose-files.ts'
import { envText } from './env-text.ts'
import { overlayName } from './overlay-name.ts'
import type { PeerFolder, PeerStack } from './peer-stack.ts'

/**
 * Writes the files of stacks whose product shows only texts, each stack into a folder of its own.
 * Returns the stacks with their folders. The product chooses no path outside of that folder: a
 * stack has a number, and one with other paths gets no folder.
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
    const facts = isWanted ? await tryWriteFolder(stack, join(parent, String(index))) : noFolder
    written.push({ ...stack, ...facts })
  }
  return written
}

/**
 * Returns the path of a file from the directory of the first compose file, which becomes the
 * directory of the stack. Undefined if it is elsewhere, or if it has characters that a path of a
 * stack has not.
 *
 * @param first the path of the first compose file
 */
export function pathInFolder(first: string, path: string): string | undefined {
  const inside = posix.relative(posix.join('/', posix.dirname(first)), posix.join('/', path))
  return inside.split('/').every(isPlainName) ? inside : undefined
}

const isPlainName = (name: string) => /^(?!\.+$)(?!\.(env|git)$)[\w.-]+$/.test(name)

const noFolder = { folder: null }

/** Two paths of a product can exclude each other, such as `conf` and `conf/a.txt`. */
async function tryWriteFolder(
  stack: PeerStack,
  root: string,
): Promise<Partial<Pick<PeerStack, 'folder' | 'needs'>>> {
  try {
    return { folder: await writeFolder(stack, root) }
  } catch (error) {
    if (!hasCode(error, 'EEXIST', 'EISDIR', 'ENOTDIR')) throw error
    return { ...noFolder, needs: 'one of its files has the path of a directory: give it another' }
  }
}

async function writeFolder(stack: PeerStack, root: string): Promise<PeerFolder | null> {
  const [first = ''] = stack.composeFiles
  const files = textsOf(stack, first)
  const composeFiles = stack.composeFiles.map((path) => pathInFolder(first, path))
  const [main, ...rest] = composeFiles.map((path) => files?.find((file) => file.path === path))
  if (!files || !main) return null
  const overlays = rest.flatMap((file, index): [string, NamedText][] =>
    file ? [[overlayName(file.path, index), file]] : [],
  )
  const env = envText(Object.entries(stack.env))
  await mkdir(root, { mode: 0o700 })
  for (const { path, text } of files) await writePrivate(join(root, path), text)
  for (const name of stack.writtenFromEnv) await writePrivate(join(root, basename(name)), env)
  return {
    compose: {
      root,
      main,
      overlays: Object.fromEntries(overlays),
      env: env === '' ? undefined : env,
      sources: [main.path, ...overlays.map(([, { path }]) => path)],
      hiddenEnv: undefined,
      unusable: [],
      isAlone: false,
    },
    env: env === '' ? undefined : env,
    data: [],
  }
}

function textsOf({ files }: PeerStack, first: string): NamedText[] | undefined {
  const texts = files.map((file): NamedText | undefined => {
    const path = pathInFolder(first, file.path)
    return path !== undefined && 'text' in file ? { path, text: file.text } : undefined
  })
  const found = texts.filter((one) => one !== undefined)
  return found.length === texts.length ? found : undefined
}

async function writePrivate(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { mode: 0o700, recursive: true })
  await writeFile(path, text, { mode: 0o600 })
}
