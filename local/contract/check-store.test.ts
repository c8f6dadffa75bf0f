import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { findProblem } from './check-store.ts'

/** Returns the endpoint of a server that answers every request with this. */
async function endpointOf(status: number, body: string, type = 'application/x-amz-json-1.0') {
  const server = createServer((_, response) =>
    response.writeHead(status, { 'content-type': type }).end(body),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const problemAt = (endpoint: string) => findProblem({ endpoint, region: 'local' })
const errorOf = (type: string, message: string) =>
  JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message })

test('a store that misses the table has no problem', async () => {
  const missing = errorOf('ResourceNotFoundException', 'Requested resource not found')
  expect(await problemAt(await endpointOf(400, missing))).toBeUndefined()
})

test('names an endpoint where nothing answers', async () => {
  expect(await problemAt('http://127.0.0.1:1')).toBe(
    'No store answers at http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1',
  )
})

test('names an endpoint that is no store', async () => {
  for (const [status, body] of [
    [200, '<html></html>'],
    [404, '<html></html>'],
    [404, '{}'],
  ] as const) {
    const endpoint = await endpointOf(status, body, 'text/html')
    expect(await problemAt(endpoint)).toContain(
      `What answers at ${endpoint} has not DynamoDB's API: ${status} `,
    )
  }
})

test('says that the store refuses the credentials', async () => {
  const refused = errorOf('UnrecognizedClientException', 'The security token is invalid.')
  const endpoint = await endpointOf(400, refused)
  expect(await problemAt(endpoint)).toBe(
    `The store at ${endpoint} refuses requests: 400 UnrecognizedClientException: The security token is invalid.`,
  )
})
