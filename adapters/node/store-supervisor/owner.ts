import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hasCode } from '../../../functions/core/errors.ts'
import { StartError } from '../process/start-error.ts'

/** The processes of a data directory: the one that started the store, and the store itself. */
interface Owner {
  owner: number
  /** The start time of the owner in kernel units, because process IDs are reused. */
  ownerStart: string | undefined
  store: number
}

/** Records which process is the store of the data directory. */
export function recordOwner(directory: string, store: number): void {
  const owner: Owner = { owner: process.pid, ownerStart: startOf(process.pid), store }
  writeFileSync(fileOf(directory), JSON.stringify(owner), { mode: 0o600 })
}

/** Removes the record. */
export function forgetOwner(directory: string): void {
  rmSync(fileOf(directory), { force: true })
}

/**
 * Ends a store that a dead owner left behind, because two stores would corrupt the database. Throws
 * if the owner is alive. Kills only a store on this directory.
 */
export async function endStaleStore(directory: string): Promise<void> {
  const record = read(directory)
  if (!record || !isStore(record.store, directory)) return
  if (startOf(record.owner) !== undefined && startOf(record.owner) === record.ownerStart) {
    throw new StartError(
      `The store in ${directory} belongs to process ${record.owner}, which is running. Stop it, or choose another SERVICE_DATA_DIR.`,
    )
  }
  process.kill(record.store, 'SIGKILL')
  while (isStore(record.store, directory)) await delay(20)
  forgetOwner(directory)
}

const fileOf = (directory: string) => join(directory, 'store.pid')

function read(directory: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(directory), 'utf8'))
  } catch (error) {
    // A process that was killed can leave a file without content.
    if (!hasCode(error, 'ENOENT') && !(error instanceof SyntaxError)) throw error
    return undefined
  }
}

function isStore(pid: number, directory: string) {
  const words = procFile(pid, 'cmdline')?.split('\0') ?? []
  return words.some((word) => word.endsWith('DynamoDBLocal.jar')) && words.includes(directory)
}

/**
 * Returns field 22 of /proc/<pid>/stat, counted from behind the name, which may contain anything.
 */
function startOf(pid: number) {
  const stat = procFile(pid, 'stat')
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields?.[0] === 'Z' ? undefined : fields?.[19]
}

function procFile(pid: number, name: string) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ESRCH')) throw error
    return undefined
  }
}
