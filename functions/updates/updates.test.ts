import { expect, test } from 'vitest'
import { heldBackImage } from '../../adapters/testing/contract/samples.ts'
import { nameImage } from '../../adapters/testing/memory/engine-images.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import { givenHost, givenStack, type World, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import { RegistryAccountRefused, RegistryLimited } from '../core/ports/image-registry.ts'
import type { TagAnswer } from '../core/records/image-manifest.ts'
import { firstState, stateId } from '../core/records/retention-state.ts'
import type { StackRecord } from '../core/records/stack.ts'
import deploy from '../stacks/deploy.ts'
import rollback from '../stacks/rollback.ts'
import savePolicy from '../stacks/update-policy/update.ts'
import check from './check.ts'
import list from './list.ts'
import look from './look.ts'

const digest = (letter: string) => `sha256:${letter.repeat(64)}`
const [old, fresh, newest] = ['0', '1', '2'].map(digest) as [string, string, string]
const hour = 3_600_000
const name = 'docker.io/library/nginx:1'
const found = (of: string, quota?: { remaining: number; limit: number }): TagAnswer => ({
  state: 'found',
  digest: of,
  quota,
})

const badImage = { ...heldBackImage, digest: fresh }
const compose = 'services:\n  web:\n    image: nginx:1\n    command: sleep 3600\n'

/** A stack that runs an image which was pulled, and whose registry has the same. */
async function shop(names = ['shop']): Promise<World> {
  const here = world()
  nameImage(here.engine.state, 'nginx:1', 'sha256:aa11')
  nameImage(here.engine.state, `nginx@${old}`, 'sha256:aa11')
  for (const one of names) await givenStack(here, one, { compose })
  const { answers, manifests } = here.ports.imageRegistry
  answers.set(name, found(old))
  for (const one of [fresh, newest]) manifests.set(one, { kind: 'image', config: one })
  return here
}

/** Lets time pass and looks once. */
async function pass({ ports }: World, milliseconds: number) {
  ports.clock.advance(milliseconds)
  await look.with(ports)()
}

/** Looks until the registry was asked for the first time. */
async function firstLook(here: World) {
  await pass(here, 0)
  await pass(here, 5 * 60_000)
}

const updates = async ({ ports }: World, query = {}) =>
  (await call(list, { ports, as: 'viewer', query })).json

test('an image that a clock far ahead saw is seen again once the clock is trusted', async () => {
  const here = await shop()
  const { ports } = here
  await firstLook(here)
  await ports.retentionStates.create(firstState({ at: ports.clock.now(), owed: 0 }))
  ports.clock.jump(1000 * hour)
  ports.imageRegistry.answers.set(name, found(fresh))
  await pass(here, 0)
  const wrong = ports.clock.now()
  ports.clock.jump(-1000 * hour)
  await pass(here, 8 * hour)
  const seenAt = async () => present(await ports.imageLooks.find(name)).seenAt
  expect(await seenAt()).toBe(wrong)
  const state = present(await ports.retentionStates.find(stateId))
  const now = ports.clock.now() + 8 * hour
  await ports.retentionStates.replace({ ...state, clock: { at: now, owed: 0 } })
  await pass(here, 8 * hour)
  expect(await seenAt()).toBe(now)
  await pass(here, 8 * hour)
  expect(await seenAt()).toBe(now)
})

test('200: says that an image is current only after a look', async () => {
  const here = await shop()
  expect(await updates(here)).toMatchObject([
    { state: 'unknown', reason: 'the registry was not asked yet', checked_at: null },
  ])
  await firstLook(here)
  const [update] = await updates(here)
  expect(update).toMatchObject({
    stack: 'shop',
    service: 'web',
    image: 'nginx:1',
    host_id: 'local',
    state: 'current',
    reason: null,
    newer: null,
    running: ['sha256:aa11'],
    checked_at: new Date(here.ports.clock.now()).toISOString(),
    next: { kind: 'none', at: null, reason: null },
  })
  const next = Date.parse(update.next_check_at) - here.ports.clock.now()
  expect(next / hour).toBeGreaterThan(5.3)
  expect(next / hour).toBeLessThan(6.7)
})

