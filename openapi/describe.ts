import { operationOf } from './operation.ts'
import type { Operation } from './operations.ts'
import { markReadOnly } from './read-only.ts'
import { commonHeaders, commonResponses, errorSchema } from './responses.ts'
import { type Node, schemaBook } from './schemas.ts'
import { tagOf } from './tags.ts'
import { webhooksOf } from './webhooks.ts'

/** Returns the OpenAPI 3.1 description of the routes. The same routes always give the same text. */
export function describe(operations: Operation[], { version, server }: DescribeOptions): Node {
  const book = schemaBook()
  const paths: Node = {}
  for (const operation of operations) {
    paths[operation.path] ??= {}
    paths[operation.path][operation.method.toLowerCase()] = operationOf(operation, book)
  }
  markReadOnly(paths, book.components)
  const webhooks = webhooksOf(book)
  const schemas = Object.entries({ ...book.components, Error: errorSchema })
  return {
    openapi: '3.1.1',
    info: { ...info, version },
    servers: [{ url: server, description: 'The service that serves this description' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].sort().map(tagOf),
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(schemas.sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: commonResponses,
      headers: commonHeaders,
      securitySchemes: { bearer, ticket },
    },
  }
}

/** `server` is the path or URL that all paths are relative to. */
export interface DescribeOptions {
  version: string
  server: string
}

const info = {
  title: 'Container Stacks',
  summary: 'Compose stacks on one Docker host or many',
  description: [
    'Manages compose stacks, containers, images and hosts.',
    '',
    '- Keys are in snake_case, times in RFC 3339 and UTC, sizes in bytes, percentages from 0 to 100.',
    '- Lists are bare arrays of at most `maxItems` entries; there is no pagination.',
    '- Unknown query parameters and body fields are rejected with 400.',
    '- `PUT` changes the fields that are sent; omitted ones keep their values. An object or a list inside, such as `hooks`, `retention` or `match`, is replaced whole.',
    '- Fields marked `readOnly` are accepted in a `PUT` and ignored, so that a response can be changed and sent back. One that the path names too, such as `id`, must be the same there.',
    '- Every error response has the body `{"error": "…"}`. `X-Error-Reason` says why, for programs.',
    '- Feeds under `/ws` are WebSockets: `GET` with an upgrade. `x-messages` describes the text messages that they send.',
    '- `x-permission` names the permission that an operation needs.',
    '- `x-known-values` lists the values that this version sends. Later versions send others too, and so may records of earlier ones.',
    '- `x-pattern` is a pattern with classes of Unicode, which not every program understands.',
  ].join('\n'),
  contact: { name: 'The operator of this service' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

const bearer = {
  type: 'http',
  scheme: 'bearer',
  description:
    'An access token from `POST /auth/login` (15 minutes) or an API token from `POST /api-tokens`.',
}

const ticket = {
  type: 'apiKey',
  in: 'query',
  name: 'ticket',
  description: 'A ticket from `POST /ws/ticket`: valid for one upgrade within 30 seconds.',
}
