import { invalid } from '../core/errors.ts'
import { readBody, refuseBody } from './body.ts'
import type { EndpointFacts } from './endpoint.ts'
import type { HttpEvent } from './event.ts'
import { check } from './issues.ts'
import { readQuery } from './query.ts'

/** Path, query and body as the endpoint's schemas have them. Throws a `Failure` 400 that names every field that is wrong. */
export async function validate(facts: EndpointFacts, event: HttpEvent) {
  const path = check(facts.path, event.pathParameters ?? {}, 'path')
  const query = queryOf(facts, event)
  if (!facts.body) {
    refuseBody(event)
    return { path, query, body: undefined }
  }
  const body = check(facts.body, await readBody(event, facts.body, facts.bodyLimit), 'body')
  return { path, query, body }
}

function queryOf(facts: EndpointFacts, event: HttpEvent) {
  const given = readQuery(event)
  if (facts.query) return check(facts.query.strict(), given, 'query')
  const [unknown] = Object.keys(given)
  if (unknown === undefined) return undefined
  throw invalid(`query: unknown parameter ${JSON.stringify(unknown)}`)
}
