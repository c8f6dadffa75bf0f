import { expect, test } from 'vitest'
import { changeContainer } from '../../../local/harness/bundle.ts'
import { call } from '../../../local/harness/call.ts'
import { givenStack, type World, world } from '../../../local/harness/world.ts'
import { notFound } from '../../core/errors.ts'
import top from './top.ts'

const ask = ({ ports }: World, as: 'viewer' | 'operator', service = 'web', name = 'shop') =>
  call(top, { ports, as, path: { name, service } })

test('200: the processes of the running containers of the service', async () => {
  const here = world()
  await givenStack(here)
  const { status, json } = await ask(here, 'operator')
  expect(status).toBe(200)
  expect(json).toMatchObject([
    { container: 'shop-web-1', program: 'sleep', command: 'sleep 3600', user: 'root' },
  ])
  expect(json[0].pid).toBeGreaterThan(0)
})

test('200: a viewer sees no command line, which can contain a password', async () => {
  const here = world()
  await givenStack(here)
  const { text, json } = await ask(here, 'viewer')
  expect(json).toMatchObject([{ program: 'sleep', command: null }])
  expect(text).not.toContain('3600')
})

test('200: nothing of a service that does not run, nor of a container that has just gone', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  await givenStack(here, 'other')
  here.engine.processes = async () => {
    throw notFound('No such container')
  }
  expect((await ask(here, 'viewer', 'web', 'other')).json).toEqual([])
})

test('200: a service that only has containers, which another tool made', async () => {
  const here = world()
  await givenStack(here)
  changeContainer(here, 'shop-web-1', { Labels: { 'com.docker.compose.service': 'extra' } })
  expect((await ask(here, 'viewer', 'extra')).json).toMatchObject([{ container: 'shop-web-1' }])
  await here.engine.removeContainer('shop-web-1', { force: true })
  expect((await ask(here, 'viewer', 'extra')).status).toBe(404)
})
