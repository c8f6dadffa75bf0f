import { expect, test } from 'vitest'
import { authorizedFetch } from './authorized-fetch.ts'

/** A service that accepts one token, and what it was sent. */
function service(accepted: string) {
  const sent: [string | null, string][] = []
  const send = async (given: RequestInfo | URL) => {
    const request = given as Request
    const authorization = request.headers.get('authorization')
    sent.push([authorization, await request.text()])
    return new Response('{}', { status: authorization === `Bearer ${accepted}` ? 200 : 401 })
  }
  return { send, sent }
}
const request = () => new Request('http://nas/api/v1/stacks', { method: 'POST', body: 'text' })

test('repeats a refused request once, with its body and the next token', async () => {
  const { send, sent } = service('new')
  const rejected: (string | undefined)[] = []
  const token = async (old?: string) => {
    rejected.push(old)
    return old === undefined ? 'old' : 'new'
  }
  const response = await authorizedFetch({ token }, send)(request())
  expect(response.status).toBe(200)
  expect(sent).toEqual([
    ['Bearer old', 'text'],
    ['Bearer new', 'text'],
  ])
  expect(rejected).toEqual([undefined, 'old'])
})

test('returns the second 401 without another retry', async () => {
  const { send, sent } = service('none')
  const response = await authorizedFetch({ token: async () => 'any' }, send)(request())
  expect(response.status).toBe(401)
  expect(sent).toHaveLength(2)
})

/** Requests of which the first ones get no response. */
function lossy(losses: number) {
  const sent: string[] = []
  const send = async (given: RequestInfo | URL) => {
    sent.push((given as Request).method)
    if (sent.length <= losses) throw new TypeError('Failed to fetch')
    return new Response('{}')
  }
  return { sent, fetch: authorizedFetch({ token: async () => 'any' }, send) }
}
const reading = (signal?: AbortSignal) => new Request('http://nas/api/v1/stacks', { signal })

test('a request that reads is sent once more if it gets no response', async () => {
  const one = lossy(1)
  expect((await one.fetch(reading())).status).toBe(200)
  expect(one.sent).toEqual(['GET', 'GET'])
  const two = lossy(2)
  await expect(two.fetch(reading())).rejects.toThrow('The service does not respond')
  expect(two.sent).toEqual(['GET', 'GET'])
})

test('a request that changes something is sent once: it may have arrived', async () => {
  const one = lossy(1)
  await expect(one.fetch(request())).rejects.toThrow('the service may have done it or not')
  expect(one.sent).toEqual(['POST'])
})

test('a request that is aborted is not sent again', async () => {
  const one = lossy(1)
  await expect(one.fetch(reading(AbortSignal.abort()))).rejects.toThrow('Failed to fetch')
  expect(one.sent).toEqual(['GET'])
})