test('asks once for a tag, however many stacks use it, and not before it is due', async () => {
  const here = await shop(['shop', 'blog', 'wiki'])
  await firstLook(here)
  await pass(here, 5 * hour)
  const { requests } = here.ports.imageRegistry
  expect(requests).toEqual([`HEAD ${name}`])
  await pass(here, 2 * hour)
  expect(requests).toEqual([`HEAD ${name}`, `HEAD ${name}`])
})

test('finds a newer image, and remembers when it first saw it', async () => {
  const here = await shop(['shop', 'blog'])
  here.engine.state.imageLabels.set('sha256:aa11', {
    'org.opencontainers.image.source': 'https://example.org/nginx',
  })
  await firstLook(here)
  const { answers, manifests } = here.ports.imageRegistry
  answers.set(name, found(fresh))
  manifests.set(fresh, { kind: 'image', config: 'sha256:bb22' })
  await pass(here, 7 * hour)
  const seen = new Date(here.ports.clock.now()).toISOString()
  await pass(here, 7 * hour)
  expect(await updates(here, { state: 'newer' })).toMatchObject([
    { stack: 'blog', newer: { digest: fresh, seen_at: seen } },
    { stack: 'shop', source_url: 'https://example.org/nginx' },
  ])
  const { rows } = await here.ports.audit.list({ action: 'images.outdated', limit: 9 })
  expect(rows.map(({ subject, values }) => [subject?.id, values])).toEqual([
    ['shop', { image: name, digest: fresh, services: 'web' }],
    ['blog', { image: name, digest: fresh, services: 'web' }],
  ])
  answers.set(name, found(newest))
  await pass(here, 7 * hour)
  const later = await here.ports.audit.list({ action: 'images.outdated', limit: 9 })
  expect(later.rows).toHaveLength(4)
})

test('is current again as soon as the newer image runs, without a further request', async () => {
  const here = await shop()
  here.ports.imageRegistry.answers.set(name, found(fresh))
  await firstLook(here)
  expect((await updates(here))[0].state).toBe('newer')
  const [container] = here.engine.state.containers.values()
  nameImage(here.engine.state, `nginx@${fresh}`, 'sha256:bb22')
  present(container).imageId = 'sha256:bb22'
  here.engine.state.touch()
  expect((await updates(here))[0]).toMatchObject({ state: 'current', running: ['sha256:bb22'] })
})

test('never says current after a look that failed, and keeps what is known to be newer', async () => {
  const here = await shop()
  const { answers } = here.ports.imageRegistry
  await firstLook(here)
  answers.set(name, 'docker.io: no route to host')
  await pass(here, 7 * hour)
  expect(await updates(here)).toMatchObject([
    { state: 'unknown', reason: 'docker.io: no route to host' },
  ])
  answers.set(name, found(fresh))
  await pass(here, hour)
  answers.set(name, 'docker.io: no route to host')
  await pass(here, 7 * hour)
  expect(await updates(here)).toMatchObject([
    { state: 'newer', reason: 'docker.io: no route to host' },
  ])
})

test('stops for all tags of a registry that takes no requests, and goes on after', async () => {
  const here = world()
  const services = Array.from({ length: 9 }, (_, index) => `i${index}`)
  for (const one of services) {
    nameImage(here.engine.state, `team/${one}:1`, `sha256:aa${one}`)
    nameImage(here.engine.state, `team/${one}@${old}`, `sha256:aa${one}`)
    here.ports.imageRegistry.answers.set(`docker.io/team/${one}:1`, new RegistryLimited(600))
  }
  const lines = services.map((one) => `  ${one}:\n    image: team/${one}:1\n`)
  await givenStack(here, 'shop', { compose: `services:\n${lines.join('')}` })
  await firstLook(here)
  const { requests, answers } = here.ports.imageRegistry
  // Two are asked at once.
  expect(requests.length).toBeLessThanOrEqual(2)
  const all = await updates(here)
  expect(all.map((one: { state: string }) => one.state)).toEqual(services.map(() => 'unknown'))
  expect(all[8]).toMatchObject({
    reason: 'docker.io takes no further requests for now',
    next_check_at: new Date(here.ports.clock.now() + 600_000).toISOString(),
  })
  for (const one of services) answers.set(`docker.io/team/${one}:1`, found(old))
  await pass(here, 300_000)
  expect(requests.length).toBeLessThanOrEqual(2)
  await pass(here, 300_000)
  expect(requests.length).toBeGreaterThanOrEqual(10)
  expect(await updates(here, { state: 'current' })).toHaveLength(9)
})

