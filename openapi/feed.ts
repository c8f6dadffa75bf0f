import { FeedClosing } from '../functions/kit/feed-closing.ts'
import type { FeedFacts } from '../functions/kit/feed-facts.ts'
import { exampleOf } from './example.ts'
import { failuresOf, requestId } from './responses.ts'
import type { Node, SchemaBook } from './schemas.ts'

/**
 * Returns the parts of a feed's entry that other operations lack. OpenAPI can describe only the
 * upgrade of a WebSocket.
 */
export function feedOf(facts: FeedFacts, book: SchemaBook): Node {
  const messages = facts.sends && messagesOf(facts.sends, book)
  return {
    ...(messages && { 'x-messages': messages }),
    responses: {
      101: {
        description: `Switches to a WebSocket. ${closing}`,
        headers: requestId,
      },
      200: {
        description: `The same as 101 over HTTP/2 (RFC 8441), where a proxy offers that. ${noBody}`,
        headers: requestId,
      },
      ...failuresOf(facts),
    },
  }
}

const noBody = 'There is no body: messages follow.'

const closing =
  'Close codes: 1000 the subject ended, 1001 the service shuts down, 1008 permissions or the host were revoked, or a message ' +
  'was not expected, 1009 a message is larger than 64 KiB, 1011 the Engine or the service failed, 1013 the client reads too slowly. ' +
  'Except with 1000, the text of the close frame begins with a reason of `X-Error-Reason`, as in `host-offline: its agent is offline`. ' +
  'A feed of JSON says the same in its last message.'

function messagesOf(sends: NonNullable<FeedFacts['sends']>, book: SchemaBook) {
  const schema = { anyOf: [book.output(sends), book.output(FeedClosing)] }
  return { schema, example: exampleOf(schema, book.components) }
}
