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

  test('a name and tags are seen by all, where stacks live stays', async () => {
    const { stores, peer } = await newWorld()
    const local = (await stores.hosts.find('local'))!
    await stores.hosts.save({ ...local, name: 'warehouse', tags: ['lab'] })
    const changed = { ...local, name: 'warehouse', tags: ['lab'] }
    expect(await peer.hosts.find('local')).toEqual(changed)
    expect(await peer.hosts.list()).toEqual([changed])
  })
}
