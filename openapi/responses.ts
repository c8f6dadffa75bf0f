import { reasons } from '../functions/core/errors.ts'
import type { EndpointFacts } from '../functions/kit/endpoint-facts.ts'
import { exampleOf } from './example.ts'
import type { Node, SchemaBook } from './schemas.ts'

/** The header that every response has. */
export const requestId = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
const truncated = { 'X-Result-Truncated': { $ref: '#/components/headers/X-Result-Truncated' } }

/** Returns the responses of an endpoint by status, including those common to all endpoints. */
export function responsesOf(facts: EndpointFacts, book: SchemaBook): Node {
  const out: Node = {}
  const usual = facts.status ?? (facts.returns || facts.produces ? 200 : 204)
  const usualText = successText[usual] ?? 'Done'
  out[usual] =
    usual === 204 ? { description: usualText, headers: requestId } : success(facts, book, usualText)
  for (const [status, text] of Object.entries(facts.otherResponses ?? {})) {
    out[status] =
      status === '304' ? { description: text, headers: requestId } : success(facts, book, text)
  }
  const others = usual === 302 ? { default: failure('Any other error') } : {}
  return { ...out, ...failuresOf(facts), ...others }
}

/** Returns the error responses: the common ones and the endpoint's own. */
export function failuresOf(facts: Pick<EndpointFacts, 'access' | 'errors'>): Node {
  const out: Node = {}
  for (const name of commonFailures(facts)) out[name.status] = { $ref: name.ref }
  for (const [status, text] of Object.entries(facts.errors ?? {})) {
    out[status] = failure(text, reasonHeaders[status])
  }
  return out
}

const successText: Record<number, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted; the work continues in the background',
  204: 'Success; there is no body',
  302: 'Redirects to the URL in `Location`',
}

function success(facts: EndpointFacts, book: SchemaBook, description: string): Node {
  if (facts.produces) {
    return {
      description,
      headers: requestId,
      content: {
        [facts.produces]: { schema: { type: /json/.test(facts.produces) ? 'object' : 'string' } },
      },
    }
  }
  if (!facts.returns) return { description, headers: requestId }
  const schema = book.output(facts.returns)
  const example = facts.examples?.returns ?? exampleOf(schema, book.components)
  return {
    description,
    headers: { ...requestId, ...(isList(schema) && truncated), ...ownHeaders(facts) },
    content: { 'application/json': { schema, example } },
  }
}

const ownHeaders = ({ responseHeaders = {} }: EndpointFacts): Node =>
  Object.fromEntries(
    Object.entries(responseHeaders).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )

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
/** The headers of failures that have a reason; a 403 has one if the compose policy refuses. */
const reasonHeaders: Record<string, Node> = {
  403: { 'X-Error-Reason': reason },
  409: { 'X-Error-Reason': reason },
  422: { 'X-Error-Reason': reason },
  500: { 'X-Error-Reason': reason },
}

const byStatus = { 400: 'BadRequest', 401: 'Unauthenticated', 403: 'Forbidden', 500: 'ServerError' }

function commonFailures({ access }: Pick<EndpointFacts, 'access'>) {
  return Object.entries(byStatus)
    .filter(([status]) => access !== 'public' || status === '400' || status === '500')
    .map(([status, name]) => ({ status, ref: `#/components/responses/${name}` }))
}

/** Responses common to all endpoints. */
export const commonResponses: Node = {
  BadRequest: failure('The input is invalid; `error` names the field'),
  Unauthenticated: {
    ...failure('The credential is missing, invalid, expired or revoked'),
    headers: {
      ...requestId,
      'WWW-Authenticate': { schema: { type: 'string' }, example: 'Bearer' },
    },
  },
  Forbidden: failure(
    'The credential is valid but lacks a permission or access to a host',
    reasonHeaders[403],
  ),
  ServerError: failure(
    'The service, its store or a host failed; see the log entry with the request id',
    reasonHeaders[500],
  ),
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
