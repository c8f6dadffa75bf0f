import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { ann, ssoWorld } from '../../local/harness/sso.ts'
import remove from './remove.ts'

test('204: ends logins through the provider and keeps the accounts', async () => {
  const { ports, path, walk, begin } = await ssoWorld()
  await walk(ann)
  expect((await call(remove, { ports, path, as: 'admin' })).status).toBe(204)
  expect((await begin()).status).toBe(404)
  expect(await ports.accounts.findByUsername('ann')).toBeDefined()
})

test('401 and 403: no credential, no permission, or an admin of some hosts', async () => {
  const { ports, path } = await ssoWorld()
  expect((await call(remove, { ports, path })).status).toBe(401)
  expect((await call(remove, { ports, path, as: 'operator' })).status).toBe(403)
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect((await call(remove, { ports, path, as: limited })).status).toBe(403)
})
