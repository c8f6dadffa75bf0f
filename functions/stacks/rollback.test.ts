import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import listContainers from '../containers/list.ts'
import { internalError } from '../core/errors.ts'
import create from './create.ts'
import deploy from './deploy.ts'
import getDeployment from './deployments/get.ts'
import get from './get.ts'
import plan from './plan.ts'
import rollback from './rollback.ts'
import status from './status.ts'
import stop from './stop.ts'
import update from './update.ts'

const path = { name: 'shop' }
const digest = `nginx@sha256:${'a'.repeat(64)}`
const ask = (
  { ports }: World,
  body: object = {},
  as: 'admin' | 'operator' | 'viewer' = 'operator',
) => ({
  ports,
  as,
  path,
  body,
})
const to = (here: World, id: string, as?: 'admin' | 'operator' | 'viewer') =>
  ask(here, { deployment_id: id }, as)

const first = {
  compose: 'services: {web: {image: "nginx:1", command: "sleep ${SECONDS}"}}',
  env: 'SECONDS=60',
  overlays: { prod: 'services: {web: {labels: {at: prod}}}' },
}
const second = {
  compose:
    'services: {web: {image: "nginx:1", command: sleep 99}, more: {image: "busybox:latest", command: sleep 60}}',
  env: null,
  overlays: {},
}

/** Sets up a stack that was deployed, changed, and deployed again after its image tag had moved. */
async function changed({ withDigest = true } = {}) {
  const here = world()
  const { images } = here.engine.state
  images.set('nginx:1', 'sha256:old')
  if (withDigest) images.set(digest, 'sha256:old')
  await call(create, { ports: here.ports, as: 'admin', body: { name: 'shop', ...first } })
  const { json } = await call(deploy, ask(here, { environment: 'prod' }))
  images.set('nginx:1', 'sha256:new')
  await call(update, ask(here, second))
  await call(deploy, ask(here, { on_drift: 'import' }))
  return { here, id: json.id as string, images }
}

const running = ({ engine }: World) =>
  [...engine.state.containers.values()].map(({ name, imageId, body }) => ({
    name,
    imageId,
    command: (body.Cmd as string[]).join(' '),
    at: (body.Labels as Record<string, string>).at,
  }))

test('200: restores the files, environment and images of the deployment, even if the tag has moved', async () => {
  const { here, id } = await changed()
  expect(running(here).map(({ imageId }) => imageId)).toContain('sha256:new')
  const { status, json } = await call(rollback, to(here, id))
  expect([status, json]).toEqual([
    200,
    expect.objectContaining({
      kind: 'rollback',
      rolled_back_to: id,
      status: 'succeeded',
      environment: 'prod',
      revision: 3,
      images: { web: digest },
    }),
  ])
  const web = { name: 'shop-web-1', imageId: 'sha256:old', command: 'sleep 60', at: 'prod' }
  expect(running(here)).toEqual([web])
  const stack = await call(get, { ...ask(here), body: undefined })
  expect(stack.json).toMatchObject({ ...first, revision: 3, environment: 'prod', drift: [] })
  const written = here.engine.state.files.get('/opt/stacks/shop/.env')?.content
  expect(new TextDecoder().decode(written)).toBe('SECONDS=60')
})

test('200: the status shows the image by its name, the list of containers what they run', async () => {
  const { here, id } = await changed()
  await call(rollback, to(here, id))
  const { ports } = here
  expect((await call(status, { ports, as: 'viewer', path })).json).toMatchObject([
    { service: 'web', name: 'shop-web-1', image: 'nginx:1' },
  ])
  // The tag has moved: the name alone would say that the container runs the new image.
  const { json } = await call(listContainers, { ports, as: 'viewer', query: { all: true } })
  expect(json).toMatchObject([{ name: 'shop-web-1', image: digest, image_id: 'sha256:old' }])
})

test('200: the next deploy uses the moved tag again and changes nothing else', async () => {
  const { here, id } = await changed()
  await call(rollback, to(here, id))
  const { json } = await call(plan, ask(here, { environment: 'prod' }))
  expect(json.map((step: Json) => `${step.action} ${step.kind} ${step.reason}`)[0]).toBe(
    'recreate container image changed',
  )
})

test('200: repeating it changes nothing', async () => {
  const { here, id } = await changed()
  await call(rollback, to(here, id))
  const before = here.engine.executed.length
  const { json } = await call(rollback, to(here, id))
  expect(json).toMatchObject({ status: 'succeeded', steps: [], revision: 4 })
  expect(here.engine.executed).toHaveLength(before)
})

test('200: pulls a missing image by its digest', async () => {
  const { here, id, images } = await changed()
  images.delete(digest)
  here.engine.state.registry.add(digest)
  const { json } = await call(rollback, to(here, id))
  expect(json.steps[0]).toMatchObject({ action: 'pull', name: digest, status: 'done' })
  expect(json).toMatchObject({ status: 'succeeded', images: { web: digest } })
})

