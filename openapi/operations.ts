import { readFile } from 'node:fs/promises'
import type { EndpointFacts } from '../functions/kit/endpoint-facts.ts'
import type { FeedFacts } from '../functions/kit/feed-facts.ts'
import { routesOf } from '../functions/kit/manifest.ts'
import { feeds, prefix, routes } from '../serverless.ts'
import known from './operation-ids.json' with { type: 'json' }
import recorded from './recorded-examples.json' with { type: 'json' }

/** A line of the manifest with the facts of its endpoint or feed. */
export type Operation = Place &
  ({ kind: 'route'; facts: DescribedFacts } | { kind: 'feed'; facts: FeedFacts })

/** The facts of an endpoint, with the examples that the service itself gave. */
export interface DescribedFacts extends EndpointFacts {
  examples?: EndpointFacts['examples'] & {
    /** A response of the usual status, although the work failed. */
    failed?: unknown
  }
}

interface Place {
  /**
   * Its id for clients, which never changes. That of a new one is the endpoint's file as words:
   * `stacks.deploy` for functions/stacks/deploy.ts.
   */
  id: string
  /** The resource: the folder of the endpoint's file. */
  tag: string
  method: string
  /** Relative to the prefix, placeholders in braces. */
  path: string
}

const line =
  /'(?:([A-Z]+)\s+)?(\/[^']*)':\s*\(\)\s*=>\s*import\(\s*'\.\/functions\/([\w/-]+)\.ts',?\s*\)/g

/** The ids of operations by method and path. `npm run openapi` adds new ones. */
const ids: Readonly<Record<string, string | undefined>> = known

/** Requests and responses by method and path, as `recorded-examples.test.ts` got them. */
const answers: Readonly<Record<string, DescribedFacts['examples']>> = recorded

/**
 * Loads every route and feed of the manifest; a feed is a GET. Throws for a line that does not name
 * its file in the usual form.
 */
export async function loadOperations(): Promise<Operation[]> {
  const source = await readFile(new URL('../serverless.ts', import.meta.url), 'utf8')
  const files = new Map<string, string>()
  for (const [, method = 'GET', path, file = ''] of source.matchAll(line))
    files.set(`${method} ${path}`, file)
  const placeOf = (method: string, path: string): Place => {
    const file = files.get(`${method} ${path}`)
    if (!file) throw new Error(`serverless.ts: ${method} ${path} is not a line of the usual form`)
    const id = ids[`${method} ${path}`] ?? file.replaceAll('/', '.')
    return { id, tag: file.split('/')[0] ?? file, method, path }
  }
  const ofRoutes = routesOf(routes).map(async ({ method, path, load }) => {
    const { facts } = (await load()).default
    const examples = { ...facts.examples, ...answers[`${method} ${path}`] }
    return { ...placeOf(method, path), kind: 'route' as const, facts: { ...facts, examples } }
  })
  const ofFeeds = Object.entries(feeds).map(async ([path, load]) => {
    const { facts } = (await load()).default
    return { ...placeOf('GET', path), kind: 'feed' as const, facts }
  })
  return Promise.all([...ofRoutes, ...ofFeeds])
}

/** The prefix of every path. */
export const server = prefix

/** Returns the ids by method and path: the known ones, and those of new operations. */
export function operationIds(operations: readonly Operation[]): Record<string, string> {
  const all = operations.map(({ id, method, path }) => [`${method} ${path}`, id] as const)
  return { ...known, ...Object.fromEntries(all) }
}
