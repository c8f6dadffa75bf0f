import { operationOf } from './operation.ts'
import type { Operation } from './operations.ts'
import { commonHeaders, commonResponses, errorSchema } from './responses.ts'
import { type Node, schemaBook } from './schemas.ts'

/** Returns the OpenAPI 3.1 description of the routes. The same routes always give the same text. */
export function describe(operations: Operation[], { version, server }: DescribeOptions): Node {
  const book = schemaBook()
  const paths: Node = {}
  for (const operation of operations) {
    paths[operation.path] ??= {}
    paths[operation.path][operation.method.toLowerCase()] = operationOf(operation, book)
  }
  const schemas = Object.entries({ ...book.components, Error: errorSchema })
  return {
    openapi: '3.1.1',
    info: { ...info, version },
    servers: [{ url: server, description: 'The service that this description was read from' }],
    tags: [...new Set(operations.map(({ tag }) => tag))].sort().map((name) => ({ name })),
    paths,
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
    '- Keys are snake_case, times RFC 3339 in UTC, sizes bytes, percentages 0–100.',
    '- Lists are bare arrays up to the cap that `maxItems` gives; there are no pages.',
    '- Unknown query parameters and unknown fields of a body are refused with 400.',
    '- Every answer that is not a success has the body `{"error": "…"}`, whatever its origin.',
    '- Feeds under `/ws` are WebSockets: `GET` with an upgrade. `x-messages` describes the text messages that they send.',
    '- `x-permission` names the permission that an operation needs.',
  ].join('\n'),
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
  description: 'A ticket from `POST /ws/ticket`: for one upgrade within 30 seconds.',
}
