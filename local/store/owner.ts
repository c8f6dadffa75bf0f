import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../start-trouble.ts'

/** Who keeps a data directory: the process that started the store, and the store's own. */
interface Owner {
  owner: number
  /** When the owner began, as the kernel counts: process ids are used again. */
  ownerStart: string | undefined
  store: number
}

/** Remembers which process is the store of the data directory. */
export function recordOwner(directory: string, store: number): void {
  const owner: Owner = { owner: process.pid, ownerStart: startOf(process.pid), store }
  writeFileSync(fileOf(directory), JSON.stringify(owner), { mode: 0o600 })
}

/** Forgets it. */
export function forgetOwner(directory: string): void {
  rmSync(fileOf(directory), { force: true })
}

/**
 * Ends a store that its owner left behind when it died: two on one file would spoil it. Throws when the owner lives.
 * Kills nothing that is not a store on this very directory.
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
  } catch {
    return undefined
  }
}

function isStore(pid: number, directory: string) {
  const words = procFile(pid, 'cmdline')?.split('\0') ?? []
  return words.some((word) => word.endsWith('DynamoDBLocal.jar')) && words.includes(directory)
}

/** Field 22 of /proc/<pid>/stat, counted from behind the name, which may hold anything. */
function startOf(pid: number) {
  const stat = procFile(pid, 'stat')
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields?.[0] === 'Z' ? undefined : fields?.[19]
}

function procFile(pid: number, name: string) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}
