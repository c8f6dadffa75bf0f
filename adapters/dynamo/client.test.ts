import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { testAddress, testClient } from '../../local/harness/dynamo-table.ts'
import { session, stack } from '../contract/samples.ts'
import { memoryClock } from '../memory/clock.ts'
import { storeClient } from './client.ts'
import { dynamoCollection } from './collection.ts'
import { ensureTable } from './create-table.ts'
import { dynamoSessions } from './sessions.ts'
import { table } from './table.ts'

/** What a proxy does with the first call of an operation. */
type Meddle = (answer: IncomingMessage, response: ServerResponse, body: any) => void

/** Returns a table behind a proxy that tampers once with the response of an operation. */
async function behindProxy(operation: string, meddle: Meddle) {
  const address = testAddress()
  await ensureTable(testClient(address))
  let left = 1
  const proxy = createServer((incoming, response) => {
    const { method, headers } = incoming
    const chunks: Buffer[] = []
    incoming.on('data', (chunk) => chunks.push(chunk))
    incoming.on('end', () => {
      const target = String(headers['x-amz-target'])
      const chosen = target.endsWith(`.${operation}`) && left-- > 0
      request(address.endpoint!, { method, headers }, (answer) => {
        if (chosen) return meddle(answer, response, JSON.parse(String(Buffer.concat(chunks))))
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      }).end(Buffer.concat(chunks))
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const client = storeClient({ ...address, endpoint })
  onTestFinished(() => {
    client.close()
    proxy.closeAllConnections()
    proxy.close()
  })
  return { items: table(client), met: () => left <= 0 }
}

/** The store executes the call, but the connection breaks before its response. */
const loseAnswer: Meddle = (answer, response) => {
  answer.resume()
  answer.on('end', () => response.destroy())
}

test('a create whose answer was lost is a create', async () => {
  const { items, met } = await behindProxy('PutItem', loseAnswer)
  const stacks = dynamoCollection(items, 'stacks')
  expect(await stacks.create(stack('web'))).toBe(true)
  expect(met()).toBe(true)
  expect(await stacks.create(stack('web'))).toBe(false)
})

test('a rotation whose answer was lost is no reuse', async () => {
  const { items, met } = await behindProxy('UpdateItem', loseAnswer)
  const clock = memoryClock()
  const sessions = dynamoSessions(items, clock)
  await sessions.create(session('s1', 'ada', clock.now() + 1000))
  const rotated = await sessions.rotate('s1', 'first', 'second', 9)
  expect(met()).toBe(true)
  expect(rotated).toMatchObject({
    outcome: 'rotated',
    session: { currentHash: 'second', generation: 1 },
  })
})

test('what the store left undone of a batch is asked for again', async () => {
  const { items, met } = await behindProxy('BatchGetItem', (answer, response, { RequestItems }) => {
    answer.resume()
    const body = JSON.stringify({ Responses: {}, UnprocessedKeys: RequestItems })
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(body)
  })
  const keys = Array.from({ length: 150 }, (_, index) => ({ pk: 'a', sk: String(index) }))
  const written = [0, 50, 99, 100, 149].map((index) => keys[index]!)
  for (const key of written) await items.put(key)
  const read = await items.getMany(keys)
  expect(new Set(read)).toEqual(new Set(written))
  expect(met()).toBe(true)
})

test('500: a table that is not there, an endpoint where nobody listens', async () => {
  const missing = table(testClient(testAddress()))
  await expect(missing.get('a', 'b')).rejects.toMatchObject({
    status: 500,
    message: 'The store refused the request',
  })
  const nobody = table(testClient({ ...testAddress(), endpoint: 'http://127.0.0.1:1' }))
  await expect(nobody.get('a', 'b')).rejects.toMatchObject({
    status: 500,
    message: 'The store does not answer',
  })
})

test('a table is made once, however many processes begin', async () => {
  const address = testAddress()
  await Promise.all(Array.from({ length: 8 }, () => ensureTable(testClient(address))))
  await ensureTable(testClient(address))
  expect(await table(testClient(address)).get('a', 'b')).toBeUndefined()
})