test('tries refused credentials for one tag, until someone asks again', async () => {
  const here = world()
  const services = Array.from({ length: 9 }, (_, index) => `i${index}`)
  for (const one of services) {
    nameImage(here.engine.state, `team/${one}:1`, `sha256:aa${one}`)
    nameImage(here.engine.state, `team/${one}@${old}`, `sha256:aa${one}`)
    here.ports.imageRegistry.answers.set(`docker.io/team/${one}:1`, new RegistryAccountRefused())
  }
  const lines = services.map((one) => `  ${one}:\n    image: team/${one}:1\n`)
  await givenStack(here, 'shop', { compose: `services:\n${lines.join('')}` })
  await firstLook(here)
  const { requests, answers } = here.ports.imageRegistry
  // Two are asked at once.
  expect(requests.length).toBeLessThanOrEqual(2)
  await pass(here, 10 * 60_000)
  expect(requests.length).toBeLessThanOrEqual(2)
  const reason = 'the registry refuses it: it does not accept the credentials'
  const all = await updates(here)
  expect(all.map((one: { reason: string }) => one.reason)).toEqual(services.map(() => reason))
  for (const one of services) answers.set(`docker.io/team/${one}:1`, found(old))
  expect((await call(check, { ports: here.ports, as: 'operator', body: {} })).status).toBe(200)
  await pass(here, 0)
  expect(await updates(here, { state: 'current' })).toHaveLength(9)
})

test('keeps the last fifth of the requests of a registry for pulls, also in later runs', async () => {
  const here = await shop()
  const { answers, requests } = here.ports.imageRegistry
  answers.set(name, found(old, { remaining: 12, limit: 100 }))
  await firstLook(here)
  nameImage(here.engine.state, 'team/b:1', 'sha256:cc33')
  nameImage(here.engine.state, `team/b@${old}`, 'sha256:cc33')
  answers.set('docker.io/team/b:1', found(fresh))
  await givenStack(here, 'two', { compose: compose.replace('nginx:1', 'team/b:1') })
  await firstLook(here)
  await pass(here, 15_000)
  expect(requests).toEqual([`HEAD ${name}`])
  const reason = 'docker.io takes no further requests for now (12 of 100 left)'
  expect(await updates(here, { stack: 'two' })).toMatchObject([{ state: 'unknown', reason }])
  await pass(here, hour)
  expect(requests).toContain('HEAD docker.io/team/b:1')
})

test('one image of two platforms is judged for each host', async () => {
  const here = await shop()
  const far = await givenHost(here, 'far')
  nameImage(far.engine.state, 'nginx:1', 'sha256:aa11')
  nameImage(far.engine.state, `nginx@${old}`, 'sha256:aa11')
  await givenStack(here, 'blog', { compose, host: 'far' })
  const { resolve } = far.engine
  far.engine.resolve = async (names) => {
    const resolved = await resolve(names)
    for (const image of Object.values(resolved.images)) {
      image.platform = { os: 'linux', architecture: 'arm64' }
    }
    return resolved
  }
  const { answers, manifests, requests } = here.ports.imageRegistry
  answers.set(name, found(fresh))
  manifests.set(fresh, {
    kind: 'index',
    images: [
      { platform: { os: 'linux', architecture: 'amd64' }, digest: digest('8') },
      { platform: { os: 'linux', architecture: 'arm64' }, digest: digest('9') },
    ],
  })
  manifests.set(digest('8'), { kind: 'image', config: 'sha256:aa11' })
  manifests.set(digest('9'), { kind: 'image', config: 'sha256:bb22' })
  await firstLook(here)
  expect(await updates(here, { stack: 'shop' })).toMatchObject([{ state: 'current' }])
  expect(await updates(here, { stack: 'blog' })).toMatchObject([{ state: 'newer' }])
  expect(requests.filter((one) => one === `GET ${fresh}`)).toHaveLength(1)
})

