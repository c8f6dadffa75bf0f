import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { ssoWorld } from '../../local/harness/sso.ts'
import list from './list.ts'

test('200: by name, without any secret', async () => {
  const { ports } = await ssoWorld()
  const { json, text } = await call(list, { ports, as: 'admin' })
  expect(json.map(({ id }: { id: string }) => id)).toEqual(['keycloak'])
  expect(text).not.toMatch(/secret/)
})

test('200: without a known address there is none to register', async () => {
  const { ports } = await ssoWorld()
  ports.site.baseUrl = null
  expect((await call(list, { ports, as: 'admin' })).json[0].callback_url).toBeNull()
})

test('401 and 403: nobody, or one who may not', async () => {
  expect((await call(list)).status).toBe(401)
  expect((await call(list, { as: 'operator' })).status).toBe(403)
})
