import { expect, test } from 'vitest'
import { disallowedVolumeOption } from './driver-options.ts'
import { volumeReach } from './resource-reach.ts'

test.each([
  [{ type: 'ext4', device: '/dev/sda1' }, 'device'],
  [{ type: 'nfs', o: 'ro' }, 'type'],
  [{ o: 'bind' }, 'o'],
  [{ type: 'tmpfs', device: 'tmpfs', size: '9m' }, 'size'],
  [{ type: 'tmpfs', device: '/etc', o: 'rbind' }, 'device'],
  [{ type: 'tmpfs', device: 'tmpfs', o: 'size=9m,ro' }, undefined],
  [{}, undefined],
])('names the option with which a volume is not just memory: %j', (options, key) => {
  expect(disallowedVolumeOption(options as Record<string, string>)).toBe(key)
})

test('names a volume driver other than local', () => {
  const found = [...volumeReach({ name: 'vol', driver: 'local-persist' }, ['volumes', 'vol'])]
  expect(found.map(({ path }) => path)).toEqual([['volumes', 'vol', 'driver']])
  expect([...volumeReach({ name: 'vol', driver: 'local' }, ['volumes', 'vol'])]).toEqual([])
})
