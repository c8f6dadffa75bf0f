import { expect, test } from 'vitest'
import { defaultSettings } from '../../../functions/core/records/settings.ts'
import type { NewWorld } from './world.ts'

/** Tests the port `Settings` without pinned values. */
export function settingsContract(newWorld: NewWorld) {
  test('returns the defaults at first', async () => {
    const { stores } = await newWorld()
    expect(await stores.settings.get()).toEqual(defaultSettings)
    expect([...stores.settings.pinned]).toEqual([])
  })

  test('a change is visible everywhere and keeps the other settings', async () => {
    const { stores, peer } = await newWorld()
    await stores.settings.save({ 'auth.lockout_max_attempts': 3, 'auth.session_idle_minutes': 0.5 })
    await peer.settings.save({ 'auth.lockout_max_attempts': 4 })
    expect(await stores.settings.get()).toEqual({
      ...defaultSettings,
      'auth.lockout_max_attempts': 4,
      'auth.session_idle_minutes': 0.5,
    })
  })

  test('null brings the default back, also of what was never saved, and keeps the others', async () => {
    const { stores, peer } = await newWorld()
    await stores.settings.save({ 'auth.lockout_max_attempts': 3, 'registry.allow': ['nas'] })
    await peer.settings.save({ 'auth.lockout_max_attempts': null, 'retention.days': null })
    const expected = { ...defaultSettings, 'registry.allow': ['nas'] }
    expect(await stores.settings.get()).toEqual(expected)
  })
}
