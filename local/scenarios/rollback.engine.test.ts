import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import { dockerGate } from '../harness/docker-gate.ts'
import { publishImage, type Registry, startRegistry } from '../harness/registry.ts'
import { api, newPlace, type Running, setUpAdmin, startIn, until } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { busyboxArchive } from '../setup/busybox.mjs'
import { findCompose } from '../setup/compose.mjs'

const name = unique('back')
/** Label of the images of these tests, so that a prune removes no others. */
const label = 'back'
const gate = await dockerGate({ label: `${label}=${name}` })
const place = newPlace({ SERVICE_OUTBOUND_ALLOW: '127.0.0.1', DOCKER_HOST: gate.address })
const directory = join(place.directory, 'stacks', name)
let running: Running
let token: string
let registry: Registry
let image: string

const inspect = (service: string, format: string) =>
  docker('inspect', '--format', format, `${name}-${service}-1`)
/** Identifies one run of a container. */
const life = (service: string) =>
  inspect(service, '{{.Id}} {{.State.StartedAt}} {{.State.Running}}')
const made = () => docker('exec', `${name}-web-1`, 'cat', '/made')

const ask = async (method: string, path: string, body?: object) => {
  const { json } = await api(running, method, `/stacks/${name}${path}`, { token, body })
  return json
}

/** Pushes another image under the tag that the stack uses. */
async function publish(content: string) {
  const file = await tarOf([{ path: 'made', content: Buffer.from(content), mode: 0o644 }])
  const layer = Buffer.concat([busyboxArchive().subarray(0, -1024), file])
  await publishImage(registry, 'team/app', '1', layer, { [label]: name })
}

/** Asks the registry for a newer image. Returns what is known then of the service. */
async function look(): Promise<Json> {
  const asked = Date.now()
  await api(running, 'POST', '/updates/check', { token, body: { stack: name } })
  return until(
    async () => (await api(running, 'GET', `/updates?stack=${name}`, { token })).json[0],
    ({ checked_at }) => Date.parse(checked_at) >= asked,
  )
}
const update = async () => (await api(running, 'GET', `/updates?stack=${name}`, { token })).json[0]

const composeOf = (word: string) => `services:
  web:
    image: ${image}
    command: sleep 3600
    init: true
    environment: { WORD: "${word}", SAID: "\${SAID}" }
`

beforeAll(async () => {
  registry = await startRegistry()
  image = `${registry.address}/team/app:1`
  await publish('one')
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  const allow = { 'registry.allow': [registry.address] }
  await api(running, 'PUT', '/settings', { token, body: allow })
  const body = { name, compose: composeOf('first'), env: 'SAID=first\n' }
  await api(running, 'POST', '/stacks', { token, body })
})

afterAll(async () => {
  await api(running, 'DELETE', `/stacks/${name}?volumes=true`, { token })
  await place.remove()
  const ids = docker('images', '--quiet', '--no-trunc', `${registry.address}/team/app`).split('\n')
  docker('rmi', '--force', ...new Set(ids))
  await registry.close()
  await gate.close()
})

test('a rollback runs the image of its deployment although the tag has moved', async () => {
  const first = await ask('POST', '/deploy', {})
  expect(made()).toBe('one')
  const id = inspect('web', '{{.Image}}')
  await publish('two')
  const newer = await look()
  expect(newer, JSON.stringify(newer)).toMatchObject({
    state: 'newer',
    reason: null,
    running: [id],
  })
  expect(docker('images', '--quiet', image)).not.toContain('\n')
  await ask('PUT', '', { compose: composeOf('second'), env: 'SAID=second\n' })
  const second = await ask('POST', '/deploy', { pull: 'always' })
  expect(second, JSON.stringify(second)).toMatchObject({ status: 'succeeded' })
  expect(made()).toBe('two')
  // Without a further request.
  expect(await update()).toMatchObject({ state: 'current', checked_at: newer.checked_at })
  expect(present(second.images.web)).toContain(newer.newer.digest)

  const back = await ask('POST', '/rollback', { deployment_id: first.id })
  expect(back).toMatchObject({ status: 'succeeded', revision: 3, images: first.images })
  expect(made()).toBe('one')
  expect(inspect('web', '{{.Image}}')).toBe(id)
  expect(await update()).toMatchObject({ state: 'newer', newer: newer.newer })
  expect(inspect('web', '{{.Config.Env}}')).toBe('[WORD=first SAID=first]')
  expect(readFileSync(join(directory, '.env'), 'utf8')).toBe('SAID=first\n')
  expect(readFileSync(join(directory, 'compose.yaml'), 'utf8')).toBe(composeOf('first'))

  expect(await ask('GET', '/status')).toMatchObject([{ service: 'web', image }])
  const { json: containers } = await api(running, 'GET', '/containers', { token })
  const own = containers.find((one: Json) => one.name === `${name}-web-1`)
  expect([own.image_id, own.image]).toEqual([id, first.images.web])

  const listed = execFileSync(present(findCompose()), ['ps', '--format', '{{.Name}} {{.State}}'], {
    cwd: directory,
    encoding: 'utf8',
  })
  expect(listed.trim()).toBe(`${name}-web-1 running`)
  const [step] = await ask('POST', '/plan', {})
  expect(step).toMatchObject({ action: 'recreate', reason: 'image changed' })
})

test('a rollback pulls a missing image by digest, and fails without side effects if it cannot', async () => {
  const deployments = await ask('GET', '/deployments')
  const first = deployments.at(-1)
  await ask('POST', '/deploy', {})
  expect(made()).toBe('two')
  docker('rmi', first.images.web)
  expect(await ask('POST', '/rollback', { deployment_id: first.id })).toMatchObject({
    status: 'succeeded',
    steps: expect.arrayContaining([expect.objectContaining({ action: 'pull' })]),
  })
  expect(made()).toBe('one')

  await ask('POST', '/deploy', {})
  docker('rmi', first.images.web)
  await registry.pause()
  const before = life('web')
  const failed = await ask('POST', '/rollback', { deployment_id: first.id })
  expect(failed).toMatchObject({ status: 'failed', error: expect.stringContaining('Pulling') })
  expect(life('web')).toBe(before)
})

test('a prune right after an update leaves what a rollback needs, while the registry is off', async () => {
  const id = inspect('web', '{{.Image}}')
  const deployments = await ask('GET', '/deployments')
  const last = deployments.find(({ status }: Json) => status === 'succeeded')
  const plain = docker('create', 'busybox')
  const newer = docker('commit', plain, image)
  docker('rm', plain)
  const taken = await ask('POST', '/deploy', { on_drift: 'import' })
  expect(taken, JSON.stringify(taken)).toMatchObject({ status: 'succeeded' })
  expect(inspect('web', '{{.Image}}')).toBe(newer)
  const { status, json } = await api(running, 'POST', '/images/prune', { token })
  expect([status, json.deleted]).toEqual([200, []])
  expect(json.kept).toMatchObject([{ id, tags: [], reason: 'deployment', stack: name }])
  expect(await ask('POST', '/rollback', { deployment_id: last.id })).toMatchObject({
    status: 'succeeded',
  })
  expect(inspect('web', '{{.Image}}')).toBe(id)
})
