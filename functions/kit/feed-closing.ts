import { z } from 'zod'
import { Reason } from '../core/reason-schema.ts'
import type { FeedEnd } from './feed-end.ts'

/** The last message of each feed of JSON. */
export const FeedClosing = z
  .object({
    closing: z
      .object({
        code: z.int().describe('The close code that follows'),
        reason: Reason.nullable().describe(
          'Why, as in `X-Error-Reason`; null if the subject of the feed ended',
        ),
        message: z.string().describe('Why, as human-readable text'),
        exit_code: z.int().nullable().optional().meta({
          description:
            'The exit code of the container, of a feed that ends with its container; null if it was removed or is running again',
        }),
      })
      .describe('Why the feed ends'),
  })
  .meta({
    id: 'FeedClosing',
    description: 'The last message of a feed, right before it closes. A lost connection has none',
    examples: [
      {
        closing: {
          code: 1011,
          reason: 'host-offline',
          message: 'host nas: its agent is offline',
        },
      },
    ],
  })

/** Returns the last message of a feed. */
export function closingMessage(
  { code, reason, message }: FeedEnd,
  exitCode: number | null | undefined,
): string {
  const closing: z.output<typeof FeedClosing>['closing'] = {
    code,
    reason,
    message,
    ...(exitCode !== undefined && { exit_code: exitCode }),
  }
  return JSON.stringify({ closing })
}
