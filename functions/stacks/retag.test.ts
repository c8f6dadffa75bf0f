import { beforeEach, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { deployWith } from '../../local/harness/deploy-with.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import type { Deployment, DeployOptions } from '../core/records/deployment.ts'
import deploy from './deploy.ts'
import recover from './recover-deployments.ts'

const digest = `nginx@sha256:${'d'.repeat(64)}`
const before = `sha256:${'b'.repeat(64)}`
const compose = `services:
  web: {image: "nginx:1", command: sleep 60}
  more: {image: "docker.io/library/nginx:1", command: sleep 60}
  other: {image: "nginx:2", command: sleep 60, pull_policy: always}
`
let here: World

beforeEach(async () => {
  here = world()
  const { images, registry } = here.engine.state
  for (const name of ['nginx:1', 'docker.io/library/nginx:1']) images.set(name, before)
  images.set('kept:1', before)
  registry.add(digest)
  await givenStack(here, 'shop', { compose })
  here.engine.executed.length = 0
  registry.delete('nginx:2')
})

/** Deploys the stack with images that get names. */
const retag = (options: Partial<DeployOptions> = {}) =>
  deployWith('shop', { retag: { 'nginx:1': digest }, ...options }, here.ports)

/** Deploys as a user does. Returns what it did. */
async function plainDeploy(): Promise<string[]> {
  here.engine.state.registry.add('nginx:2')
  const { json } = await call(deploy, {
    ports: here.ports,
    as: 'operator',
    path: { name: 'shop' },
    body: {},
  })
  expect(json).toMatchObject({ status: 'succeeded', warnings: [] })
  return done(json)
}

const done = ({ steps }: Pick<Deployment, 'steps'>) =>
  steps.map(({ action, kind, name }) => `${action} ${kind} ${name}`)
const running = () =>
  Object.fromEntries(
    [...here.engine.state.containers.values()].map(({ name, imageId }) => [name, imageId]),
  )
const images = () => here.engine.state.images

test('runs exactly the digest, and a later deploy of a user changes nothing', async () => {
  const deployment = await retag()
  expect(deployment).toMatchObject({ status: 'succeeded', warnings: [] })
  const id = present(images().get(digest))
  expect(running()).toMatchObject({ 'shop-web-1': id, 'shop-more-1': id })
  expect(images().get('nginx:1')).toBe(id)
  expect(done(deployment).filter((step) => !step.includes(' container '))).toEqual([
    'tag image docker.io/library/nginx:1',
    'tag image nginx:1',
  ])
  expect(deployment.steps[1]).toMatchObject({
    reason: 'becomes sha256:dddddddddddd',
    image: { before, after: digest },
  })
  expect(deployment.images).toMatchObject({ web: digest, more: digest })
  const stack = await here.ports.stacks.find('shop')
  expect(stack?.images).toMatchObject({ 'docker.io/library/nginx:1': id })
  expect(await plainDeploy()).toEqual(['pull image nginx:2'])
})

test('goes back to an ID without a registry', async () => {
  await retag()
  here.engine.state.registry.clear()
  const back = await retag({ retag: { 'nginx:1': before } })
  expect(back).toMatchObject({ status: 'succeeded', images: { web: expect.any(String) } })
  expect(running()).toMatchObject({ 'shop-web-1': before, 'shop-more-1': before })
  expect(await plainDeploy()).toEqual(['pull image nginx:2'])
})

test('changes only the services that it names, and no containers that run the image', async () => {
  const deployment = await retag({ services: ['web'] })
  expect(deployment.status).toBe('succeeded')
  const id = present(images().get(digest))
  expect(running()).toMatchObject({ 'shop-web-1': id, 'shop-more-1': before })
  here.engine.executed.length = 0
  expect(done(await retag({ services: ['web'] }))).toEqual(['tag image nginx:1'])
  expect(done(await retag()).filter((step) => step.includes('web'))).toEqual([])
  expect(running()).toMatchObject({ 'shop-more-1': id })
})

test('takes services along that would be cut off, also if they were deployed alone', async () => {
  const files = `services:
  vpn: {image: "nginx:1", command: sleep 60}
  torrent: {image: "busybox:latest", command: sleep 60, network_mode: "service:vpn"}
  other: {image: "busybox:latest", command: sleep 60}
`
  await givenStack(here, 'tunnel', { compose: files })
  const options = { retag: { 'nginx:1': digest }, withoutDependencies: true }
  const replaced = async (services: string[], forceRecreate = false) => {
    const asked = { ...options, services, forceRecreate }
    const { steps, warnings } = await deployWith('tunnel', asked, here.ports)
    expect(warnings).toEqual([])
    return steps.flatMap(({ action, name }) => (action === 'rename' ? name.slice(13) : [])).sort()
  }
  expect(await replaced(['torrent'], true)).toEqual(['tunnel-torrent-1'])
  expect(await replaced(['vpn'])).toEqual(['tunnel-torrent-1', 'tunnel-vpn-1'])
})

test('takes an image that the update of another stack has tagged already', async () => {
  for (const name of ['nginx:1', 'docker.io/library/nginx:1', digest])
    images().set(name, 'sha256:7')
  expect(await retag()).toMatchObject({ status: 'succeeded', warnings: [] })
  expect(running()).toMatchObject({ 'shop-web-1': 'sha256:7', 'shop-more-1': 'sha256:7' })
})

test('409: an ID that is gone, before anything changes', async () => {
  const gone = `sha256:${'f'.repeat(64)}`
  await expect(retag({ retag: { 'nginx:1': gone } })).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining(`services.web: image ${gone}`),
  })
  expect(here.engine.executed).toEqual([])
})

test('a pull that fails changes no name and no container', async () => {
  here.engine.state.registry.clear()
  expect(await retag()).toMatchObject({ status: 'failed' })
  expect(images().get('nginx:1')).toBe(before)
  expect(running()).toMatchObject({ 'shop-web-1': before, 'shop-more-1': before })
  expect(await plainDeploy()).toEqual(['pull image nginx:2'])
})

test('is resumed after the process died, whatever it had tagged', async () => {
  const { ports, engine } = here
  const { create } = ports.deployments
  // The process dies when the first container would be replaced.
  engine.failing = ({ action }) => (action === 'recreate' ? internalError('died') : undefined)
  let recorded: Deployment | undefined
  ports.deployments.create = async (deployment) => {
    recorded = deployment
    await create(deployment)
  }
  const failed = await retag()
  expect(failed.status).toBe('failed')
  expect(images().get('nginx:1')).toBe(images().get(digest))
  ports.deployments.create = create
  engine.failing = undefined
  const { fence } = present(await ports.leases.acquire('stack:shop', 'process-0/dead', 10_000))
  const dead = { ...present(recorded), id: ports.random.id(), fence }
  await create({ ...dead, steps: failed.steps.map((step) => ({ ...step, status: 'running' })) })
  ports.clock.advance(10_001)
  await recover.with(ports)()
  await ports.background.settled()
  const ended = await ports.deployments.find('shop', dead.id)
  expect(ended).toMatchObject({ status: 'succeeded', options: { retag: { 'nginx:1': digest } } })
  const id = present(images().get(digest))
  expect(running()).toMatchObject({ 'shop-web-1': id, 'shop-more-1': id })
})
