import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenStack, world } from '../../local/harness/world.ts'
import status from './status.ts'

const path = { name: 'shop' }

test('200: every service with its container', async () => {
  const here = world()
  await givenStack(here)
  const answer = await call(status, { ports: here.ports, as: 'viewer', path })
  expect(answer.status).toBe(200)
  expect(answer.json).toMatchObject([
    {
      service: 'db',
      name: 'shop-db-1',
      state: 'running',
      image: 'busybox:latest',
      exit_code: null,
    },
    { service: 'web', name: 'shop-web-1', state: 'running' },
  ])
})

test('200: a service without a container is missing', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { json } = await call(status, { ports: here.ports, as: 'viewer', path })
  expect(json).toMatchObject([
    { service: 'db', container_id: null, state: 'missing', image: 'busybox:latest' },
    { service: 'web', container_id: null, state: 'missing' },
  ])
})

test('404: no such stack', async () => {
  const { ports } = world()
  expect((await call(status, { ports, as: 'viewer', path })).status).toBe(404)
})
