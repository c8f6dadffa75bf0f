import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { expectOne } from '../../local/harness/host-list.ts'
import { world } from '../../local/harness/world.ts'
import get from './get.ts'
import list from './list.ts'

test('200: shows a volume; refuses others', () =>
  expectOne({ get, list }, { named: ({ name }) => [{ name }], unknown: { name: 'none' } }))

test('200: omits options, which can contain passwords', async () => {
  const { ports, engine } = world()
  const options = { type: 'cifs', o: 'username=a,password=hunter2' }
  const about = { name: 'data', driver: 'local', mountpoint: '/x', createdAt: null, labels: {} }
  const volumes = async () => [{ ...about, options, stack: null }]
  ports.engines.byHost.set('local', { ...engine, volumes } as typeof engine)
  const { text, json } = await call(get, { ports, as: 'viewer', path: { name: 'data' } })
  expect(json).toMatchObject({ name: 'data', host_id: 'local' })
  expect(text).not.toContain('hunter2')
})
