import { expect, test } from 'vitest'
import { memorySettings } from '../../adapters/testing/memory/settings.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { defaultSettings } from '../core/records/settings.ts'
import get from './get.ts'

test('200: returns the values in force', async () => {
  expect((await call(get, { as: 'admin' })).json).toEqual(defaultSettings)
  const settings = memorySettings({ 'auth.lockout_max_attempts': 2 })
  await settings.save({ 'auth.lockout_max_attempts': 9, 'auth.session_idle_minutes': 5 })
  const { json } = await call(get, { as: 'admin', ports: memoryPorts({ settings }) })
  expect(json['auth.lockout_max_attempts']).toBe(2)
  expect(json['auth.session_idle_minutes']).toBe(5)
})
