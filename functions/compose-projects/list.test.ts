import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { changeContainer, givenProject, imagesHaveLabels } from '../../local/harness/bundle.ts'
import { call } from '../../local/harness/call.ts'
import { givenHost, givenStack, world } from '../../local/harness/world.ts'
import { label } from '../compose/create/labels.ts'
import { internalError } from '../core/errors.ts'
import list from './list.ts'

test('200: lists running projects from the labels of their containers', async () => {
  const here = world()
  await givenProject(here)
  const { status, json } = await call(list, { ports: here.ports, as: 'viewer' })
  expect(status).toBe(200)
  expect(json).toMatchObject([
    {
      name: 'shop',
      host_id: 'local',
      working_dir: '/opt/stacks/shop',
      managed: false,
      refusal: null,
      config_files: ['/opt/stacks/shop/compose.yaml'],
      services: [
        { name: 'db', state: 'running' },
        { name: 'web', image: 'busybox:latest' },
      ],
    },
  ])
})

test('200: marks managed stacks and omits projects without running containers', async () => {
  const here = world()
  await givenStack(here)
  expect((await call(list, { ports: here.ports, as: 'viewer' })).json[0].managed).toBe(true)
  for (const container of here.engine.state.containers.values()) container.state = 'exited'
  here.engine.state.touch()
  expect((await call(list, { ports: here.ports, as: 'viewer' })).json).toEqual([])
})

test('200: explains to the caller why a project cannot be adopted', async () => {
  const here = world()
  await givenProject(here)
  changeContainer(here, 'shop-web-1', { Labels: { [label.workingDir]: '/srv/shop' } })
  const refusal = async (as: 'operator' | 'admin') =>
    (await call(list, { ports: here.ports, as })).json[0].refusal
  expect(await refusal('operator')).toContain('stacks:privileged')
  expect(await refusal('admin')).toBe(null)
})

test('200: ignores containers whose labels come from their image', async () => {
  const here = world()
  await givenProject(here)
  imagesHaveLabels(here)
  here.engine.state.touch()
  expect((await call(list, { ports: here.ports, as: 'admin' })).json).toEqual([])
})

test('200: host=all names hosts that do not respond', async () => {
  const here = world()
  await givenProject(here)
  const far = await givenHost(here, 'far')
  far.engine.offline = internalError('host far: it does not respond')
  const asked = { ports: here.ports, as: 'viewer' as const, query: { host: 'all' } }
  const { json } = await call(list, asked)
  expect(json.items.map(({ name }: Json) => name)).toEqual(['shop'])
  expect(json.unreachable_hosts).toMatchObject([{ host_id: 'far' }])
})
