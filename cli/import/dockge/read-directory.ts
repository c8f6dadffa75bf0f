import type { Stats } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, hasCode } from '../../failure.ts'
import { readText } from '../../folder/read-text.ts'

/** The names of compose files, in the order in which `docker compose` looks for them. */
export const composeNames = [
  'compose.yaml',
  'compose.yml',
  'docker-compose.yml',
  'docker-compose.yaml',
]

/** A folder of Dockge's stacks directory that has a compose file. */
export interface DockgeFolder {
  name: string
  /** Absolute, on this machine. */
  root: string
  /** Its absolute paths on the host: as Dockge has it, then where links lead. */
  places: readonly string[]
  /** The names of what is in it, sorted. */
  names: readonly string[]
}

/** Dockge's stacks directory. */
export interface DockgeDirectory {
  /** Absolute, on the host. */
  onHost: string
  /** The text of `global.env`, which Dockge passes to every stack. */
  globalEnv: string | undefined
  folders: readonly DockgeFolder[]
}

/**
 * Reads which stacks a directory has. Throws a `CliFailure` if it or a folder in it cannot be read.
 *
 * @param root absolute, on this machine
 * @param onHost the same directory as the host has it
 */
export async function readDockge(root: string, onHost: string): Promise<DockgeDirectory> {
  const names = (await namesIn(root)).sort()
  const folders: DockgeFolder[] = []
  for (const name of names) {
    const folder = await folderAt(name, root, onHost)
    if (folder) folders.push(folder)
  }
  const globalEnv = names.includes('global.env')
    ? await readText(join(root, 'global.env'))
    : undefined
  return { onHost, globalEnv, folders }
}

/** A folder may be a link, as in Dockge. Files and folders without a compose file are no stacks. */
async function folderAt(
  name: string,
  parent: string,
  onHost: string,
): Promise<DockgeFolder | undefined> {
  const root = join(parent, name)
  if (!(await statsAt(root))?.isDirectory()) return undefined
  const names = (await namesIn(root)).sort()
  if (!composeNames.some((one) => names.includes(one))) return undefined
  // Elsewhere, links of this machine say nothing of the host.
  const real = parent === onHost ? [await realpath(root)] : []
  return { name, root, names, places: [`${onHost}/${name}`, ...real] }
}

async function statsAt(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path)
  } catch (error) {
    // A link that leads nowhere is no stack.
    if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'EPERM')) throw error
    return undefined
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch((cause: NodeJS.ErrnoException) => {
    throw failed(`cannot read ${directory}: ${cause.code}`, {
      cause,
      hint: "run the command where Dockge's stacks directory is, as a user who may read it",
    })
  })
}
