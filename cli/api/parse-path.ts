import { wrongUsage } from '../failure.ts'

/** A path below `/api/v1` and the parameters of its query. */
interface RawResource {
  resource: string
  query: Record<string, string[]>
}

/**
 * Takes apart a path of the API that a user wrote, with or without `/api/v1` and a query, and adds
 * parameters such as `host=nas`. Throws wrong usage for anything that leads elsewhere.
 */
export function parsePath(path: string, parameters: readonly string[] = []): RawResource {
  const [whole = '', text = ''] = path.split('?', 2)
  const resource = whole.replace(/^\/api\/v1(?=\/|$)/, '')
  const segments = resource.split('/').slice(1)
  const isPath = resource.startsWith('/') && segments.every(isSegment)
  if (!isPath) {
    throw wrongUsage(
      `${JSON.stringify(path)} is not a path of the API`,
      'use a path such as /stacks; encode other characters, a slash in a name as %2F',
    )
  }
  const pairs = [...new URLSearchParams(text)]
  for (const parameter of parameters) {
    const at = parameter.indexOf('=')
    if (at < 1) {
      throw wrongUsage(`--query ${JSON.stringify(parameter)}: must be a name and a value, a=b`)
    }
    pairs.push([parameter.slice(0, at), parameter.slice(at + 1)])
  }
  const names = new Set(pairs.map(([name]) => name))
  const valuesOf = (name: string) => pairs.flatMap(([one, value]) => (one === name ? value : []))
  return { resource, query: Object.fromEntries([...names].map((name) => [name, valuesOf(name)])) }
}

/** Dots alone would lead out of the API, also if they are encoded. */
function isSegment(segment: string): boolean {
  if (!/^(?:[\w.~!$&'()*+,;=:@-]|%[0-9a-f]{2})+$/i.test(segment)) return false
  return !/^(?:\.|%2e){1,2}$/i.test(segment)
}
