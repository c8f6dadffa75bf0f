import { readFile } from 'node:fs/promises'
import type { EndpointFacts } from '../functions/kit/endpoint.ts'
import { routesOf } from '../functions/kit/manifest.ts'
import { prefix, routes } from '../serverless.ts'

/** One route of the manifest with the facts of its endpoint. */
export interface Operation {
  /** The endpoint's file as words: `stacks.deploy` is functions/stacks/deploy.ts. */
  id: string
  /** The resource: the folder of the endpoint's file. */
  tag: string
  method: string
  /** Relative to the prefix, placeholders in braces. */
  path: string
  facts: EndpointFacts
}

const line =
  /'([A-Z]+)\s+(\/[^']*)':\s*\(\)\s*=>\s*import\(\s*'\.\/functions\/([\w/-]+)\.ts',?\s*\)/g

/** Every route of the manifest, its endpoint loaded. Throws for a line that does not name its file as all others do. */
export async function loadOperations(): Promise<Operation[]> {
  const source = await readFile(new URL('../serverless.ts', import.meta.url), 'utf8')
  const files = new Map<string, string>()
  for (const [, method, path, file = ''] of source.matchAll(line))
    files.set(`${method} ${path}`, file)
  return Promise.all(
    routesOf(routes).map(async ({ method, path, load }) => {
      const file = files.get(`${method} ${path}`)
      if (!file) throw new Error(`serverless.ts: ${method} ${path} is not a line of the usual form`)
      const { facts } = (await load()).default
      return { id: file.replaceAll('/', '.'), tag: file.split('/')[0] ?? file, method, path, facts }
    }),
  )
}

/** The prefix under which every path stands. */
export const server = prefix
