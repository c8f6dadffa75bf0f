import { describe, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import deploy from './deploy.ts'
import stop from './stop.ts'
import update from './update.ts'

const path = { name: 'shop' }
const directory = '/opt/stacks/shop'
const web = (...volumes: string[]) =>
  `services: {web: {image: busybox:latest, command: sleep 9, volumes: ${JSON.stringify(volumes)}}}`
const build = 'services: {web: {image: own, build: ./app, command: sleep 9}}'

const deployAs = (as: 'admin' | 'operator', { ports }: World) =>
  call(deploy, { ports, as, path, body: {} })
const saveAs = (as: 'admin' | 'operator', { ports }: World, compose: string) =>
  call(update, { ports, as, path, body: { compose } })
const record = ({ ports }: World) => ports.stacks.find('shop')
const link = (here: World, name: string, target: string) =>
  here.engine.state.links.set(`${directory}/${name}`, target)

async function given(compose: string, deployed = false): Promise<World> {
  const here = world()
  await givenStack(here, 'shop', { compose, deployed: false })
  if (deployed) expect((await deployAs('admin', here)).json.status).toBe('succeeded')
  return here
}

describe('a link on the host', () => {
  test('409: refuses to mount it, or a path behind it, for an operator', async () => {
    for (const source of ['./l', './l/passwd']) {
      const here = await given(web(`${source}:/x`))
      link(here, 'l', '/etc')
      const { status, json } = await deployAs('operator', here)
      expect([status, json.error]).toEqual([
        409,
        `services.web.volumes[0]: ./l in ${directory} is a link to /etc: links in a stack's ` +
          'directory are not followed, replace it by a directory or a file',
      ])
      expect(here.engine.executed).toEqual([])
      here.engine.state.links.clear()
      expect((await deployAs('operator', here)).json.status).toBe('succeeded')
    }
  })

  test('200: an admin can mount it', async () => {
    const here = await given(web('./l:/x'))
    link(here, 'l', '/etc')
    expect((await deployAs('admin', here)).json.status).toBe('succeeded')
  })

  test('409: refuses to build from it, for every caller', async () => {
    for (const as of ['operator', 'admin'] as const) {
      const here = await given(build)
      link(here, 'app', '/other')
      const { status, json } = await deployAs(as, here)
      expect([status, json.error]).toEqual([
        409,
        expect.stringContaining('services.web.build.context: ./app'),
      ])
    }
  })
})

describe('paths that containers can write', () => {
  test('403: an operator cannot mount what an earlier deployment could write, even if an admin saved it', async () => {
    const here = await given(web('./data:/data'), true)
    expect((await record(here))?.writable).toEqual([`${directory}/data`])
    const next = web('./data/l:/l:ro')
    const saved = await saveAs('operator', here, next)
    expect([saved.status, saved.json.error]).toEqual([
      403,
      expect.stringContaining('./data/l is inside ./data, where a mount of an earlier deployment'),
    ])
    expect((await saveAs('admin', here, next)).status).toBe(200)
    expect((await deployAs('operator', here)).status).toBe(403)
    expect((await deployAs('admin', here)).status).toBe(200)
  })

  test('200: are forgotten after a stop', async () => {
    const here = await given(web('./data:/data'), true)
    expect((await call(stop, { ports: here.ports, as: 'operator', path })).status).toBe(200)
    expect((await record(here))?.writable).toEqual([])
    await saveAs('operator', here, web('./data/l:/l:ro'))
    expect((await deployAs('operator', here)).json.status).toBe('succeeded')
  })

  test('403: an operator cannot mount what a running container can write without a record', async () => {
    const here = await given(web('./data:/data'), true)
    const stack = present(await record(here))
    const { writable: _, ...before } = stack
    await here.ports.stacks.replace(before)
    expect((await saveAs('operator', here, web('./data/l:/l:ro'))).status).toBe(200)
    const { status, json } = await deployAs('operator', here)
    expect([status, json.error]).toEqual([
      403,
      expect.stringContaining('services.web.volumes[0]: ./data/l is inside ./data'),
    ])
    const asked = await deployAs('admin', here)
    expect([asked.status, asked.json.error]).toEqual([
      409,
      expect.stringContaining('set accept_references to ["services.web.volumes[0]"]'),
    ])
    const body = { accept_references: ['services.web.volumes[0]'] }
    const accepted = await call(deploy, { ports: here.ports, as: 'admin', path, body })
    expect(accepted.json.status).toBe('succeeded')
    expect((await deployAs('admin', here)).json.status).toBe('succeeded')
  })
})
