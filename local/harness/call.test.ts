import { expect, test } from 'vitest'
import { z } from 'zod'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { conflict } from '../../functions/core/errors.ts'
import type { Needs } from '../../functions/core/ports/ports.ts'
import { endpoint } from '../../functions/kit/endpoint.ts'
import { Reply } from '../../functions/kit/reply.ts'
import { call } from './call.ts'

const greet = endpoint({
  summary: 'Greet',
  access: 'stacks:read',
  path: z.object({ name: z.string() }),
  query: z.object({ loud: z.enum(['true', 'false']).optional() }),
  body: z.strictObject({ times: z.int() }),
  returns: z.object({ text: z.string() }),
  errors: { 404: 'Unknown name' },
  async run({ path, query, body, caller }, { clock }: Needs<'clock'>) {
    if (path.name === 'leak') return { text: '', secret: 1 } as { text: string }
    if (path.name === 'lie') return { text: 1 } as unknown as { text: string }
    if (path.name === 'conflict') throw conflict('not promised')
    const loud = query.loud === 'true' ? '!' : ''
    return { text: `${caller.account.username}${loud} ${body.times} ${clock.now()}` }
  },
})
const body = { times: 2 }

test('200: calls as a role, with the ports of the test', async () => {
  const ports = memoryPorts()
  ports.clock.set(7)
  const request = { path: { name: 'a' }, query: { loud: true }, body, ports, as: 'viewer' as const }
  expect((await call(greet, request)).json).toEqual({ text: 'viewer! 2 7' })
  expect(
    (await call(greet, { ...request, as: { username: 'eve', role: 'admin' } })).json.text,
  ).toBe('eve! 2 7')
})

test('401: sends no credential by default', async () => {
  expect(await call(greet, { path: { name: 'a' }, body })).toMatchObject({ status: 401 })
})

test('400: sends raw bodies unchanged', async () => {
  const answer = await call(greet, { path: { name: 'a' }, rawBody: '{', as: 'admin' })
  expect(answer).toMatchObject({ status: 400, json: { error: expect.any(String) } })
})

test('throws if a response breaks the contract', async () => {
  const as = 'admin' as const
  await expect(call(greet, { path: { name: 'leak' }, body, as })).rejects.toThrow('body.secret')
  await expect(call(greet, { path: { name: 'lie' }, body, as })).rejects.toThrow('returns')
  await expect(call(greet, { path: { name: 'conflict' }, body, as })).rejects.toThrow('409')
})

test('throws if the headers are not those that the description has for the status', async () => {
  const counted = endpoint({
    summary: 'Count',
    access: 'public',
    query: z.object({ say: z.string() }),
    returns: z.number(),
    responseHeaders: { 'X-Count': 'The same', 'X-Rest': 'What is left. Absent if that is nothing' },
    run: ({ query }) => new Reply(1, { headers: { [query.say]: '1', 'X-Rest': '2' } }),
  })
  expect(await call(counted, { query: { say: 'X-Count' } })).toMatchObject({ status: 200 })
  const other = call(counted, { query: { say: 'X-Other' } })
  await expect(other).rejects.toThrow('does not say that a 200 has x-other')
  const less = call(counted, { query: { say: 'X-Rest' } })
  await expect(less).rejects.toThrow('the 200 has no X-Count')
})