test('500 services of 120 tags: one request for each, none while the registry takes none', async () => {
  const here = world()
  const { answers, requests } = here.ports.imageRegistry
  const tags = Array.from({ length: 120 }, (_, at) => `team/app${at}:1`)
  for (const [at, tag] of tags.entries()) {
    nameImage(here.engine.state, tag, `sha256:aa${at}`)
    nameImage(here.engine.state, `team/app${at}@${old}`, `sha256:aa${at}`)
    // The quota is used up by and by.
    answers.set(`docker.io/${tag}`, found(old, { remaining: 40 - at, limit: 100 }))
  }
  const limited = tags.slice(15)
  for (const tag of limited) answers.set(`docker.io/${tag}`, new RegistryLimited(600))
  for (let stack = 0; stack < 10; stack += 1) {
    const services = Array.from({ length: 50 }, (_, at) => {
      const image = tags[(stack * 50 + at) % tags.length]
      return `  s${at}: {image: "${image}", command: sleep 60}\n`
    })
    await givenStack(here, `stack${stack}`, { compose: `services:\n${services.join('')}` })
  }
  await firstLook(here)
  // Two requests are on their way when the registry says that it takes none.
  const stopped = requests.length
  expect(stopped).toBeLessThanOrEqual(17)
  await pass(here, 300_000)
  expect(requests).toHaveLength(stopped)
  const unknown = await updates(here, { state: 'unknown' })
  expect(unknown.length).toBeGreaterThan(400)
  for (const tag of tags) answers.set(`docker.io/${tag}`, found(old))
  for (let run = 0; run < 4; run += 1) await pass(here, 30 * 60_000)
  expect(await updates(here, { state: 'current' })).toHaveLength(500)
  expect(requests.length - stopped).toBeLessThanOrEqual(121)
}, 30_000)

test('a success long ago says nothing of today', async () => {
  const here = await shop()
  await firstLook(here)
  here.ports.clock.advance(13 * hour)
  expect(await updates(here)).toMatchObject([
    { state: 'unknown', reason: 'the registry was not asked for too long' },
  ])
  await here.ports.settings.save({ 'updates.check_hours': 0 })
  expect(await updates(here)).toMatchObject([
    { state: 'unknown', reason: 'no registry is asked: updates.check_hours is 0' },
  ])
})

test('a registry that cannot be reached is not asked for its other tags', async () => {
  const here = await shop()
  const { answers, requests } = here.ports.imageRegistry
  const away = internalError('docker.io: connection refused', { reason: 'registry-unreachable' })
  for (const one of ['b', 'c', 'd', 'e', 'f']) {
    nameImage(here.engine.state, `team/${one}:1`, `sha256:cc${one}`)
    nameImage(here.engine.state, `team/${one}@${old}`, `sha256:cc${one}`)
    answers.set(`docker.io/team/${one}:1`, away)
    await givenStack(here, one, { compose: compose.replace('nginx:1', `team/${one}:1`) })
  }
  answers.set(name, away)
  await firstLook(here)
  expect(requests.length).toBeLessThanOrEqual(2)
  const reasons = (await updates(here)).map((one: { reason: string }) => one.reason)
  expect(new Set(reasons)).toEqual(new Set(['docker.io: connection refused']))
})

test('a request in the middle of a look neither loses its result nor repeats the event', async () => {
  const here = await shop()
  const { ports } = here
  ports.imageRegistry.answers.set(name, found(fresh))
  await pass(here, 0)
  const { digestOf } = ports.imageRegistry
  ports.imageRegistry.digestOf = async (...given) => {
    const one = present(await ports.imageLooks.find(name))
    await ports.imageLooks.replace({ ...one, nextAt: ports.clock.now() })
    return digestOf(...given)
  }
  await pass(here, 5 * 60_000)
  await pass(here, 15_000)
  expect(await updates(here)).toMatchObject([{ state: 'newer' }])
  const { rows } = await ports.audit.list({ action: 'images.outdated', limit: 9 })
  expect(rows).toHaveLength(1)
})

