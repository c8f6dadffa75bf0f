import { expect, test } from 'vitest'
import { defaultSettings } from '../../functions/core/records/settings.ts'
import { newTable } from '../../local/harness/dynamo-table.ts'
import { memorySettings } from '../testing/memory/settings.ts'
import { storedSettings } from './settings.ts'

test.each([
  ['memory', memorySettings],
  ['DynamoDB', async (pinned: object) => storedSettings(await newTable(), pinned)],
])(
  'a pinned value overrides a stored one, which overrides the default: %s',
  async (_name, make) => {
    const settings = await make({ 'auth.lockout_max_attempts': 3 })
    await settings.save({ 'auth.lockout_max_attempts': 9, 'auth.session_idle_minutes': 5 })
    await settings.save({ 'auth.session_remember_days': 1 })
    expect(await settings.get()).toEqual({
      ...defaultSettings,
      'auth.lockout_max_attempts': 3,
      'auth.session_idle_minutes': 5,
      'auth.session_remember_days': 1,
    })
  },
)

test.each([
  ['memory', memorySettings],
  ['DynamoDB', async (pinned: object) => storedSettings(await newTable(), pinned)],
])('the mark of filled lists is no setting: %s', async (_name, make) => {
  const settings = await make({})
  expect(await settings.areListsFilled()).toBe(false)
  await settings.markListsFilled()
  await settings.markListsFilled()
  expect(await settings.areListsFilled()).toBe(true)
  expect(await settings.get()).toEqual(defaultSettings)
})
