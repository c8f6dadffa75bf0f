import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { ssoWorld } from '../../local/harness/sso.ts'
import get from './get.ts'
import list from './list.ts'

test('200: returns what the list has, without the secret', async () => {
  const { ports } = await ssoWorld()
  const path = { id: 'keycloak' }
  const { json, text } = await call(get, { ports, as: 'admin', path })
  expect([json]).toEqual((await call(list, { ports, as: 'admin' })).json)
  expect(json).toMatchObject({ id: 'keycloak' })
  expect(text).not.toMatch(/secret/)
})

test('404: unknown provider', async () => {
  const { ports } = await ssoWorld()
  const { status, json } = await call(get, { ports, as: 'admin', path: { id: 'none' } })
  expect([status, json.error]).toEqual([404, 'there is no such identity provider'])
})