test('a stack that begins to run an outdated image later has its own event', async () => {
  const here = await shop()
  here.ports.imageRegistry.answers.set(name, found(fresh))
  await firstLook(here)
  await givenStack(here, 'blog', { compose })
  await pass(here, 15_000)
  const { rows } = await here.ports.audit.list({ action: 'images.outdated', limit: 9 })
  expect(rows.map(({ subject }) => subject?.id).sort()).toEqual(['blog', 'shop'])
})

test.each([
  [`nginx@${digest('7')}`, 'the compose file pins the image to a digest'],
  ['nas:5000/x', 'the registry "nas:5000" is neither a public DNS name'],
  ['busybox:latest', 'the image was built or loaded on its host, not pulled'],
])('%s is not checked: %s', async (image, reason) => {
  const here = await shop()
  nameImage(here.engine.state, image, 'sha256:dd44')
  if (image.startsWith('nas')) nameImage(here.engine.state, `nas:5000/x@${old}`, 'sha256:dd44')
  await givenStack(here, 'other', { compose: compose.replace('nginx:1', image) })
  await firstLook(here)
  const [update] = await updates(here, { stack: 'other' })
  expect(update).toMatchObject({ state: 'not_checked', checked_at: null, next_check_at: null })
  expect(update.reason).toContain(reason)
  expect(here.ports.imageRegistry.requests).toEqual([`HEAD ${name}`])
})

test('asks nothing while the setting is 0', async () => {
  const here = await shop()
  await here.ports.settings.save({ 'updates.check_hours': 0 })
  await firstLook(here)
  expect(here.ports.imageRegistry.requests).toEqual([])
  expect((await updates(here))[0].next_check_at).toBe(null)
})

test('a look that a clock ahead planned is made at once', async () => {
  const here = await shop()
  await firstLook(here)
  here.ports.clock.jump(400 * 24 * hour)
  await pass(here, 0)
  here.ports.clock.jump(-400 * 24 * hour)
  await pass(here, 0)
  expect(here.ports.imageRegistry.requests).toHaveLength(3)
})

test('a shorter period counts at once, also for looks that were planned before', async () => {
  const here = await shop()
  await here.ports.settings.save({ 'updates.check_hours': 48 })
  await firstLook(here)
  await here.ports.settings.save({ 'updates.check_hours': 6 })
  await pass(here, 0)
  expect(here.ports.imageRegistry.requests).toHaveLength(2)
  expect(await updates(here)).toMatchObject([{ state: 'current' }])
})

test('a registry that is closed for longer than a period is not asked before', async () => {
  const here = await shop()
  const { answers, requests } = here.ports.imageRegistry
  await here.ports.settings.save({ 'updates.check_hours': 1 })
  answers.set(name, new RegistryLimited(20 * 3600))
  await firstLook(here)
  await pass(here, 10 * hour)
  await pass(here, 9 * hour)
  expect(requests).toHaveLength(1)
  answers.set(name, found(old))
  await pass(here, hour)
  expect(await updates(here)).toMatchObject([{ state: 'current' }])
})

test('forgets tags a month after no stack uses them', async () => {
  const here = await shop()
  await firstLook(here)
  const stack = present(await here.ports.stacks.find('shop'))
  await here.ports.stacks.remove('shop')
  await pass(here, 29 * 24 * hour)
  expect(await here.ports.imageLooks.list()).toHaveLength(1)
  await pass(here, 2 * 24 * hour)
  expect(await here.ports.imageLooks.list()).toHaveLength(0)
  expect(stack.id).toBe('shop')
})

test('200 and 404: names hosts that do not respond', async () => {
  const here = await shop()
  const { off } = await givenHost(here, 'far', { tags: ['edge'] })
  await givenStack(here, 'blog', { compose, host: 'far', deployed: false })
  off()
  await firstLook(here)
  expect(await updates(here, { host: 'all' })).toMatchObject({
    items: [{ stack: 'shop' }],
    unreachable_hosts: [{ host_id: 'far' }],
  })
  const missing = await call(list, { ports: here.ports, as: 'viewer', query: { stack: 'none' } })
  expect(missing.status).toBe(404)
})

