import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { withoutTokens } from '../core/access/end-tokens.ts'
import create from './create.ts'
import get from './get.ts'
import list from './list.ts'

const anna = { username: 'anna', role: 'viewer' }

async function world() {
  const ports = memoryPorts()
  const make = async (as: TestCaller) =>
    (await call(create, { ports, body: { name: 'ci' }, as })).json
  const ask = (id: string, as: TestCaller) => call(get, { ports, path: { id }, as })
  return { ports, make, ask }
}

test('200: returns your own token with its user, to a token too', async () => {
  const { ports, make, ask } = await world()
  const { token, ...shown } = await make(anna)
  const { id } = present(await ports.accounts.findByUsername('anna'))
  expect(shown).toMatchObject({ user_id: id, username: 'anna', name: 'ci' })
  expect((await call(list, { ports, as: anna })).json).toEqual([shown])
  const got = await ask(shown.id, anna)
  expect(got.json).toEqual(shown)
  expect(got.text).not.toMatch(/hash/i)
  expect((await ask(shown.id, { token })).json).toMatchObject({ id: shown.id, username: 'anna' })
})

test('200: an admin sees whose a token is', async () => {
  const { make, ask } = await world()
  const { id } = await make(anna)
  expect((await ask(id, 'admin')).json).toMatchObject({ id, username: 'anna', role: 'viewer' })
})

test('404: an unknown or ended token, or one of another user', async () => {
  const { ports, make, ask } = await world()
  const { id } = await make(anna)
  for (const [asked, as] of [
    ['none', 'admin'],
    [id, 'operator'],
  ] as const) {
    const { status, json } = await ask(asked, as)
    expect([status, json.error]).toEqual([404, 'you have no such API token'])
  }
  const account = present(await ports.accounts.findByUsername('anna'))
  await ports.accounts.replace(withoutTokens(account))
  for (const as of [anna, 'admin'] as const) expect((await ask(id, as)).status).toBe(404)
})

test('404: the user of the token was deleted', async () => {
  const { ports, make, ask } = await world()
  const { id } = await make(anna)
  const account = present(await ports.accounts.findByUsername('anna'))
  await ports.accounts.remove(account.id)
  expect(await ports.apiTokens.find(id)).toBeDefined()
  expect((await ask(id, 'admin')).status).toBe(404)
})
