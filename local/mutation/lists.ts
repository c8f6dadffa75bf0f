import { readdirSync } from 'node:fs'
import type { Mutation } from './mutation.ts'

/**
 * Returns the checks of every list. A list is a file `<part>-checks.ts` in this folder that exports
 * `checks`. Throws if a list is empty, or if two checks have the same file and name.
 */
export async function listedChecks(): Promise<Mutation[]> {
  const parts = readdirSync(import.meta.dirname)
    .flatMap((name) => /^(.+)-checks\.ts$/.exec(name)?.[1] ?? [])
    .sort()
  const lists = await Promise.all(parts.map(list))
  const all = lists.flat()
  const seen = new Set<string>()
  for (const { file, name } of all) {
    const key = `${file}: ${name}`
    if (seen.has(key)) throw new Error(`two checks have the same file and name: ${key}`)
    seen.add(key)
  }
  return all
}

async function list(part: string): Promise<Mutation[]> {
  const { checks } = await import(`./${part}-checks.ts`)
  if (!Array.isArray(checks) || checks.length === 0) {
    throw new Error(`local/mutation/${part}-checks.ts exports no \`checks\``)
  }
  return checks
}
