import type { Client } from '../api/client.ts'
import type { Io } from '../io.ts'
import { configPath, readConfig } from '../session/config.ts'
import { contextName, contextNames } from '../session/context.ts'
import { savedList } from '../session/saved-list.ts'
import { currentNames, type Names } from './names.ts'

/** Milliseconds after which saved names are requested again. */
const freshFor = 5000

interface Saved {
  at: number
  names: readonly string[]
}

/**
 * Returns a lookup of names that caches them for 5 s, because a shell asks at every key press. A
 * request that fails counts as no names.
 */
export function savedNames(
  io: Io,
  client: () => Promise<Client>,
  flags: { context?: string },
): Names {
  const current = currentNames(client)
  return async (kind, options) => {
    const config = await readConfig(configPath(io))
    if (kind === 'contexts') return contextNames(config)
    const list = savedList<Saved>(io, 'completions.json')
    const key = JSON.stringify([contextName(config, flags, io), kind, options])
    const saved = await list.find(key)
    const age = Date.now() - (saved?.at ?? Number.NEGATIVE_INFINITY)
    if (saved && age >= 0 && age < freshFor) return saved.names
    const names = await current(kind, options)
    await list.keep(key, { at: Date.now(), names })
    return names
  }
}
