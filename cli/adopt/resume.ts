import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Client } from '../client.ts'
import { configPath } from '../config.ts'
import { ApiFailure } from '../failure.ts'
import { path } from '../http.ts'
import type { Io } from '../io.ts'
import type { Adoption, AdoptionProgress } from '../records.ts'

/** An unfinished adoption, and the parts of it that the service has. */
export interface Begun {
  adoption: Adoption
  received: Set<number>
}

/** Unfinished adoptions by what they adopt, saved next to the configuration. */
export interface Unfinished {
  find(key: string, client: Client): Promise<Begun | undefined>
  keep(key: string, adoption: Adoption): Promise<void>
  forget(key: string): Promise<void>
}

/** Opens the list. If it cannot be read or written, an adoption only has to start again. */
export function unfinished(io: Io): Unfinished {
  const file = join(dirname(configPath(io)), 'adoptions.json')
  const read = async (): Promise<Record<string, Adoption>> =>
    readFile(file, 'utf8')
      .then((text) => JSON.parse(text) as Record<string, Adoption>)
      .catch(() => ({}))
  const change = async (edit: (all: Record<string, Adoption>) => void) => {
    const all = await read()
    edit(all)
    const draft = `${file}.${process.pid}`
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      .then(() => writeFile(draft, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 }))
      .then(() => rename(draft, file))
      .catch(() => {})
  }
  return {
    async find(key, client) {
      const adoption = (await read())[key]
      if (!adoption) return undefined
      try {
        const id = adoption.adoption_id
        const { value } = await client.get<AdoptionProgress>(path`/stacks/adopt/${id}`)
        return { adoption, received: new Set(value.received) }
      } catch (error) {
        if (error instanceof ApiFailure && error.status === 404) return undefined
        throw error
      }
    },
    keep: (key, adoption) =>
      change((all) => {
        all[key] = adoption
      }),
    forget: (key) =>
      change((all) => {
        delete all[key]
      }),
  }
}
