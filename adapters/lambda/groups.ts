import { type Routes, routesOf } from '../../functions/kit/manifest.ts'

/** The first words of paths whose endpoints are in the folder of another resource. */
const folders: Readonly<Record<string, string>> = {
  'openapi.json': 'docs',
  'openapi.yaml': 'docs',
  ws: 'feeds',
}

/** Routes that one function serves: those of the endpoints in one folder. */
export interface FunctionGroup {
  /** The folder below `functions/`. */
  name: string
  /** Keys of the manifest with one space, such as `GET /stacks/{name}`. */
  routes: string[]
}

/** Returns the manifest's routes by the folder of their resource, in the manifest's order. */
export function groupsOf(routes: Routes): FunctionGroup[] {
  const groups = new Map<string, FunctionGroup>()
  for (const { method, path } of routesOf(routes)) {
    const name = groupOf(path)
    const group = groups.get(name) ?? { name, routes: [] }
    group.routes.push(`${method} ${path}`)
    groups.set(name, group)
  }
  return [...groups.values()]
}

/** Returns the group of a path. */
export function groupOf(path: string): string {
  const [, first = ''] = path.split('/')
  return folders[first] ?? first
}
