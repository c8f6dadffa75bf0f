import { readdirSync, readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../../functions/core/errors.ts'
import type { KeyStore } from '../../../functions/core/ports/key-store.ts'
import { makePrivate, readPrivate, replacePrivate } from './private-file.ts'

/**
 * Returns the keys that are files of mode 0600 in a data directory. Each is written atomically. The
 * version of a key is its text. If two processes replace a file in the same moment, the later one
 * wins.
 */
export function keyFiles(dataDirectory: string): KeyStore {
  const where = (name: string) => join(dataDirectory, name)
  const find = async (name: string) => {
    const text = await readPrivate(where(name))
    return text === undefined ? undefined : { text, version: text }
  }
  const list = (directory: string) =>
    (orNothing(() => readdirSync(where(directory))) ?? [])
      .map((name) => `${directory}/${name}`)
      .sort()
  return {
    kind: 'file',
    where,
    find,
    list: async (directory) => list(directory),
    create: (name, text) => makePrivate(where(name), text),
    async replace(name, text, version) {
      if ((await find(name))?.version !== version) return false
      await replacePrivate(where(name), text)
      return true
    },
    remove: (name) => rm(where(name), { force: true }),
    now: {
      find: (name) => orNothing(() => readFileSync(where(name), 'utf8')),
      list,
      version: (directory) =>
        orNothing(() => String(statSync(where(directory), { bigint: true }).mtimeNs)),
    },
  }
}

/** Returns undefined for a path that leads to nothing. */
function orNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
