import { posix } from 'node:path'
import { present } from '../../adapters/testing/present.ts'
import type { EndpointFacts } from '../../functions/kit/endpoint-facts.ts'
import type { FeedFacts } from '../../functions/kit/feed-facts.ts'
import { importsOf } from './imports.ts'
import { isTest, type Source } from './source.ts'

/** Returns the files of functions that the manifest should load: those with a default export. */
export function endpointFiles(sources: Source[]): string[] {
  return sources
    .filter(({ path, text }) => !isTest(path) && /^export default /m.test(text))
    .map(({ path }) => path)
}

/** Makes the manifest's default export. */
const deployment = 'adapters/lambda/deployment.ts'

/**
 * Returns the differences between the manifest and the files: each endpoint must have exactly one
 * line, and each line an endpoint.
 */
export function manifestOffences(manifest: Source, sources: Source[]): string[] {
  const loaded = importsOf(manifest)
    .filter(({ isPackage, target }) => !isPackage && target !== deployment)
    .filter(({ target }) => !target.startsWith('functions/kit/'))
    .map(({ target }) => target)
  const files = endpointFiles(sources)
  return [
    ...files
      .filter((path) => !loaded.includes(path))
      .map((path) => `${path} is not in the manifest`),
    ...loaded.filter((path) => !files.includes(path)).map((path) => `${path} is no endpoint`),
    ...loaded
      .filter((path, at) => loaded.indexOf(path) !== at)
      .map((path) => `${path} is listed twice`),
  ]
}

/** Returns the statuses specific to an endpoint: successes and those in `fails`. */
export function promisedStatuses(facts: EndpointFacts): number[] {
  const usual = facts.status ?? (facts.returns || facts.produces ? 200 : 204)
  const others = [...Object.keys(facts.otherResponses ?? {}), ...Object.keys(facts.errors ?? {})]
  return [...new Set([usual, ...others.map(Number)])]
}

/** Returns the statuses specific to a feed: the upgrade and those in `fails`. */
export const promisedByFeed = ({ errors: fails = {} }: FeedFacts): number[] => [
  101,
  ...Object.keys(fails).map(Number),
]

/**
 * Returns the statuses of an endpoint for which no test next to it has a name that begins with
 * them.
 */
export function untested(path: string, statuses: number[], sources: Source[]): string[] {
  const tests = sources.filter(
    (source) =>
      isTest(source.path) &&
      posix.dirname(source.path) === posix.dirname(path) &&
      importsOf(source).some(({ target }) => target === path),
  )
  if (tests.length === 0) return [`${path} has no test beside it`]
  const named = new Set(tests.flatMap(({ text }) => statusesNamed(text)))
  return statuses
    .filter((status) => !named.has(status))
    .map((status) => `${path} has no test whose name begins with ${status}`)
}

/** Returns the statuses that test names begin with: `404: …`, `401 and 403: …`, `200, 204: …`. */
function statusesNamed(text: string): number[] {
  const names = text.matchAll(/['"`](\d{3}(?:(?:, ?| and |\/)\d{3})*)[:, ]/g)
  return [...names].flatMap(([, list = '']) => present(list.match(/\d{3}/g)).map(Number))
}
