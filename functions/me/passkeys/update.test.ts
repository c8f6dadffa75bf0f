import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { givenPasskey, passkeyWorld } from '../../../local/harness/passkeys.ts'
import createToken from '../../api-tokens/create.ts'
import update from './update.ts'

test('200: gives a passkey another name, and it still signs in', async () => {
  const { ports, token, add, passkeys, signInWith } = await passkeyWorld()
  const { device, answer } = await add()
  const path = { id: answer.json.id }
  const body = { name: '  Anna’s phone ' }
  const { status, json } = await call(update, { ports, path, body, as: { token } })
  expect([status, json.name]).toEqual([200, 'Anna’s phone'])
  expect((await passkeys()).map(({ name }) => name)).toEqual(['Anna’s phone'])
  expect((await signInWith(device)).status).toBe(200)
})

test('400: an empty or long name, or one with control characters', async () => {
  const { ports, token, add } = await passkeyWorld()
  const path = { id: (await add()).answer.json.id }
  for (const name of ['', '  ', 'a'.repeat(101), 'a\u0007b', null]) {
    const { status } = await call(update, { ports, path, body: { name }, as: { token } })
    expect([name, status]).toEqual([name, 400])
  }
})

test('403: the credential is an API token', async () => {
  const { ports, token, add } = await passkeyWorld()
  const path = { id: (await add()).answer.json.id }
  const made = await call(createToken, { ports, body: { name: 'ci' }, as: { token } })
  const as = { token: made.json.token }
  expect((await call(update, { ports, path, body: { name: 'a' }, as })).status).toBe(403)
})

test('404: no such passkey, or one of another account', async () => {
  const { ports, token, add } = await passkeyWorld()
  await add()
  const { passkey } = await givenPasskey(ports, { username: 'bob' })
  for (const id of ['no-such', passkey.id]) {
    const given = { ports, path: { id }, body: { name: 'a' }, as: { token } }
    expect((await call(update, given)).status).toBe(404)
  }
})
