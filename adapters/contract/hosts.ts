import { expect, test } from 'vitest'
import type { NewWorld } from './world.ts'

/** What the port `Hosts` promises on a new installation. */
export function hostsContract(newWorld: NewWorld) {
  test('the local host is always there', async () => {
    const { stores } = await newWorld()
    const local = await stores.hosts.find('local')
    expect(local).toMatchObject({ id: 'local', kind: 'local' })
    expect(await stores.hosts.list()).toEqual([local])
    expect(await stores.hosts.find('other')).toBeUndefined()
  })
}
