import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenHost, givenStack, world } from '../../local/harness/world.ts'
import list from './list.ts'

test('200: those of the local host', async () => {
  const here = world()
  await givenStack(here)
  const { status, json } = await call(list, { ports: here.ports, as: 'viewer' })
  expect(status).toBe(200)
  expect(JSON.stringify(json)).toContain('shop_data')
  expect(json.every((one: any) => one.host_id === 'local' && one.host_name === 'local')).toBe(true)
})

test('200: host=all names the hosts that do not answer', async () => {
  const here = world()
  const gone = await givenHost(here, 'gone')
  gone.off()
  const { json } = await call(list, { ports: here.ports, as: 'viewer', query: { host: 'all' } })
  expect(json.unreachable_hosts.map((one: any) => one.host_id)).toEqual(['gone'])
})

test('404: an unknown host', async () => {
  const { ports } = world()
  const { status } = await call(list, { ports, as: 'viewer', query: { host: 'mars' } })
  expect(status).toBe(404)
})
