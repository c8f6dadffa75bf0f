import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import deploy from './deploy.ts'
import run from './services/run.ts'
import update from './update.ts'

const busy = 'image: busybox:latest, command: sleep 60'
const compose = ({ db = '', web = '' } = {}) => `services:
  db: {${busy}${db}}
  web: {${busy}${web}}
  mail: {${busy}}
`

/** Changes the files as an operator. The container of db stays as an admin has deployed it. */
async function withOldDatabase(old: string, web: string): Promise<World> {
  const here = world()
  await givenStack(here, 'shop', { compose: compose({ db: old }) })
  const body = { compose: compose({ web, db: ', environment: {NEW: "1"}' }) }
  const path = { name: 'shop' }
  const { status, text } = await call(update, { ports: here.ports, as: 'operator', path, body })
  if (status !== 200) throw new Error(text)
  return here
}

const deployOf = ({ ports }: World, service: string) =>
  call(deploy, {
    ports,
    as: 'operator',
    path: { name: 'shop' },
    body: { services: [service], dependencies: false },
  })

const ways = [', volumes_from: [db]', ', pid: "service:db"', ', network_mode: "service:db"']

test.each(ways)(
  '403: an operator’s deploy joins no container that controls the host%s',
  async (way) => {
    const here = await withOldDatabase(', privileged: true', way)
    here.engine.executed.splice(0)
    const { status, text } = await deployOf(here, 'web')
    expect([status, text]).toEqual([
      403,
      expect.stringContaining('container shop-db-1: entering it'),
    ])
    expect(here.engine.executed).toEqual([])
  },
)

test('403: neither does a one-off container with files that a deploy of another service wrote', async () => {
  const here = await withOldDatabase(', privileged: true', ', volumes_from: [db]')
  expect((await deployOf(here, 'mail')).json.status).toBe('succeeded')
  const path = { name: 'shop', service: 'web' }
  const body = { dependencies: false }
  const { status, text } = await call(run, { ports: here.ports, as: 'operator', path, body })
  expect([status, text]).toEqual([403, expect.stringContaining('container shop-db-1: entering it')])
})

test('200: an admin’s deploy joins it, and an operator’s deploy joins an ordinary one', async () => {
  const here = await withOldDatabase(', privileged: true', ', volumes_from: [db]')
  const body = { services: ['web'], dependencies: false }
  const request = { ports: here.ports, as: 'admin' as const, path: { name: 'shop' } }
  const asked = await call(deploy, { ...request, body })
  // An operator saved what joins it.
  expect([asked.status, asked.text]).toEqual([409, expect.stringContaining('joined:shop-db-1')])
  const accept_references = ['joined:shop-db-1']
  const accepted = await call(deploy, { ...request, body: { ...body, accept_references } })
  expect(accepted.json.status).toBe('succeeded')
  const other = await withOldDatabase(', environment: {OLD: "1"}', ', volumes_from: [db]')
  expect((await deployOf(other, 'web')).json.status).toBe('succeeded')
})
