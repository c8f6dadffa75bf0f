import type { FeedFacts } from '../functions/kit/feed.ts'
import { exampleOf } from './example.ts'
import { failuresOf, requestId } from './responses.ts'
import type { Node, SchemaBook } from './schemas.ts'

/**
 * Returns the parts of a feed's entry that other operations lack. OpenAPI can describe only the
 * upgrade of a WebSocket.
 */
export function feedOf(facts: FeedFacts, book: SchemaBook): Node {
  return {
    ...(facts.sends && { 'x-messages': messagesOf(facts.sends, book) }),
    responses: {
      101: {
        description: `The connection is a WebSocket now. ${closing}`,
        headers: requestId,
      },
      ...failuresOf(facts),
    },
  }
}

const closing =
  'It ends with a close code: 1000 the subject ended, 1001 the service shuts down, 1008 rights were withdrawn or a message ' +
  'was not asked for, 1009 a message of more than 64 KiB, 1011 the Engine or the service failed, 1013 the client read too slowly.'

function messagesOf(sends: NonNullable<FeedFacts['sends']>, book: SchemaBook) {
  const schema = book.output(sends)
  return { schema, example: exampleOf(schema, book.components) }
}
