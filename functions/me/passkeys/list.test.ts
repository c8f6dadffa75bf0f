import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { givenPasskey, passkeyWorld } from '../../../local/harness/passkeys.ts'
import { accountOf, signIn } from '../../../local/harness/sign-in.ts'
import createToken from '../../api-tokens/create.ts'
import list from './list.ts'

test('200: your passkeys with names and last use, oldest first, and none of others', async () => {
  const { ports, token, add, signInWith } = await passkeyWorld()
  await givenPasskey(ports, { username: 'bob' })
  const as = { token }
  expect((await call(list, { ports, as })).json).toEqual([])
  const { device } = await add({ name: 'laptop' })
  ports.clock.advance(1000)
  await add({ name: 'key ring' })
  await signInWith(device)
  const { status, json, text } = await call(list, { ports, as })
  const lastUse = new Date(ports.clock.now()).toISOString()
  expect([status, json]).toMatchObject([
    200,
    [
      { name: 'laptop', last_used_at: lastUse },
      { name: 'key ring', last_used_at: null },
    ],
  ])
  expect(text).not.toContain(device.publicKey)
})

test('200: an account that got an identity provider has no passkeys', async () => {
  const { ports } = await passkeyWorld()
  await givenPasskey(ports, { username: 'bob' })
  const identity = { issuer: 'https://accounts.example.org', subject: '1' }
  await ports.accounts.replace({ ...(await accountOf(ports, { username: 'bob' })), identity })
  const as = { token: await signIn(ports, { username: 'bob' }) }
  expect((await call(list, { ports, as })).json).toEqual([])
})

test('403: the credential is an API token', async () => {
  const { ports, token } = await passkeyWorld()
  const made = await call(createToken, { ports, body: { name: 'ci' }, as: { token } })
  expect((await call(list, { ports, as: { token: made.json.token } })).status).toBe(403)
})
