import type { z } from 'zod'
import { invalid } from '../core/errors.ts'
import type { EndpointFacts } from './endpoint.ts'
import type { HttpEvent } from './event.ts'

/** Path, query and body as the endpoint's schemas have them. Throws a `Failure` 400 that names every field that is wrong. */
export function validate(facts: EndpointFacts, event: HttpEvent, body: unknown) {
  return {
    path: check(facts.path, event.pathParameters ?? {}, 'path'),
    query: check(facts.query?.strict(), readQuery(event, facts), 'query') ?? undefined,
    body: check(facts.body, body, 'body'),
  }
}

/** Query parameters by name; one that is repeated is an array, as an endpoint's schema may ask for. */
function readQuery(event: HttpEvent, facts: EndpointFacts): Record<string, string | string[]> {
  const out: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(event.rawQueryString)) {
    const before = out[name]
    out[name] = before === undefined ? value : ([] as string[]).concat(before, value)
  }
  const [unknown] = facts.query ? [] : Object.keys(out)
  if (unknown !== undefined) throw invalid(`query: unknown parameter ${JSON.stringify(unknown)}`)
  return { ...out }
}

function check(schema: z.ZodType | undefined, value: unknown, where: string): any {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalid(
    result.error.issues
      .slice(0, 10)
      .map((issue) => describe(issue, where))
      .join('; '),
  )
}

function describe(issue: z.core.$ZodIssue, where: string): string {
  const field = issue.path.map(String).join('.')
  const place = field ? `${where}.${field}` : where
  if (issue.code === 'unrecognized_keys') {
    return `${place}: unknown ${where === 'query' ? 'parameter' : 'field'} ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`
  }
  return `${place}: ${issue.message}`
}
