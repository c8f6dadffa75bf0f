import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Io } from '../io.ts'
import { configPath } from './config.ts'

/** More values of one list are forgotten, the oldest first. */
const valuesMax = 500

/** Values by key, saved in a file next to the configuration. */
export interface SavedList<Value> {
  find(key: string): Promise<Value | undefined>
  keep(key: string, value: Value): Promise<void>
  forget(key: string): Promise<void>
}

/** Returns undefined for an error of the file system or of damaged content; rethrows others. */
function ignoreFileError(error: NodeJS.ErrnoException): undefined {
  if (error.syscall === undefined && !(error instanceof SyntaxError)) throw error
}

/**
 * Opens a list by the name of its file. A list that cannot be read is empty, and one that cannot be
 * written is not saved: only what a command can do without belongs into it.
 */
export function savedList<Value>(io: Io, name: string): SavedList<Value> {
  const file = join(dirname(configPath(io)), name)
  const read = async (): Promise<Map<string, Value>> =>
    readFile(file, 'utf8')
      .then((text) => new Map(Object.entries((JSON.parse(text) ?? {}) as Record<string, Value>)))
      .catch((error) => ignoreFileError(error) ?? new Map<string, Value>())
  const change = async (edit: (all: Map<string, Value>) => void) => {
    const all = await read()
    edit(all)
    const newest = Object.fromEntries([...all].slice(-valuesMax))
    const draft = `${file}.${process.pid}`
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      .then(() => writeFile(draft, `${JSON.stringify(newest, null, 2)}\n`, { mode: 0o600 }))
      .then(() => rename(draft, file))
      .catch(ignoreFileError)
  }
  return {
    find: async (key) => (await read()).get(key),
    keep: (key, value) =>
      change((all) => {
        all.delete(key)
        all.set(key, value)
      }),
    forget: (key) => change((all) => void all.delete(key)),
  }
}
