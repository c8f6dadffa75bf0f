import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { ssoWorld } from '../../../local/harness/sso.ts'
import providers from './providers.ts'

test('200: lists only names and IDs, without a credential', async () => {
  expect((await call(providers)).json).toEqual([])
  const { ports } = await ssoWorld()
  expect((await call(providers, { ports })).json).toEqual([{ id: 'keycloak', name: 'Keycloak' }])
})
