import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { expectLocal, expectUnknownHost, expectUnreachable } from '../../local/harness/host-list.ts'
import { world } from '../../local/harness/world.ts'
import list from './list.ts'

test('200: lists the volumes of the local host', () => expectLocal(list, 'shop_data'))
test('200: host=all names hosts that do not respond', () => expectUnreachable(list))
test('200: omits options, which can contain passwords', async () => {
  const { ports, engine } = world()
  const options = { type: 'cifs', o: 'username=a,password=hunter2' }
  ports.engines.byHost.set('local', {
    ...engine,
    volumes: async () => [
      {
        name: 'data',
        driver: 'local',
        mountpoint: '/x',
        createdAt: null,
        labels: {},
        options,
        stack: null,
      },
    ],
  } as typeof engine)
  const { text, json } = await call(list, { ports, as: 'viewer' })
  expect(json.map(({ name }: { name: string }) => name)).toEqual(['data'])
  expect(text).not.toContain('hunter2')
})
test('404: unknown host', () => expectUnknownHost(list))
