import { expect, test } from 'vitest'
import { memorySettings } from '../../adapters/testing/memory/settings.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { settingKeys } from '../core/records/settings.ts'
import sources from './sources.ts'

test('200: lists every setting with its value, its default and whether it is pinned', async () => {
  const settings = memorySettings({ 'auth.lockout_max_attempts': 2 })
  await settings.save({ 'auth.session_idle_minutes': 7 })
  const { json } = await call(sources, { as: 'admin', ports: memoryPorts({ settings }) })
  expect(json.map(({ key }: { key: string }) => key)).toEqual(settingKeys)
  expect(json.slice(0, 4)).toEqual([
    { key: 'auth.lockout_max_attempts', value: 2, default: 5, pinned: true },
    { key: 'auth.lockout_duration_minutes', value: 15, default: 15, pinned: false },
    { key: 'auth.session_absolute_hours', value: 24, default: 24, pinned: false },
    { key: 'auth.session_idle_minutes', value: 7, default: 60, pinned: false },
  ])
})
