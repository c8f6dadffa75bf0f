import { reasons } from '../functions/core/errors.ts'
import type { EndpointFacts } from '../functions/kit/endpoint-facts.ts'
import { takesIdempotencyKey } from '../functions/kit/run-once.ts'
import { exampleOf } from './example.ts'
import type { DescribedFacts } from './operations.ts'
import type { Node, SchemaBook } from './schemas.ts'

/** The header that every response has. */
export const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
const replayed = { 'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' } }
const etag = { ETag: { $ref: '#/components/headers/ETag' } }
const truncated = { 'X-Result-Truncated': { $ref: '#/components/headers/X-Result-Truncated' } }

/** Returns the responses of an endpoint by status, including those common to all endpoints. */
export function responsesOf(facts: DescribedFacts, method: string, book: SchemaBook): Node {
  const out: Node = {}
  const own = headersOf(facts, method)
  const usual = facts.status ?? (facts.returns || facts.produces ? 200 : 204)
  const usualText = successText[usual] ?? 'Done'
  const statuses = { [usual]: usualText, ...facts.otherResponses }
  for (const [status, text] of Object.entries(statuses)) {
    const response = success(facts, Number(status), text, book)
    out[status] = { ...response, headers: { ...response.headers, ...own } }
  }
  if (method === 'GET' && hasETag(facts, method)) {
    out[304] = { description: notModified, headers: out[usual].headers }
  }
  const others = usual === 302 ? { default: failure('Any other error') } : {}
  const failures = { ...conflictOf(facts, method), ...failuresOf(facts) }
  if (takesIdempotencyKey(facts, method)) {
    for (const status of [409, 422]) Object.assign(failures[status]?.headers ?? {}, replayed)
    if (failures[500].$ref) failures[500] = { $ref: '#/components/responses/KeyedServerError' }
    else Object.assign(failures[500].headers, replayed)
  }
  return { ...out, ...failures, ...others }
}

const notModified = 'Not modified since the version with the ETag in If-None-Match'

/** Returns the headers that the kit gives to the successes of an endpoint. */
const headersOf = (facts: EndpointFacts, method: string): Node => ({
  ...(hasETag(facts, method) && etag),
  ...(takesIdempotencyKey(facts, method) && replayed),
})

/** Returns whether the successes of an endpoint have an `ETag`. */
export const hasETag = (
  { returns, takesIfMatch, otherResponses }: EndpointFacts,
  method: string,
): boolean =>
  (returns !== undefined && (method === 'GET' || (method === 'PUT' && takesIfMatch === true))) ||
  otherResponses?.[304] !== undefined

/** Returns the 409 of a request header, for an endpoint that documents no other one. */
function conflictOf(facts: EndpointFacts, method: string): Node {
  if (facts.takesIfMatch) return { 409: { $ref: '#/components/responses/StaleVersion' } }
  const isKeyed = takesIdempotencyKey(facts, method)
  return isKeyed ? { 409: { $ref: '#/components/responses/KeyConflict' } } : {}
}

/** Returns the error responses: the common ones and the endpoint's own. */
export function failuresOf(facts: FailureFacts): Node {
  const out: Node = {}
  for (const [status, name] of commonFailures(facts)) {
    const own = ownHeaders(facts, Number(status))
    const { headers, ...common } = commonResponses[name]
    out[status] =
      Object.keys(own).length === 0
        ? { $ref: `#/components/responses/${name}` }
        : { ...common, headers: { ...headers, ...own } }
  }
  for (const [status, text] of Object.entries(facts.errors ?? {})) {
    out[status] = failure(text, { ...failureHeaders[status], ...ownHeaders(facts, Number(status)) })
  }
  return out
}

type FailureFacts = Pick<EndpointFacts, 'access' | 'errors' | 'responseHeaders'>

const successText: Record<number, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted; the work continues in the background',
  204: 'Success; there is no body',
  302: 'Redirects to the URL in `Location`',
}

function success(
  facts: DescribedFacts,
  status: number,
  description: string,
  book: SchemaBook,
): Node {
  const headers = { ...requestId, ...ownHeaders(facts, status) }
  if (status === 204 || status === 304) return { description, headers }
  if (facts.produces) {
    return {
      description,
      headers,
      content: {
        [facts.produces]: { schema: { type: /json/.test(facts.produces) ? 'object' : 'string' } },
      },
    }
  }
  const other = status === 202 ? facts.accepts : undefined
  const shape = other ?? facts.returns
  if (!shape) return { description, headers }
  const schema = book.output(shape)
  const given = other ? undefined : facts.examples?.returns
  const failed = status === 200 ? facts.examples?.failed : undefined
  return {
    description,
    headers: { ...headers, ...(isList(schema) && truncated) },
    content: {
      'application/json': {
        schema,
        ...exampleFields(given ?? exampleOf(schema, book.components), failed),
      },
    },
  }
}

/** Returns the example of a response, behind that of failed work if this has the same status. */
const exampleFields = (usual: unknown, failed: unknown): Node =>
  failed === undefined
    ? { example: usual }
    : {
        examples: {
          failed: { summary: 'It failed: the status is 200 too', value: failed },
          succeeded: { summary: 'It succeeded', value: usual },
        },
      }

