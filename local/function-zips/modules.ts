import { readFileSync } from 'node:fs'
import { groupOf } from '../../adapters/lambda/groups.ts'

/** The modules of a group's endpoints by their routes, such as `GET /stacks/{name}`. */
export type GroupModules = Map<string, string>

const line = /'(\w+)\s+(\/[^']*)':\s*\(\)\s*=>\s*import\('(\.\/functions\/[^']+)'\)/g

/**
 * Returns the modules of each group, read from the text of the manifest: an import in a bundle must
 * be a literal, and the bundle of a group must not contain the endpoints of others.
 */
export function modulesByGroup(manifest: string): Map<string, GroupModules> {
  const text = readFileSync(manifest, 'utf8')
  const groups = new Map<string, GroupModules>()
  for (const [, method, path = '', module = ''] of text.matchAll(line)) {
    const name = groupOf(path)
    const modules = groups.get(name) ?? new Map<string, string>()
    groups.set(name, modules.set(`${method} ${path}`, module))
  }
  return groups
}
