import { expect, test } from 'vitest'
import { defaultSettings } from '../../functions/core/settings.ts'
import type { NewWorld } from './world.ts'

/** What the port `Settings` promises while nothing is stored or pinned. */
export function settingsContract(newWorld: NewWorld) {
  test('nothing stored: the defaults', async () => {
    const { stores } = await newWorld()
    expect(await stores.settings.get()).toEqual(defaultSettings)
  })
}
