import type { z } from 'zod'
import { builtinRoles } from '../functions/core/records/permissions.ts'
import type { EndpointFacts } from '../functions/kit/endpoint-facts.ts'
import { takesIdempotencyKey } from '../functions/kit/run-once.ts'
import { exampleOf } from './example.ts'
import { feedOf } from './feed.ts'
import type { DescribedFacts, Operation } from './operations.ts'
import { optionalHeaders } from './optional-headers.ts'
import { hasETag, responsesOf } from './responses.ts'
import type { Node, SchemaBook } from './schemas.ts'

const mebibyte = 1024 * 1024

/** Returns the entry of one route or feed. */
export function operationOf(operation: Operation, book: SchemaBook): Node {
  const { id, tag, facts } = operation
  const parameters = [
    ...parametersOf(facts.path, 'path', book),
    ...parametersOf(facts.query, 'query', book),
    ...('headers' in facts ? headersOf(facts.headers) : []),
    ...(operation.kind === 'route' ? conditionsOf(operation) : []),
  ]
  return {
    operationId: id,
    tags: [tag],
    summary: facts.summary,
    ...describedOf(facts),
    security: securityOf(operation),
    ...(isPermission(facts.access) && { 'x-permission': facts.access }),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.kind === 'route' ? bodiesOf(operation, book) : feedOf(operation.facts, book)),
  }
}

function securityOf({ kind, facts }: Operation) {
  if (facts.access === 'public') return []
  return kind === 'feed' ? [{ bearer: [] }, { ticket: [] }] : [{ bearer: [] }]
}

const bodiesOf = ({ method, facts }: RouteOperation, book: SchemaBook) => ({
  ...(facts.body && { requestBody: bodyOf(facts, facts.body, book) }),
  ...(facts.readsBytes && { requestBody: anyBody }),
  responses: responsesOf(facts, method, book),
})

const anyBody: Node = {
  description: 'A body of any type, as the caller sends it',
  content: { '*/*': {} },
}

type RouteOperation = Extract<Operation, { kind: 'route' }>

/** Returns the headers that make a request depend on what the client knows or sent before. */
const conditionsOf = ({ method, facts }: RouteOperation): Node[] => [
  ...(hasETag(facts, method) && method === 'GET' ? [optionalHeaders.ifNoneMatch] : []),
  ...(takesIdempotencyKey(facts, method) ? [optionalHeaders.idempotencyKey] : []),
  ...(facts.takesIfMatch ? [optionalHeaders.ifMatch] : []),
]

const isPermission = (access: string) => access !== 'public' && access !== 'signed-in'

function describedOf({ description, access }: Pick<EndpointFacts, 'description' | 'access'>) {
  const roles = Object.entries(builtinRoles).filter(([, list]) => list.some((it) => it === access))
  const needs = isPermission(access)
    ? `Needs the permission \`${access}\` (${roles.map(([role]) => role).join(', ')}).`
    : access === 'public'
      ? 'Needs no credential.'
      : 'Needs a credential, of any role.'
  return { description: description ? `${description}\n\n${needs}` : needs }
}

function parametersOf(shape: z.ZodObject | undefined, where: 'path' | 'query', book: SchemaBook) {
  if (!shape) return []
  const { properties, required = [] } = book.input(shape)
  return Object.entries<Node>(properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    ...(description && { description }),
    schema: typed(schema),
    ...(where === 'path' && { example: exampleOf(schema, book.components, hint(name)) }),
  }))
}

const headersOf = (headers: EndpointFacts['headers'] = {}) =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }))

/** Returns the type that a parameter stands for, although it is text in the URL. */
function typed(schema: Node): Node {
  if (schema.enum?.join() === 'true,false') return { type: 'boolean' }
  if (schema.type !== 'integer') return schema
  const { pattern: _digits, ...number } = schema
  return number
}

const hint = (name: string) => (name === 'id' ? '' : name)

function bodyOf(facts: DescribedFacts, body: z.ZodType, book: SchemaBook): Node {
  const schema = book.input(body)
  const limit = facts.bodyLimit ?? mebibyte
  return {
    required: !body.safeParse(undefined).success,
    description: `At most ${limit / mebibyte} MiB.`,
    'x-max-bytes': limit,
    content: {
      'application/json': {
        schema,
        example: facts.examples?.body ?? exampleOf(schema, book.components),
      },
    },
  }
}
