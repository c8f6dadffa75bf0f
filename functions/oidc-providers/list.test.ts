import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { ssoWorld } from '../../local/harness/sso.ts'
import list from './list.ts'

test('200: lists providers by name without secrets', async () => {
  const { ports } = await ssoWorld()
  const { json, text } = await call(list, { ports, as: 'admin' })
  expect(json.map(({ id }: { id: string }) => id)).toEqual(['keycloak'])
  expect(text).not.toMatch(/secret/)
})

test('200: has no redirect URI without a base URL', async () => {
  const { ports } = await ssoWorld()
  ports.site.baseUrl = null
  expect((await call(list, { ports, as: 'admin' })).json[0].callback_url).toBeNull()
})
