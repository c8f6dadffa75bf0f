import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { call } from '../../../local/harness/call.ts'
import { signIn } from '../../../local/harness/sign-in.ts'
import createToken from '../../api-tokens/create.ts'
import me from '../get.ts'
import endOthers from './remove-others.ts'

/** Returns three sessions, of which the last is another user's, and an API token. */
async function world() {
  const ports = memoryPorts()
  const own = await signIn(ports, 'viewer')
  const other = await signIn(ports, 'viewer')
  const foreign = await signIn(ports, 'operator')
  const as = { token: own }
  const { token } = (await call(createToken, { ports, body: { name: 'ci' }, as })).json
  ports.clock.advance(1000)
  const end = (query: Record<string, string> = {}, given = own) =>
    call(endOthers, { ports, query, as: { token: given } })
  const use = () =>
    Promise.all(
      [own, other, foreign, token].map(
        async (one) => (await call(me, { ports, as: { token: one } })).status,
      ),
    )
  return { ports, token, end, use }
}

test('204: ends the other sessions of the user, and keeps this one and the API tokens', async () => {
  const { end, use } = await world()
  expect((await end()).status).toBe(204)
  expect(await use()).toEqual([200, 401, 200, 200])
})

test('204: also ends the API tokens if asked to', async () => {
  const { ports, end, use } = await world()
  expect((await end({ end_api_tokens: 'true' })).status).toBe(204)
  expect(await use()).toEqual([200, 401, 200, 401])
  expect(await ports.apiTokens.list()).toEqual([])
})

test('400: an invalid flag', async () => {
  const { end, use } = await world()
  expect((await end({ end_api_tokens: 'yes' })).status).toBe(400)
  expect(await use()).toEqual([200, 200, 200, 200])
})

test('403: an API token cannot end sessions', async () => {
  const { token, end, use } = await world()
  expect((await end({}, token)).status).toBe(403)
  expect(await use()).toEqual([200, 200, 200, 200])
})