/** Returns the headers that the endpoint describes for a status. */
function ownHeaders(
  { responseHeaders = {} }: Pick<EndpointFacts, 'responseHeaders'>,
  status: number,
): Node {
  const described = Object.entries(responseHeaders).flatMap(([name, header]) => {
    const { description, statuses } =
      typeof header === 'string' ? { description: header, statuses: successes } : header
    return statuses.includes(status) ? [[name, { description, schema: { type: 'string' } }]] : []
  })
  return Object.fromEntries(described)
}

const successes = [200, 201, 202, 204]

const isList = (schema: Node): boolean =>
  schema.maxItems !== undefined || (schema.anyOf ?? []).some((option: Node) => isList(option))

function failure(description: string, headers: Node = {}): Node {
  return {
    description,
    headers: { ...requestId, ...headers },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: { error: description },
      },
    },
  }
}

const reason = { $ref: '#/components/headers/X-Error-Reason' }
const retryAfter = { $ref: '#/components/headers/Retry-After' }
/** The headers of failures by their status; a 403 has a reason if the compose policy refuses. */
const failureHeaders: Record<string, Node> = {
  401: { 'WWW-Authenticate': { $ref: '#/components/headers/WWW-Authenticate' } },
  403: { 'X-Error-Reason': reason },
  409: { 'X-Error-Reason': reason, 'Retry-After': retryAfter },
  422: { 'X-Error-Reason': reason },
  423: { 'Retry-After': retryAfter },
  500: { 'X-Error-Reason': reason, 'Retry-After': retryAfter },
}

const byStatus = { 400: 'BadRequest', 401: 'Unauthenticated', 403: 'Forbidden', 500: 'ServerError' }

const commonFailures = ({ access }: Pick<EndpointFacts, 'access'>) =>
  Object.entries(byStatus).filter(
    ([status]) => access !== 'public' || status === '400' || status === '500',
  )

const serverError = 'The service, its store or a host failed; see the log entry with the request id'

/** Responses common to all endpoints. */
export const commonResponses: Node = {
  BadRequest: failure('The input is invalid; `error` names the field'),
  Unauthenticated: {
    ...failure('The credential is missing, invalid, expired or revoked'),
    headers: { ...requestId, ...failureHeaders[401] },
  },
  Forbidden: failure(
    'The credential is valid but lacks a permission or access to a host',
    failureHeaders[403],
  ),
  KeyConflict: failure(
    'The Idempotency-Key is that of another request, or of one that still runs or was cut off, or your account used too many keys',
    { ...failureHeaders[409], ...replayed },
  ),
  StaleVersion: failure('It was changed since the version in If-Match', failureHeaders[409]),
  ServerError: failure(serverError, failureHeaders[500]),
  KeyedServerError: failure(serverError, { ...failureHeaders[500], ...replayed }),
}

/** Headers that responses refer to. */
export const commonHeaders: Node = {
  'X-Request-Id': {
    description:
      'Identifies this request in the log of the service. An id sent by the caller is kept.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
    example: '019a9f3e-7c10-7d43-9a51-2f6f0a4c7e21',
  },
  'X-Error-Reason': {
    description: [
      'Why the request failed, for programs. Every 409, 422 and 500 has it, and so do a 403 of the compose policy and one that asks you to confirm who you are.',
      'New reasons may be added: treat an unknown one like none.',
      '',
      ...Object.entries(reasons).map(([name, meaning]) => `- \`${name}\`: ${meaning}.`),
    ].join('\n'),
    schema: { $ref: '#/components/schemas/Reason' },
    example: 'host-offline',
  },
  'WWW-Authenticate': {
    description: '`Bearer`, or `TOTP` where a login needs a code of the second factor too.',
    schema: { type: 'string', enum: ['Bearer', 'TOTP'] },
    example: 'Bearer',
  },
  'Retry-After': {
    description:
      'Seconds after which the request may succeed: when the lock of the account ends, when a service that is overloaded may have room, or when another operation, or the first request with an `Idempotency-Key`, may have ended. A 500 has it only with the reason `overloaded`, and a 409 with `lease-held`.',
    schema: { type: 'string', pattern: '^[0-9]{1,9}$' },
    example: '5',
  },
  ETag: {
    description:
      'The version of the content. Send it back as `If-None-Match` to read only what changed, or as `If-Match` to change only what you read.',
    schema: { type: 'string' },
    example: '"7-3c9f0e1b2a4d5c6f7081920304a5b6c7"',
  },
  'Idempotency-Replayed': {
    description:
      'Present if the request did not run: the response is that of the first one with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
  'X-Result-Truncated': {
    description: 'Present if the list was truncated to its cap (`maxItems`).',
    schema: { type: 'string', const: 'true' },
    example: 'true',
  },
}

/** The body of every error response. */
export const errorSchema: Node = {
  type: 'object',
  properties: { error: { type: 'string', description: 'What is wrong, as human-readable text' } },
  required: ['error'],
  additionalProperties: false,
  description: 'The body of every error response',
}
