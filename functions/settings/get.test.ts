import { expect, test } from 'vitest'
import { memorySettings } from '../../adapters/memory/settings.ts'
import { memoryPorts } from '../../adapters/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { defaultSettings } from '../core/settings.ts'
import get from './get.ts'

test('200: the values in force', async () => {
  expect((await call(get, { as: 'admin' })).json).toEqual(defaultSettings)
  const settings = memorySettings({ 'auth.lockout_max_attempts': 2 })
  await settings.save({ 'auth.lockout_max_attempts': 9, 'auth.session_idle_minutes': 5 })
  const { json } = await call(get, { as: 'admin', ports: memoryPorts({ settings }) })
  expect(json['auth.lockout_max_attempts']).toBe(2)
  expect(json['auth.session_idle_minutes']).toBe(5)
})

test('401 and 403: nobody, and who manages no settings', async () => {
  expect((await call(get)).status).toBe(401)
  expect((await call(get, { as: 'operator' })).status).toBe(403)
})