test('200: looks soon if someone asks for it, at most once a minute for a tag', async () => {
  const here = await shop()
  const { ports } = here
  const ask = async (body = {}) => {
    const { status, json } = await call(check, { ports, as: 'operator', body })
    await look.with(ports)()
    return [status, json.tags]
  }
  expect(await ask({ stack: 'shop' })).toEqual([200, 1])
  expect((await updates(here))[0].state).toBe('current')
  expect(await ask()).toEqual([200, 0])
  ports.clock.advance(61_000)
  expect(await ask()).toEqual([200, 1])
  expect(ports.imageRegistry.requests).toHaveLength(2)
})

test('404 and 409: there is no such stack, or the settings say never to look', async () => {
  const { ports } = await shop()
  expect((await call(check, { ports, as: 'operator', body: { stack: 'none' } })).status).toBe(404)
  await ports.settings.save({ 'updates.check_hours': 0 })
  expect((await call(check, { ports, as: 'operator', body: {} })).status).toBe(409)
})

test('proposes tags of newer versions, also while the tag itself has nothing newer', async () => {
  const here = await shop()
  const { answers } = here.ports.imageRegistry
  for (const tag of ['2', '3', '3-alpine', '3.1']) {
    answers.set(`docker.io/library/nginx:${tag}`, found(fresh))
  }
  await firstLook(here)
  expect(await updates(here)).toMatchObject([
    { state: 'current', newer_tags: [{ tag: '3', change: 'major', lines: [] }] },
  ])
  const lines = [{ file: 'compose.yaml', line: 3, text: 'image: nginx:3' }]
  expect(await updates(here, { stack: 'shop' })).toMatchObject([
    { newer_tags: [{ tag: '3', change: 'major', lines }] },
  ])
})

/** A stack with a newer image, which its policy applies at once. Olga saved it. */
async function outdated(names?: string[]) {
  const here = await shop(names)
  here.ports.imageRegistry.answers.set(name, found(fresh))
  for (const one of names ?? ['shop']) await setPolicy(here, { minimum_age_hours: 0 }, one)
  await firstLook(here)
  return here
}

const olga = { username: 'olga', role: 'operator' }
async function setPolicy({ ports }: World, more: object, stack = 'shop') {
  const body = { mode: 'apply', ...more }
  const { status, text } = await call(savePolicy, { ports, as: olga, path: { name: stack }, body })
  if (status !== 200) throw new Error(text)
}

const next = async (here: World) => (await updates(here))[0].next

async function change({ ports }: World, to: Partial<StackRecord>) {
  await ports.stacks.replace({ ...present(await ports.stacks.find('shop')), ...to })
}

const due = { kind: 'due', at: null, reason: null }
const byHand = (reason: string) => ({ kind: 'by_hand', at: null, reason })

test('says what happens next: by the policy, its window and the age of the image', async () => {
  const here = await outdated()
  const { ports } = here
  expect(await next(here)).toEqual(due)
  const at = (hours: number) => new Date(ports.clock.now() + hours * hour).toISOString()
  await setPolicy(here, { minimum_age_hours: 30 })
  expect(await next(here)).toEqual({ kind: 'planned', at: at(30), reason: null })
  const inAnHour = `0 ${new Date(ports.clock.now() + hour).getUTCHours()} * * *`
  await setPolicy(here, {
    window: { schedule: inAnHour, duration_minutes: 5 },
    minimum_age_hours: 0,
  })
  expect(await next(here)).toMatchObject({ kind: 'planned', at: expect.stringMatching(/:00:00/) })
  await setPolicy(here, { mode: 'notify' })
  expect(await next(here)).toEqual(byHand('the mode of the update policy is not apply'))
})

const changes: [string, Partial<StackRecord>][] = [
  [
    'this image is held back after an update: allow it, or wait for a newer one',
    { heldBack: [badImage] },
  ],
  ['the newest files of the stack are not deployed: deploy them', { contentRevision: 7 }],
  ['the stack is stopped or down: deploy it', { deployed: false }],
  ['the stack is stopped or down: deploy it', { down: true }],
  [
    'the last deployment of the stack failed: deploy it again',
    { last: { deploymentId: 'x', status: 'failed' } },
  ],
  ['the service was stopped: start it', { verbs: { web: { verb: 'stop', by: 'ada', at: 1 } } }],
]