test('200: can roll back to a rollback, and a failure keeps the containers', async () => {
  const { here, id } = await changed()
  const back = await call(rollback, to(here, id))
  await call(update, ask(here, second))
  await call(deploy, ask(here))
  const before = running(here)
  here.engine.failing = (step) =>
    step.action === 'recreate' ? internalError('no space left') : undefined
  const failed = await call(rollback, to(here, back.json.id))
  expect(failed.json).toMatchObject({ status: 'failed' })
  expect(running(here).filter(({ name }) => name === 'shop-web-1')).toEqual(
    before.filter(({ name }) => name === 'shop-web-1'),
  )
  here.engine.failing = undefined
  expect((await call(rollback, to(here, back.json.id))).json.status).toBe('succeeded')
  expect(running(here)).toMatchObject([{ imageId: 'sha256:old', at: 'prod' }])
})

test('202: continues in the background with wait=false', async () => {
  const { here, id } = await changed()
  const { status, json } = await call(rollback, { ...to(here, id), query: { wait: false } })
  expect([status, json.status]).toEqual([202, 'running'])
  await here.ports.background.settled()
  const after = await call(getDeployment, {
    ...ask(here),
    body: undefined,
    path: { ...path, id: json.id },
  })
  expect(after.json.status).toBe('succeeded')
})

test('400: no deployment given', async () => {
  expect((await call(rollback, ask(world()))).status).toBe(400)
})

test('403: a viewer, or an operator if the deployment needs stacks:privileged', async () => {
  const here = world()
  const compose = 'services: {web: {image: "busybox:latest", command: sleep 60, privileged: true}}'
  await givenStack(here, 'shop', { compose, deployed: false })
  const { json } = await call(deploy, ask(here, {}, 'admin'))
  await call(update, ask(here, second))
  expect((await call(rollback, to(here, json.id, 'viewer'))).status).toBe(403)
  const answer = await call(rollback, to(here, json.id))
  expect([answer.status, answer.json.error]).toEqual([
    403,
    expect.stringMatching(/^compose.yaml:1:\d+: services.web.privileged: /),
  ])
  expect((await call(rollback, to(here, json.id, 'admin'))).json.status).toBe('succeeded')
})

test('404: unknown stack or deployment, or one of another stack', async () => {
  const { here, id } = await changed()
  expect((await call(rollback, { ...to(here, id), path: { name: 'none' } })).status).toBe(404)
  expect((await call(rollback, to(here, 'none'))).status).toBe(404)
  await givenStack(here, 'other')
  expect((await call(rollback, { ...to(here, id), path: { name: 'other' } })).status).toBe(404)
})

test('409: one of two simultaneous rollbacks succeeds', async () => {
  const { here, id } = await changed()
  const answers = await Promise.all([1, 2].map(() => call(rollback, to(here, id))))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('409: the deployment failed or was a stop', async () => {
  const { here } = await changed()
  here.engine.failing = (step) => (step.action === 'recreate' ? internalError('no') : undefined)
  const failed = await call(deploy, ask(here, { force_recreate: true }))
  here.engine.failing = undefined
  expect((await call(rollback, to(here, failed.json.id))).status).toBe(409)
  await call(stop, { ports: here.ports, as: 'operator', path })
  const [stopped] = await here.ports.deployments.listByStack('shop', 1)
  const answer = await call(rollback, to(here, present(stopped).id))
  expect([answer.status, answer.json.error]).toEqual([
    409,
    expect.stringContaining('cannot roll back to a stop'),
  ])
})

test('409: the image is missing and known only by its ID', async () => {
  const { here, id } = await changed({ withDigest: false })
  const before = running(here)
  const { status, json } = await call(rollback, to(here, id))
  expect([status, json.error]).toEqual([
    409,
    'services.web: image sha256:old is no longer on the host and has no digest to pull it by',
  ])
  expect(running(here)).toEqual(before)
})

test('422: the image is missing and its pull_policy is never', async () => {
  const here = world()
  const { images } = here.engine.state
  images.set(digest, present(images.get('busybox:latest')))
  const compose = 'services: {web: {image: "busybox:latest", pull_policy: never, command: sleep 9}}'
  await givenStack(here, 'shop', { compose, deployed: false })
  const { json } = await call(deploy, ask(here))
  images.clear()
  expect((await call(rollback, to(here, json.id))).status).toBe(422)
})

test('409: a file was edited on the host; 200 with overwrite; 400 with import', async () => {
  const { here, id } = await changed()
  const { files } = here.engine.state
  const [place, file] = present([...files].find(([name]) => name.endsWith('/compose.yaml')))
  files.set(place, { ...file, content: Buffer.from('services: {edited: {image: "nginx:1"}}') })
  const refused = await call(rollback, to(here, id))
  expect(refused.status).toBe(409)
  expect(refused.json.error).toContain(
    'compose.yaml (modified); set `on_drift` to overwrite to replace them',
  )
  const imported = ask(here, { deployment_id: id, on_drift: 'import' })
  expect((await call(rollback, imported)).status).toBe(400)
  const told = ask(here, { deployment_id: id, on_drift: 'overwrite' })
  expect((await call(rollback, told)).json).toMatchObject({ status: 'succeeded' })
  expect(Buffer.from(present(files.get(place)).content).toString()).toBe(first.compose)
})
