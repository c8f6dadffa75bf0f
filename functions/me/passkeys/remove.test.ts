import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { givenPasskey, passkeyWorld } from '../../../local/harness/passkeys.ts'
import createToken from '../../api-tokens/create.ts'
import remove from './remove.ts'

test('204: a deleted passkey signs in no more, and others still do', async () => {
  const { ports, token, add, passkeys, signInWith } = await passkeyWorld()
  const [lost, kept] = [await add(), await add({ name: 'key ring' })]
  const path = { id: lost.answer.json.id }
  expect((await call(remove, { ports, path, as: { token } })).status).toBe(204)
  expect((await passkeys()).map(({ name }) => name)).toEqual(['key ring'])
  expect((await signInWith(lost.device)).status).toBe(401)
  expect((await signInWith(kept.device)).status).toBe(200)
})

test('204: the last one can be deleted, and another one added', async () => {
  const { ports, token, add, passkeys } = await passkeyWorld()
  const path = { id: (await add()).answer.json.id }
  expect((await call(remove, { ports, path, as: { token } })).status).toBe(204)
  expect([await passkeys(), await ports.passkeys.list()]).toEqual([[], []])
  expect((await add()).answer.status).toBe(201)
})

test('403: the credential is an API token', async () => {
  const { ports, token, add, passkeys } = await passkeyWorld()
  const path = { id: (await add()).answer.json.id }
  const made = await call(createToken, { ports, body: { name: 'ci' }, as: { token } })
  expect((await call(remove, { ports, path, as: { token: made.json.token } })).status).toBe(403)
  expect(await passkeys()).toHaveLength(1)
})

test('404: no such passkey, one of another account, or one that was deleted', async () => {
  const { ports, token, add } = await passkeyWorld()
  const { passkey } = await givenPasskey(ports, { username: 'bob' })
  const { id } = (await add()).answer.json
  const removeOne = (one: string) => call(remove, { ports, path: { id: one }, as: { token } })
  expect((await removeOne(id)).status).toBe(204)
  for (const one of ['no-such', passkey.id, id]) expect((await removeOne(one)).status).toBe(404)
})