test.each(changes)('no update runs: %s', async (reason, to) => {
  const here = await outdated()
  await change(here, to)
  expect(await next(here)).toEqual(byHand(reason))
})

test('shows when an update that failed is tried again, and one that is watched', async () => {
  const here = await outdated()
  const now = here.ports.clock.now()
  const ofLast = { reason: 'no space left', deploymentId: null }
  await change(here, { update: { ...ofLast, outcome: 'failed', at: now } })
  const again = new Date(now + hour).toISOString()
  expect(await next(here)).toEqual({ kind: 'planned', at: again, reason: null })
  // A clock that was ahead recorded it.
  await change(here, { update: { ...ofLast, outcome: 'failed', at: now + 99 * hour } })
  expect(await next(here)).toEqual(due)
  await change(here, { openUpdate: { deploymentId: 'd1', services: ['web'] } })
  expect(await next(here)).toEqual({ kind: 'watched', at: null, reason: null })
  await change(here, { openUpdate: { deploymentId: 'd1', services: ['db'] } })
  expect(await next(here)).toEqual(due)
  await change(here, { openUpdate: undefined })
  expect(await next(here)).toEqual(due)
})

test('no update undoes a rollback, until the next deploy', async () => {
  const here = await outdated()
  const { ports } = here
  const path = { name: 'shop' }
  const [first] = await ports.deployments.listByStack('shop', 1)
  const body = { deployment_id: present(first).id }
  const rolledBack = await call(rollback, { ports, as: olga, path, body })
  expect([rolledBack.status, await next(here)]).toEqual([
    200,
    byHand('the stack was rolled back: deploy it to resume updates'),
  ])
  await call(deploy, { ports, as: olga, path, body: { force_recreate: true } })
  expect(await next(here)).toEqual(due)
})

test('no update starts a service that does not run; a job that ended is no such service', async () => {
  const here = await outdated()
  await here.engine.act('shop-web-1', { kind: 'kill', signal: 'KILL' })
  expect(await next(here)).toEqual(byHand('the service does not run: start it'))
  const [container] = here.engine.state.containers.values()
  Object.assign(present(container), { exitCode: 0 })
  here.engine.state.touch()
  expect(await next(here)).toEqual(due)
  await change(here, { services: { web: { containers: 1, job: false, image: 'nginx:1' } } })
  expect(await next(here)).toEqual(byHand('the service does not run: start it'))
})

test('rights are judged once for a stack, by those that its account has now', async () => {
  const here = await outdated()
  const { ports } = here
  const account = await accountOf(ports, olga)
  await ports.accounts.replace({ ...account, disabled: true })
  expect(await next(here)).toEqual(byHand('account olga is disabled'))
})

test('no registry is asked for a stack whose policy is off', async () => {
  const here = await shop()
  const { requests } = here.ports.imageRegistry
  await setPolicy(here, { mode: 'off' })
  await firstLook(here)
  expect(requests).toEqual([])
  expect((await call(check, { ports: here.ports, as: 'operator', body: {} })).json.tags).toBe(0)
  const [update] = await updates(here)
  expect(update).toMatchObject({
    state: 'not_checked',
    reason: 'the update policy of the stack is off',
    next: { kind: 'none' },
  })
})

test('a stack whose policy is off has no event for an image that another stack looks for', async () => {
  const here = await shop(['shop', 'blog'])
  await setPolicy(here, { mode: 'off' })
  here.ports.imageRegistry.answers.set(name, found(fresh))
  await firstLook(here)
  expect(await updates(here)).toMatchObject([
    { stack: 'blog', state: 'newer' },
    { stack: 'shop', state: 'not_checked', newer: null },
  ])
  const { rows } = await here.ports.audit.list({ action: 'images.outdated', limit: 9 })
  expect(rows.map(({ subject }) => subject?.id)).toEqual(['blog'])
  await setPolicy(here, {})
  await pass(here, 7 * hour)
  const later = await here.ports.audit.list({ action: 'images.outdated', limit: 9 })
  expect(later.rows.map(({ subject }) => subject?.id)).toEqual(['shop', 'blog'])
})
