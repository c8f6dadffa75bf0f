import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { Json } from '../../../adapters/testing/json.ts'

/** A request to a store with DynamoDB's API. */
export interface ApiRequest {
  headers: IncomingHttpHeaders
  /** The last word of `x-amz-target`, such as `PutItem`. */
  operation: string
  input: Json
}

/** Its response. */
export interface ApiAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

const agent = new Agent({ keepAlive: true, maxSockets: 24 })

/** Sends a request to a store and returns its response. Rejects if there is none. */
export function send(endpoint: string, { headers, operation, input }: ApiRequest) {
  const body = Buffer.from(JSON.stringify(input))
  const [version] = String(headers['x-amz-target']).split('.')
  return new Promise<ApiAnswer>((resolve, reject) => {
    const sent = request(endpoint, {
      agent,
      method: 'POST',
      headers: {
        ...headers,
        'x-amz-target': `${version}.${operation}`,
        'content-length': body.length,
        // Another length or host would not match a signature. DynamoDB Local checks none.
        host: new URL(endpoint).host,
      },
    })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const { statusCode = 0, headers: received } = answer
        resolve({ status: statusCode, headers: received, body: Buffer.concat(chunks) })
      })
    })
    sent.end(body)
  })
}

/** Returns an error response as DynamoDB sends it. */
export function errorAnswer(status: number, type: string, message: string): ApiAnswer {
  const body = Buffer.from(
    JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message }),
  )
  return { status, headers: { 'content-type': 'application/x-amz-json-1.0' }, body }
}
