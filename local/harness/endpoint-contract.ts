import type { Json } from '../../adapters/testing/json.ts'
import { reasonNames } from '../../functions/core/errors.ts'
import type { EndpointFacts } from '../../functions/kit/endpoint-facts.ts'
import { describedHeaders } from '../../openapi/described-headers.ts'

interface Answer {
  status: number
  headers: Record<string, string>
  json: Json
  text: string
}

/**
 * Returns how a response breaks its endpoint's contract, or undefined.
 *
 * @param method that of the request, if it is known
 */
export function contractViolation(
  facts: EndpointFacts,
  answer: Answer,
  method: string | undefined,
): string | undefined {
  const wrongHeader = headerViolation(facts, answer, method)
  if (wrongHeader) return wrongHeader
  if (answer.status >= 400) return failureViolation(facts, answer)
  if (answer.status === 304 && facts.returns && answer.headers.etag) {
    return textViolation(facts, answer)
  }
  const usual = facts.status ?? (facts.returns || facts.produces ? 200 : 204)
  if (![usual, ...Object.keys(facts.otherResponses ?? {}).map(Number)].includes(answer.status)) {
    return `the endpoint does not declare the status ${answer.status}`
  }
  if (answer.json === undefined || facts.produces) return textViolation(facts, answer)
  const shape = answer.status === 202 ? (facts.accepts ?? facts.returns) : facts.returns
  if (!shape) return 'the endpoint answers with a body and has no `returns`'
  const result = shape.safeParse(answer.json)
  if (!result.success) return `the body is not what \`returns\` describes: ${result.error.message}`
  const more = undeclared(answer.json, result.data, 'body')
  return more && `\`returns\` does not describe ${more}`
}

/** Headers of every response, and those of the connection, which the description leaves out. */
const usualHeaders = new Set([
  ...['content-type', 'x-content-type-options', 'content-security-policy', 'referrer-policy'],
  ...['cross-origin-opener-policy', 'x-frame-options'],
  ...['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'],
])

/** Compares the headers that were sent with those described for the status. */
function headerViolation(
  facts: EndpointFacts,
  { status, headers }: Answer,
  method: string | undefined,
): string | undefined {
  const described = describedHeaders(facts, status, method)
  // The status itself is not described; the other checks say so.
  if (described.length === 0) return undefined
  const names = described.map(({ name }) => name.toLowerCase())
  const sent = Object.entries(headers).filter(
    ([name, value]) =>
      !usualHeaders.has(name) && !(name === 'cache-control' && value === 'no-store'),
  )
  const more = sent.find(([name]) => !names.includes(name))
  if (more) return `the description does not say that a ${status} has ${more[0]}`
  const missing = described.find(
    ({ name, isAlwaysSent }) => isAlwaysSent && headers[name.toLowerCase()] === undefined,
  )
  return missing && `the ${status} has no ${missing.name}, which is described`
}

function failureViolation(facts: EndpointFacts, answer: Answer): string | undefined {
  const { status, json } = answer
  const isStale = facts.takesIfMatch && answer.headers['x-error-reason'] === 'stale-revision'
  const isOfKey = /^Idempotency-Key: /.test(json?.error)
  const common = isStale || isOfKey ? [409] : []
  const own = [...Object.keys(facts.errors ?? {}).map(Number), ...common]
  const promised = [400, 401, 403, 500, ...own]
  if (!promised.includes(status)) return `the endpoint does not promise to fail with ${status}`
  const keys = Object.keys(json ?? {})
  if (keys.length !== 1 || typeof json.error !== 'string') return 'an error is exactly {error}'
  return reasonViolation(answer)
}

/** Matches an error that `stacks:privileged` would have prevented, not a missing role or grant. */
const ofPolicy =
  /^(?!.*(?:exceeds your permissions|does not have the permission)).*stacks:privileged/s

function reasonViolation({ status, json, headers }: Answer): string | undefined {
  const sent = headers['x-error-reason']
  const isPolicy = status === 403 && ofPolicy.test(json.error)
  const isOfPolicy = status === 403 && sent === 'policy'
  if (isPolicy && !isOfPolicy) return `a refusal of the compose policy has the reason ${sent}`
  const isKnown = reasonNames.some((reason) => reason === sent)
  if ([409, 422, 500].includes(status)) return isKnown ? undefined : `the reason is ${sent}`
  const asksUser = status === 403 && sent === 'confirmation-required'
  return sent === undefined || isOfPolicy || asksUser
    ? undefined
    : `a ${status} has the reason ${sent}`
}

function textViolation(
  facts: EndpointFacts,
  { status, text, headers }: Answer,
): string | undefined {
  if (status === 204 || status === 302 || status === 304)
    return text ? `a ${status} has no body` : undefined
  const type = headers['content-type'] ?? 'none'
  const [promised = '', got = ''] = [facts.produces, type].map((it) => it?.split(';')[0])
  return promised === got || promised === `${got.split('/')[0]}/*`
    ? undefined
    : `the content type is ${type}, not ${facts.produces ?? 'JSON'}`
}

/** Returns the first field of the response that the schema dropped, because it is not declared. */
function undeclared(sent: unknown, kept: unknown, place: string): string | undefined {
  if (typeof sent !== 'object' || sent === null) return undefined
  if (typeof kept !== 'object' || kept === null) return undefined
  for (const [key, value] of Object.entries(sent)) {
    if (!Object.hasOwn(kept, key)) return `${place}.${key}`
    const deeper = undeclared(value, (kept as Record<string, unknown>)[key], `${place}.${key}`)
    if (deeper) return deeper
  }
  return undefined
}
