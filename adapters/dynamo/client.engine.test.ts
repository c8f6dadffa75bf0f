import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { testAddress, testClient } from '../../local/harness/dynamo-table.ts'
import { storedCollection } from '../store/collection.ts'
import { storedEnrolments } from '../store/enrolments.ts'
import { storedSessions } from '../store/sessions.ts'
import { session, stack } from '../testing/contract/samples.ts'
import type { Json } from '../testing/json.ts'
import { memoryClock } from '../testing/memory/clock.ts'
import { present } from '../testing/present.ts'
import { logsOf, storeClient } from './client.ts'
import { ensureTable } from './create-table.ts'
import { removeTables } from './remove-tables.ts'
import { table } from './table.ts'

/** How a proxy treats the first call of an operation. */
type Meddle = (answer: IncomingMessage, response: ServerResponse, body: Json) => void

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
      request(present(address.endpoint), { method, headers }, (answer) => {
        if (chosen) return meddle(answer, response, JSON.parse(String(Buffer.concat(chunks))))
        response.writeHead(present(answer.statusCode), answer.headers)
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
  return { items: table(client), direct: table(testClient(address)), met: () => left <= 0 }
}

/** The store executes the call, but the connection breaks before its response. */
const loseAnswer: Meddle = (answer, response) => {
  answer.resume()
  answer.on('end', () => response.destroy())
}

test('a create succeeds although its response was lost', async () => {
  const { items, met } = await behindProxy('PutItem', loseAnswer)
  const stacks = storedCollection(items, 'stacks')
  expect(await stacks.create(stack('web'))).toBe(true)
  expect(met()).toBe(true)
  expect(await stacks.create(stack('web'))).toBe(false)
})

test('a rotation whose response was lost is no token reuse', async () => {
  const { items, met } = await behindProxy('UpdateItem', loseAnswer)
  // DynamoDB Local removes what has expired by its own clock.
  const clock = memoryClock(Date.now())
  const sessions = storedSessions(items, clock)
  await sessions.create(session('s1', 'ada', clock.now() + 60_000))
  const rotated = await sessions.rotate('s1', 'first', 'second', { usedAt: 9 })
  expect(met()).toBe(true)
  expect(rotated).toMatchObject({
    outcome: 'rotated',
    session: { currentHash: 'second', generation: 1 },
  })
})

test('an update that sets `rev` succeeds although its response was lost', async () => {
  const { items, direct, met } = await behindProxy('UpdateItem', loseAnswer)
  const key = { pk: 'a', sk: 'b' }
  await items.put({ ...key, rev: 1 })
  const change = { set: '#n = :n, #rev = :rev', if: '#rev = :seen' }
  const updated = await items.update(key, { ...change, values: { n: 5, rev: 2, seen: 1 } })
  expect(met()).toBe(true)
  expect(updated).toEqual({ ...key, n: 5, rev: 2 })
  expect(await direct.get('a', 'b')).toEqual(updated)
  expect(await items.update(key, { ...change, values: { n: 6, rev: 3, seen: 1 } })).toBeUndefined()
})

test('a removal succeeds although its response was lost', async () => {
  const { items, met } = await behindProxy('DeleteItem', loseAnswer)
  const stacks = storedCollection(items, 'stacks')
  await stacks.create(stack('web'))
  expect(await stacks.remove('web')).toBe(true)
  expect(met()).toBe(true)
  expect(await stacks.remove('web')).toBe(false)
})

test('a removal fails if its response was lost and the item was written again', async () => {
  const { items, direct } = await behindProxy('DeleteItem', (answer, response) => {
    answer.resume()
    answer.on('end', async () => {
      await direct.put({ pk: 'a', sk: 'b', rev: 2 })
      response.destroy()
    })
  })
  await items.put({ pk: 'a', sk: 'b', rev: 1 })
  const first = { if: '#rev = :seen', values: { seen: 1 } }
  expect(await items.remove({ pk: 'a', sk: 'b' }, first)).toBe(false)
})

test('an enrolment token is never used twice, although the response to its use was lost', async () => {
  const { items, met } = await behindProxy('DeleteItem', loseAnswer)
  const clock = memoryClock(Date.now())
  const enrolments = storedEnrolments(items, clock)
  await enrolments.create('hash', { hostId: 'nas', expiresAt: clock.now() + 60_000 })
  expect(await enrolments.take('hash')).toBeUndefined()
  expect(met()).toBe(true)
  expect(await enrolments.take('hash')).toBeUndefined()
})

test('retries the unprocessed items of a batch', async () => {
  const { items, met } = await behindProxy('BatchGetItem', (answer, response, { RequestItems }) => {
    answer.resume()
    const body = JSON.stringify({ Responses: {}, UnprocessedKeys: RequestItems })
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(body)
  })
  const keys = Array.from({ length: 150 }, (_, index) => ({ pk: 'a', sk: String(index) }))
  const written = [0, 50, 99, 100, 149].map((index) => present(keys[index]))
  for (const key of written) await items.put(key)
  const read = await items.getMany(keys)
  expect(new Set(read)).toEqual(new Set(written))
  expect(met()).toBe(true)
})

test('repeats the unprocessed writes of a batch', async () => {
  const world = await behindProxy('BatchWriteItem', async (answer, response, { RequestItems }) => {
    answer.resume()
    const [[name, requests]] = Object.entries<Json[]>(RequestItems) as [[string, Json[]]]
    const skipped = requests.slice(-3)
    // As if the store had not written them.
    const keys = skipped.map(({ PutRequest: { Item } }) => ({ pk: Item.pk.S, sk: Item.sk.S }))
    await world.direct.removeMany(keys)
    const body = JSON.stringify({ UnprocessedItems: { [name]: skipped } })
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(body)
  })
  const all = Array.from({ length: 25 }, (_, index) => ({ pk: 'a', sk: String(index), n: index }))
  await world.items.putMany(all)
  expect(world.met()).toBe(true)
  expect(new Set(await world.direct.query('a'))).toEqual(new Set(all))
})

test('500: the table is missing, or the endpoint is unreachable', async () => {
  const missing = table(testClient(testAddress()))
  await expect(missing.get('a', 'b')).rejects.toMatchObject({
    status: 500,
    message: 'The store refused the request',
  })
  const nobody = table(testClient({ ...testAddress(), endpoint: 'http://127.0.0.1:1' }))
  await expect(nobody.get('a', 'b')).rejects.toMatchObject({
    status: 500,
    message: 'The store does not respond',
  })
})

test('creates a table once for concurrent processes', async () => {
  const address = testAddress()
  await Promise.all(Array.from({ length: 8 }, () => ensureTable(testClient(address))))
  await ensureTable(testClient(address))
  expect(await table(testClient(address)).get('a', 'b')).toBeUndefined()
})

test('removes both tables of a store, however often', async () => {
  const client = testClient(testAddress())
  await ensureTable(client)
  await Promise.all([removeTables(client), removeTables(client)])
  await removeTables(client)
  await expect(table(client).get('a', 'b')).rejects.toMatchObject({ status: 500 })
  await expect(table(logsOf(client)).get('a', 'b')).rejects.toMatchObject({ status: 500 })
})

test.each(['DescribeTimeToLive', 'UpdateTimeToLive'])(
  'creates the tables on a store without %s',
  async (unknown) => {
    const address = testAddress()
    const proxy = createServer((incoming, response) => {
      const { method, headers } = incoming
      if (String(headers['x-amz-target']).endsWith(`.${unknown}`)) {
        incoming.resume()
        const body = JSON.stringify({
          __type: 'com.amazon.coral.service#UnknownOperationException',
        })
        return response.writeHead(400).end(body)
      }
      incoming.pipe(
        request(present(address.endpoint), { method, headers }, (answer) => {
          response.writeHead(present(answer.statusCode), answer.headers)
          answer.pipe(response)
        }),
      )
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      proxy.closeAllConnections()
      proxy.close()
    })
    const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    const client = testClient({ ...address, endpoint })
    await ensureTable(client)
    expect(await table(client).put({ pk: 'a', sk: 'b' })).toBe(true)
  },
)
