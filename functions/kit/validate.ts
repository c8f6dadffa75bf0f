import type { z } from 'zod'
import { invalid } from '../core/errors.ts'
import { readBody, refuseBody } from './body.ts'
import type { EndpointFacts } from './endpoint-facts.ts'
import type { HttpEvent } from './event.ts'
import { check } from './issues.ts'
import { readQuery } from './query.ts'
import { namedTwice } from './read-only.ts'
import { definitionOf, unwrapped } from './schema-path.ts'

/** Path, query and body, parsed by the endpoint's schemas, as `run` gets them. */
export interface Validated {
  path: unknown
  query: unknown
  body: unknown
}

/** The facts that say what a request may hold. Endpoints have all of them, feeds the first two. */
export type ValidatedFacts = Pick<
  EndpointFacts,
  'path' | 'query' | 'body' | 'bodyLimit' | 'bulkField' | 'readsBytes'
>

/**
 * Returns a function that validates the requests of an endpoint. It returns a promise only if there
 * is a body to read.
 *
 * The function throws 400 naming the invalid fields.
 */
export function validator(
  facts: ValidatedFacts,
): (event: HttpEvent) => Validated | Promise<Validated> {
  // Made once, because making a schema costs more than using it. A schema with `catchall` stays
  // loose: it is for requests whose parameters another party chooses.
  const queries = facts.query?.def.catchall ? facts.query : facts.query?.strict()
  const lists = new Set(listsOf(facts.query))
  const twice = namedTwice(facts.body, facts.path)
  return (event) => {
    const path = facts.path && check(facts.path, event.pathParameters ?? {}, 'path')
    const query = queryOf(queries, lists, event)
    if (facts.body) return withBody(facts.body, { ...facts, twice }, event, { path, query })
    if (!facts.readsBytes) refuseBody(event)
    return { path, query, body: undefined }
  }
}

async function withBody(
  schema: z.ZodType,
  facts: ValidatedFacts & { twice: string[] },
  event: HttpEvent,
  rest: Omit<Validated, 'body'>,
) {
  const sent = event.receive ? { ...event, ...(await event.receive()) } : event
  const body = await readBody(sent, schema, facts)
  const parsed = check(schema, body, 'body')
  event.parsed?.()
  for (const name of facts.twice) requireSame(name, body as Named, rest.path as Named)
  return { ...rest, body: parsed }
}

type Named = Readonly<Record<string, unknown>>

/** @throws 400 if the body says that the thing is another one than the path says */
function requireSame(name: string, body: Named, path: Named): void {
  if (body[name] === undefined || body[name] === path[name]) return
  throw invalid(
    `body.${name}: cannot be changed: it must be ${JSON.stringify(path[name])} as in the path, or absent`,
  )
}

function queryOf(schema: z.ZodObject | undefined, lists: ReadonlySet<string>, event: HttpEvent) {
  const given = readQuery(event, lists)
  if (schema) return check(schema, given, 'query')
  const [unknown] = Object.keys(given)
  if (unknown === undefined) return undefined
  throw invalid(`query: unknown parameter ${JSON.stringify(unknown)}; none is allowed`)
}

/** Returns the names of the parameters that are lists and may be given more than once. */
function listsOf(schema: z.ZodObject | undefined): string[] {
  return Object.entries<z.ZodType>(schema?.shape ?? {}).flatMap(([name, part]) =>
    definitionOf(unwrapped(part).schema).type === 'array' ? [name] : [],
  )
}
