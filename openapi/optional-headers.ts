import type { Node } from './schemas.ts'

const header = (name: string, description: string): Node => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

/** Headers by which a request depends on what the client read or sent before. */
export const optionalHeaders = {
  ifNoneMatch: header(
    'If-None-Match',
    'The `ETag` of an earlier response, or several: if the content is still the same, the response is a 304 without a body.',
  ),
  idempotencyKey: {
    ...header(
      'Idempotency-Key',
      'A text that you choose for this request, such as a UUID. For a day, the same request with the same key gets the first response again, and runs only once.',
    ),
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  ifMatch: header(
    'If-Match',
    'The `ETag` that you read before: if someone changed the thing since, nothing is done, and the response is a 409 with the reason `stale-revision`. Values that change by themselves do not count. `*` accepts any version.',
  ),
}
