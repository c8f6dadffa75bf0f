import { expect, test } from 'vitest'
import { nameImage } from '../../adapters/testing/memory/engine-images.ts'
import type { MemoryContainer } from '../../adapters/testing/memory/engine-state.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf, type TestCaller } from '../../local/harness/sign-in.ts'
import {
  applyOnce,
  container,
  fresh,
  hour,
  minute,
  nameOldImage,
  newest,
  old,
  publish,
  running,
  stackOf,
} from '../../local/harness/updates.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import { failedUpdate } from '../core/alerts/failed-update.ts'
import { internalError, type Reason } from '../core/errors.ts'
import { noInstallation } from '../core/owners/installation.ts'
import type { AuditRow } from '../core/records/audit-row.ts'
import { firstState, stateId } from '../core/records/retention-state.ts'
import { tryStackLease } from '../core/stacks/stack-lease.ts'
import deploy from '../stacks/deploy.ts'
import deployments from '../stacks/deployments/list.ts'
import rollback from '../stacks/rollback.ts'
import restart from '../stacks/services/restart.ts'
import scale from '../stacks/services/scale.ts'
import resetPolicy from '../stacks/update-policy/remove.ts'
import setPolicy from '../stacks/update-policy/update.ts'
import setInherited from '../update-policies/update.ts'
import apply from './apply.ts'
import list from './list.ts'
import look from './look.ts'

const olga = { username: 'olga', role: 'operator' }

// With a port it is no job.
const compose =
  'services:\n  web:\n    image: nginx:1\n    command: sleep 3600\n    ports: ["80"]\n'

interface Given {
  compose?: string
  policy?: object
}

/** A stack that runs `nginx:1`, of which the registry has a newer image that takes hold. */
async function shop({ compose: text = compose, policy = {} }: Given = {}): Promise<World> {
  const here = world()
  nameOldImage(here)
  await givenStack(here, 'shop', { compose: text })
  await save(here, policy)
  await publish(here, fresh)
  return here
}

const save = async (here: World, policy: object, name = 'shop') => {
  const body = { mode: 'apply', minimum_age_hours: 0, ...policy }
  const { ports } = here
  const { status, text } = await call(setPolicy, { ports, as: olga, path: { name }, body })
  if (status !== 200) throw new Error(text)
}

const rows = async ({ ports }: World, action = 'stacks.images') =>
  (await ports.audit.list({ action, limit: 50 })).rows.toReversed()
const summary = ({ action, outcome, values }: AuditRow) => [action, outcome, values.reason]

test('takes a newer image by its digest, watches it, and is done', async () => {
  const here = await shop()
  await applyOnce(here)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${fresh}`)
  expect(here.engine.state.images.get('nginx:1')).toBe(container(here).imageId)
  await applyOnce(here, 59_000)
  expect((await stackOf(here)).update).toBe(undefined)
  await applyOnce(here, 2_000)
  expect((await stackOf(here)).update).toMatchObject({ outcome: 'good', reason: null })
  const list = await call(deployments, { ports: here.ports, as: 'viewer', path: { name: 'shop' } })
  expect(list.json[0]).toMatchObject({ cause: 'update', by: 'olga', services: ['web'] })
  expect((await rows(here)).map(({ action, username }) => [action, username])).toEqual([
    ['stacks.images.update', 'olga'],
  ])
})

test('a deploy by a person after it changes nothing', async () => {
  const here = await shop()
  await applyOnce(here)
  const { id } = container(here)
  const { ports } = here
  const done = await call(deploy, { ports, as: 'admin', path: { name: 'shop' }, body: {} })
  expect(done.json).toMatchObject({ status: 'succeeded', cause: null, warnings: [] })
  expect(container(here).id).toBe(id)
})

test.each([
  ['its health check fails', (one: MemoryContainer) => (one.health = 'unhealthy')],
  ['it was restarted 2 times', (one: MemoryContainer) => (one.restarts = 2)],
  [
    'it ended with 1',
    (one: MemoryContainer) => Object.assign(one, { state: 'exited', exitCode: 1 }),
  ],
])('goes back to the image from before, and holds the new one back: %s', async (reason, spoil) => {
  const here = await shop()
  await applyOnce(here)
  const bad = container(here)
  bad.logs.push({ stream: 'stderr', time: '2026-11-01T10:00:00Z', line: 'no such table' })
  spoil(bad)
  here.engine.state.touch()
  await applyOnce(here, 15_000)
  await applyOnce(here, 15_000)
  expect(running(here)).toBe(`nginx@${old}`)
  await applyOnce(here, 15_000)
  expect(container(here).id).not.toBe(bad.id)
  const stack = await stackOf(here)
  expect(stack.update).toMatchObject({ outcome: 'bad', reason, rollback: { state: 'done' } })
  expect(stack.heldBack).toMatchObject([
    { digest: fresh, service: 'web', reason, log: ['no such table'] },
  ])
  expect((await rows(here)).map(summary)).toEqual([
    ['stacks.images.update', 'succeeded', undefined],
    ['stacks.images.roll-back', 'succeeded', reason],
  ])
  await applyOnce(here, 24 * hour)
  expect(running(here)).toBe(`nginx@${old}`)
  await publish(here, newest)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${newest}`)
})

test('what was unhealthy before stays with the newer image, and holds nothing back', async () => {
  const here = await shop()
  for (const after of [0, 0, 61_000]) {
    container(here).health = 'unhealthy'
    here.engine.state.touch()
    await applyOnce(here, after)
  }
  expect(running(here)).toBe(`nginx@${fresh}`)
  const stack = await stackOf(here)
  expect(stack.update).toMatchObject({
    outcome: 'unknown',
    reason: 'service web was bad before too: its health check fails',
  })
  expect([stack.heldBack, stack.openUpdate]).toEqual([undefined, undefined])
})

test('a container that someone stopped is not bad', async () => {
  const here = await shop()
  await applyOnce(here)
  const { id } = container(here)
  await here.engine.act(id, { kind: 'stop' })
  await applyOnce(here)
  await applyOnce(here, 2 * minute)
  expect((await stackOf(here)).update).toMatchObject({ outcome: 'unknown' })
  expect(running(here)).toBe(`nginx@${fresh}`)
})

test('a slow start is waited for, by the times of the health check', async () => {
  const slow = `${compose}    healthcheck:
      test: ["CMD", "true"]
      start_period: 90s
      interval: 10s
      timeout: 5s
      retries: 3
`
  const here = await shop({ compose: slow })
  await applyOnce(here)
  container(here).health = 'starting'
  here.engine.state.touch()
  await applyOnce(here)
  await applyOnce(here, 149_000)
  expect((await stackOf(here)).update).toBe(undefined)
  container(here).health = 'healthy'
  here.engine.state.touch()
  await applyOnce(here, 2_000)
  expect((await stackOf(here)).update).toMatchObject({ outcome: 'good' })
})

test('what a person deploys during the watch stays', async () => {
  const here = await shop()
  await applyOnce(here)
  const { ports } = here
  const body = { force_recreate: true }
  await call(deploy, { ports, as: 'admin', path: { name: 'shop' }, body })
  container(here).health = 'unhealthy'
  here.engine.state.touch()
  await applyOnce(here, 2 * minute)
  const stack = await stackOf(here)
  expect([stack.update, stack.heldBack]).toEqual([undefined, undefined])
  expect(running(here)).toBe(`nginx@${fresh}`)
})

test('a pull that fails changes nothing, and is tried again after an hour', async () => {
  const here = await shop()
  here.engine.state.registry.delete(`nginx@${fresh}`)
  const { id } = container(here)
  await applyOnce(here)
  await applyOnce(here, minute)
  const stack = await stackOf(here)
  expect(stack.update?.outcome).toBe('failed')
  expect([container(here).id, stack.heldBack]).toEqual([id, undefined])
  here.engine.state.registry.add(`nginx@${fresh}`)
  await applyOnce(here, 30 * minute)
  expect(container(here).id).toBe(id)
  await applyOnce(here, 30 * minute)
  expect(running(here)).toBe(`nginx@${fresh}`)
})

test('an account that lost the right blocks updates, until it has it again', async () => {
  const here = await shop()
  const { ports } = here
  const account = await accountOf(ports, { username: 'olga' })
  await ports.accounts.replace({ ...account, disabled: true })
  await applyOnce(here)
  await applyOnce(here, minute)
  expect(running(here)).toBe(`nginx@${old}`)
  expect((await stackOf(here)).updatePolicy?.actsAs?.blocked).toBe('account olga is disabled')
  await ports.accounts.replace(await accountOf(ports, { username: 'olga' }).then(enabled))
  await applyOnce(here, minute)
  await applyOnce(here, minute)
  expect(running(here)).toBe(`nginx@${fresh}`)
  expect((await rows(here)).map(({ action }) => action)).toEqual([
    'stacks.images.block',
    'stacks.images.unblock',
    'stacks.images.update',
  ])
})

const enabled = <A extends object>(account: A) => ({ ...account, disabled: false })

test('waits until the image is old enough, and the window is open', async () => {
  const window = { schedule: '0 3 * * *', timezone: 'UTC', duration_minutes: 60 }
  const here = await shop({ policy: { minimum_age_hours: 72, window } })
  await applyOnce(here, 71 * hour)
  expect(running(here)).toBe(`nginx@${old}`)
  const { clock } = here.ports
  clock.advance(24 * hour)
  await look.with(here.ports)()
  const day = 24 * hour
  const untilThree = (day + 3 * hour - (clock.now() % day)) % day
  clock.advance(untilThree - minute)
  await look.with(here.ports)()
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
  await applyOnce(here, 2 * minute)
  expect(running(here)).toBe(`nginx@${fresh}`)
})

test('after a jump of the clock nothing is taken until it is trusted again', async () => {
  const here = await shop({ policy: { minimum_age_hours: 72 } })
  const { ports } = here
  const clock = { at: ports.clock.now(), owed: 0 }
  await ports.retentionStates.create(firstState(clock))
  ports.clock.jump(80 * hour)
  await look.with(ports)()
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
  expect((await nextOf(here, 'shop')).reason).toContain('does not trust the clock yet')
  const state = present(await ports.retentionStates.find(stateId))
  await ports.retentionStates.replace({ ...state, clock: { at: ports.clock.now(), owed: 0 } })
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${fresh}`)
})

test('what changed before the deployment failed is taken back, and held back', async () => {
  const here = await shop()
  const { off } = breakDeploys(here, 'start')
  await applyOnce(here)
  off()
  expect((await stackOf(here)).openUpdate).toMatchObject({ applied: true })
  await applyOnce(here)
  await applyOnce(here)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
  expect(container(here).state).toBe('running')
  const stack = await stackOf(here)
  expect(stack.update).toMatchObject({ outcome: 'bad', rollback: { state: 'done' } })
  expect(stack.heldBack).toMatchObject([{ digest: fresh }])
})

test('a host that goes away in the middle holds nothing back; it is tried again later', async () => {
  const here = await shop()
  const { off } = breakDeploys(here, 'start', 'host-offline')
  await applyOnce(here)
  off()
  for (let step = 0; step < 3; step += 1) await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
  expect((await stackOf(here)).heldBack).toBe(undefined)
  await applyOnce(here, 59 * minute)
  expect(running(here)).toBe(`nginx@${old}`)
  await applyOnce(here, 2 * minute)
  expect(running(here)).toBe(`nginx@${fresh}`)
})

test('a restart or a pull by a person neither ends the watch nor a rollback', async () => {
  const here = await shop()
  const { ports } = here
  const path = { name: 'shop', service: 'web' }
  await applyOnce(here)
  await call(restart, { ports, as: 'admin', path, body: {} })
  container(here).health = 'unhealthy'
  here.engine.state.touch()
  await apply.with(ports)()
  await call(restart, { ports, as: 'admin', path, body: {} })
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
})

test('a rollback by a person lasts, also after a restart', async () => {
  const here = await shop()
  const { ports } = here
  const { json: all } = await call(deployments, { ports, as: 'admin', path: { name: 'shop' } })
  await applyOnce(here)
  await applyOnce(here)
  await applyOnce(here, 61_000)
  const body = { deployment_id: all[0].id }
  await call(rollback, { ports, as: 'admin', path: { name: 'shop' }, body })
  await call(restart, { ports, as: 'admin', path: { name: 'shop', service: 'web' }, body: {} })
  await applyOnce(here, 2 * hour)
  expect(running(here)).toBe(`nginx@${old}`)
})

test('an image that the registry no longer has is not taken', async () => {
  const here = await shop({ policy: { minimum_age_hours: 72 } })
  const { ports } = here
  ports.imageRegistry.answers.set('docker.io/library/nginx:1', { state: 'missing' })
  for (let day = 0; day < 8; day += 1) {
    ports.clock.advance(12 * hour)
    await look.with(ports)()
  }
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
})

test('services of one image are updated together, or by hand', async () => {
  const text = `${compose}  worker:\n    image: nginx:1\n    command: sleep 3600\n`
  const here = await shop({ compose: text, policy: { except: ['worker'] } })
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
  await save(here, {})
  await applyOnce(here)
  expect([running(here), running(here, 'shop-worker-1')]).toEqual([
    `nginx@${fresh}`,
    `nginx@${fresh}`,
  ])
})

test('keeps how many containers a person set', async () => {
  const here = await shop()
  const { ports } = here
  const path = { name: 'shop', service: 'web' }
  await call(scale, { ports, as: 'admin', path, body: { replicas: 2 } })
  await applyOnce(here)
  expect([running(here), running(here, 'shop-web-2')]).toEqual([`nginx@${fresh}`, `nginx@${fresh}`])
  expect((await stackOf(here)).verbs?.web).toMatchObject({ verb: 'scale', replicas: 2 })
})

test('services that share the network of an updated one are deployed with it', async () => {
  const text = `${compose}  proxy:\n    image: busybox:latest\n    command: sleep 3600\n    network_mode: service:web\n  other:\n    image: busybox:latest\n    command: sleep 3600\n`
  const here = await shop({ compose: text })
  const before = {
    proxy: container(here, 'shop-proxy-1').id,
    other: container(here, 'shop-other-1').id,
  }
  await applyOnce(here)
  expect(container(here, 'shop-proxy-1').id).not.toBe(before.proxy)
  expect(container(here, 'shop-other-1').id).toBe(before.other)
})

test('services that go along are taken back with the image that they had', async () => {
  const text = `${compose}  proxy:\n    image: busybox:latest\n    command: sleep 3600\n    network_mode: service:web\n`
  const here = await shop({ compose: text })
  const { imageId } = container(here, 'shop-proxy-1')
  await applyOnce(here)
  // Another stack takes a newer image of the same name.
  nameImage(here.engine.state, 'busybox:latest', 'sha256:bb22')
  Object.assign(container(here), { state: 'exited', exitCode: 1 })
  here.engine.state.touch()
  await applyOnce(here)
  await applyOnce(here)
  await applyOnce(here)
  expect((await stackOf(here)).update).toMatchObject({
    outcome: 'bad',
    rollback: { state: 'done', error: null },
  })
  expect(running(here)).toBe(`nginx@${old}`)
  expect(container(here, 'shop-proxy-1').imageId).toBe(imageId)
})

test('one stack at a time on a host: the next begins when the watch of one is over', async () => {
  const here = await shop()
  const { ports, engine } = here
  // The second stack runs the image from before as well.
  nameImage(engine.state, 'nginx:1', 'sha256:aa11')
  await givenStack(here, 'blog', { compose })
  await save(here, {}, 'blog')
  await applyOnce(here)
  expect([running(here, 'blog-web-1'), running(here)]).toEqual([`nginx@${fresh}`, `nginx@${old}`])
  await applyOnce(here)
  await applyOnce(here, 59_000)
  expect(running(here)).toBe(`nginx@${old}`)
  await applyOnce(here, 2_000)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${fresh}`)
  const { rows: all } = await ports.audit.list({ action: 'stacks.images.update', limit: 9 })
  expect(all.map(({ subject }) => subject?.id)).toEqual(['shop', 'blog'])
})

/** Two stacks that apply a newer image, of which `blog` waits for `shop`. */
async function ordered() {
  const here = await shop()
  nameImage(here.engine.state, 'nginx:1', 'sha256:aa11')
  await givenStack(here, 'blog', { compose })
  await save(here, { after: ['shop'] }, 'blog')
  return here
}

const nextOf = async ({ ports }: World, name: string, as: TestCaller = 'viewer') =>
  (await call(list, { ports, as, query: { stack: name } })).json[0].next

test('a stack waits for the update of one that its policy names', async () => {
  const here = await ordered()
  expect(await nextOf(here, 'blog')).toEqual({
    kind: 'due',
    at: null,
    reason: 'stack shop is updated first',
  })
  await applyOnce(here)
  expect([running(here, 'blog-web-1'), running(here)]).toEqual([`nginx@${old}`, `nginx@${fresh}`])
  expect((await nextOf(here, 'blog')).reason).toContain('shop is in progress')
  await applyOnce(here)
  await applyOnce(here, 61_000)
  expect(await nextOf(here, 'blog')).toMatchObject({ kind: 'due', reason: null })
  await applyOnce(here)
  expect(running(here, 'blog-web-1')).toBe(`nginx@${fresh}`)
})

test('a stack waits for an hour after a bad update of one that its policy names', async () => {
  const here = await ordered()
  await applyOnce(here)
  container(here).health = 'unhealthy'
  here.engine.state.touch()
  for (let step = 0; step < 4; step += 1) await applyOnce(here)
  expect((await stackOf(here)).update).toMatchObject({ rollback: { state: 'done' } })
  await applyOnce(here, 50 * minute)
  expect(running(here, 'blog-web-1')).toBe(`nginx@${old}`)
  expect((await nextOf(here, 'blog')).reason).toContain('was not good')
  await applyOnce(here, 10 * minute)
  expect(running(here, 'blog-web-1')).toBe(`nginx@${fresh}`)
})

test('stacks that name each other are updated in the order of their names', async () => {
  const here = await ordered()
  const stack = present(await here.ports.stacks.find('shop'))
  const { updatePolicy: policy } = stack
  // As two requests at once can save it.
  await here.ports.stacks.replace({
    ...stack,
    updatePolicy: { ...present(policy), after: ['blog', 'gone'] },
  })
  expect(await nextOf(here, 'blog')).toMatchObject({ kind: 'due', reason: null })
  await applyOnce(here)
  expect([running(here, 'blog-web-1'), running(here)]).toEqual([`nginx@${fresh}`, `nginx@${old}`])
})

test('the stack that was updated longest ago comes first', async () => {
  const here = await shop()
  nameImage(here.engine.state, 'nginx:1', 'sha256:aa11')
  await givenStack(here, 'blog', { compose })
  await save(here, {}, 'blog')
  await applyOnce(here)
  expect(running(here, 'blog-web-1')).toBe(`nginx@${fresh}`)
  await publish(here, newest)
  for (const wait of [0, 61_000, 0]) await applyOnce(here, wait)
  expect([running(here, 'blog-web-1'), running(here)]).toEqual([
    `nginx@${fresh}`,
    `nginx@${newest}`,
  ])
})

test('a stack does not wait for one whose update changed nothing, until that one is due', async () => {
  const here = await ordered()
  const { execute } = here.engine
  here.engine.execute = async () => {
    throw internalError('the disk is full')
  }
  await applyOnce(here)
  await applyOnce(here)
  expect((await stackOf(here)).update?.outcome).toBe('failed')
  here.engine.execute = execute
  expect(await nextOf(here, 'blog')).toMatchObject({ kind: 'due', reason: null })
  await applyOnce(here)
  expect(running(here, 'blog-web-1')).toBe(`nginx@${fresh}`)
})

test('an update is watched for as long as the policy says', async () => {
  const here = await shop({ policy: { watch_minutes: 10 } })
  await applyOnce(here)
  await applyOnce(here)
  await applyOnce(here, 9 * minute)
  expect((await stackOf(here)).update).toBe(undefined)
  await applyOnce(here, minute)
  expect((await stackOf(here)).update).toMatchObject({ outcome: 'good' })
})

/** A stack that inherits the policy of all stacks, which admin saved. */
async function inheriting() {
  const here = await shop()
  const { ports } = here
  await call(resetPolicy, { ports, as: olga, path: { name: 'shop' } })
  const body = { mode: 'apply', minimum_age_hours: 0 }
  await call(setInherited, { ports, as: 'admin', path: { name: 'default' }, body })
  return here
}

test('a policy of all stacks applies a newer image with the rights of who saved it', async () => {
  const here = await inheriting()
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${fresh}`)
  expect((await rows(here)).map(({ action, username }) => [action, username])).toEqual([
    ['stacks.images.update', 'admin'],
  ])
})

test('a policy of all stacks is blocked for each, reported once, until it may run again', async () => {
  const here = await inheriting()
  const { ports } = here
  const account = await accountOf(ports, { username: 'admin' })
  await ports.accounts.replace({ ...account, scopeTags: ['elsewhere'] })
  await applyOnce(here)
  await applyOnce(here, minute)
  expect(running(here)).toBe(`nginx@${old}`)
  const reason = 'host Cellar is outside the scope of account admin'
  expect((await nextOf(here, 'shop', olga)).reason).toBe(reason)
  expect((await stackOf(here)).blockedUpdates).toBe(reason)
  const again = await accountOf(ports, { username: 'admin' })
  await ports.accounts.replace({ ...again, scopeTags: [] })
  await applyOnce(here, minute)
  await applyOnce(here, minute)
  expect(running(here)).toBe(`nginx@${fresh}`)
  expect((await rows(here)).map(({ action }) => action)).toEqual([
    'stacks.images.block',
    'stacks.images.unblock',
    'stacks.images.update',
  ])
})

test('a policy of all stacks leaves out the stack that the service runs in', async () => {
  const here = await inheriting()
  here.engine.own = { ...noInstallation, projects: new Set(['shop']) }
  await applyOnce(here)
  expect([running(here), await rows(here)]).toEqual([`nginx@${old}`, []])
  expect((await nextOf(here, 'shop')).reason).toContain('the service itself runs in this stack')
})

test('waits while another operation of the stack is in progress, without a row for each try', async () => {
  const here = await shop()
  const { ports } = here
  const lease = present(await tryStackLease('shop', 'someone', ports))
  await applyOnce(here)
  await applyOnce(here, 1000)
  expect([running(here), await rows(here)]).toEqual([`nginx@${old}`, []])
  await ports.leases.release(lease)
  await applyOnce(here, 15_000)
  expect(running(here)).toBe(`nginx@${fresh}`)
})

test('goes on with a rollback that a process began to decide and did not begin', async () => {
  const here = await shop()
  await applyOnce(here)
  container(here).health = 'unhealthy'
  here.engine.state.touch()
  // The process ends right after the verdict was written.
  await apply.with(here.ports)()
  expect((await stackOf(here)).update).toMatchObject({ rollback: { state: 'due', attempts: 0 } })
  await applyOnce(here)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${old}`)
  expect((await rows(here, 'stacks.images.roll-back')).length).toBe(1)
})

test.each([
  ['the row of a verdict', 'stacks.images.roll-back', 'bad'],
  ['the row of a failure', 'stacks.images.update', 'failed'],
])('%s is written once, whenever the process ends', async (_, action, outcome) => {
  for (let ending = 0; ending < 2; ending += 1) {
    const here = await shop()
    const { audit, stacks } = here.ports
    if (outcome === 'failed') here.engine.state.registry.delete(`nginx@${fresh}`)
    await applyOnce(here)
    if (outcome === 'bad') container(here).health = 'unhealthy'
    here.engine.state.touch()
    const [append, replace] = [audit.append, stacks.replace]
    const dies = async () => {
      throw internalError('the process ended')
    }
    audit.append = async (row) => {
      if (row.action !== action) return append(row)
      // Before the row is written, and before it is known that it is.
      if (ending === 1) await append(row)
      stacks.replace = dies
      return dies()
    }
    await apply.with(here.ports)()
    Object.assign(audit, { append })
    Object.assign(stacks, { replace })
    expect((await stackOf(here)).update).toMatchObject({ outcome })
    await applyOnce(here)
    await applyOnce(here)
    const written = (await rows(here)).filter(
      (row) => row.action === action && row.values.reason !== undefined,
    )
    expect(written.length).toBe(1)
    expect((await stackOf(here)).unreported).toBe(undefined)
  }
})

test.each([
  ['before its row is written', false],
  ['before it is known that its row is written', true],
])('the row of an update that begins is written once: a process ends %s', async (_, isWritten) => {
  const here = await shop()
  const { audit, stacks } = here.ports
  const [append, replace] = [audit.append, stacks.replace]
  const dies = async () => {
    throw internalError('the process ended')
  }
  audit.append = async (row) => {
    if (row.action !== 'stacks.images.update') return append(row)
    if (isWritten) await append(row)
    stacks.replace = dies
    return dies()
  }
  await apply.with(here.ports)()
  Object.assign(audit, { append })
  Object.assign(stacks, { replace })
  await here.ports.background.settled()
  await applyOnce(here)
  await applyOnce(here)
  expect(running(here)).toBe(`nginx@${fresh}`)
  expect((await rows(here)).map(({ action, username }) => [action, username])).toEqual([
    ['stacks.images.update', 'olga'],
  ])
  expect((await stackOf(here)).unreported).toBe(undefined)
})

test('an update whose row cannot be written now has begun: no other one begins', async () => {
  const here = await shop()
  nameImage(here.engine.state, 'nginx:1', 'sha256:aa11')
  await givenStack(here, 'blog', { compose })
  await save(here, {}, 'blog')
  const { audit } = here.ports
  const { append } = audit
  audit.append = async (row) => {
    if (row.action !== 'stacks.images.update') return append(row)
    audit.append = append
    throw internalError('the store is away', { reason: 'store-unavailable' })
  }
  await applyOnce(here)
  expect([running(here, 'blog-web-1'), running(here)]).toEqual([`nginx@${fresh}`, `nginx@${old}`])
  await applyOnce(here)
  const { rows: all } = await here.ports.audit.list({ action: 'stacks.images.update', limit: 9 })
  expect(all.map(({ subject }) => subject?.id)).toEqual(['blog'])
})

test('a rollback that fails is tried again after five minutes', async () => {
  const here = await shop()
  await applyOnce(here)
  container(here).health = 'unhealthy'
  here.engine.state.touch()
  const { off } = breakDeploys(here)
  await applyOnce(here)
  await applyOnce(here)
  await applyOnce(here)
  expect((await stackOf(here)).update?.rollback).toMatchObject({ state: 'due', attempts: 1 })
  off()
  await applyOnce(here, 4 * minute)
  expect(running(here)).toBe(`nginx@${fresh}`)
  await applyOnce(here, minute)
  await applyOnce(here)
  expect((await stackOf(here)).update?.rollback).toMatchObject({ state: 'done', attempts: 2 })
  expect(running(here)).toBe(`nginx@${old}`)
})

test('a rollback that edits on the host refuse says so at once, and is tried again', async () => {
  const here = await shop()
  await applyOnce(here)
  container(here).health = 'unhealthy'
  const { files } = here.engine.state
  const path = '/opt/stacks/shop/compose.yaml'
  const written = present(files.get(path))
  files.set(path, { ...written, content: Buffer.from(`${compose}# edited\n`) })
  here.engine.state.touch()
  await applyOnce(here)
  await applyOnce(here)
  const { rollback: refused } = present((await stackOf(here)).update)
  expect(refused).toMatchObject({ state: 'due', attempts: 1 })
  expect(refused?.error).toContain('compose.yaml')
  expect(failedUpdate(await stackOf(here))).toContain(refused?.error)
  files.set(path, written)
  await applyOnce(here, 5 * minute)
  await applyOnce(here)
  expect((await stackOf(here)).update).toMatchObject({ rollback: { state: 'done' } })
  expect(running(here)).toBe(`nginx@${old}`)
})

/** Makes each start or creation of a container fail. */
function breakDeploys({ engine }: World, what = 'recreate', reason: Reason = 'engine-failed') {
  const { execute } = engine
  engine.execute = async (step, ...rest) => {
    if (step.kind === 'container' && (step.action === 'start') === (what === 'start')) {
      throw internalError('no space left on device', { reason })
    }
    return execute(step, ...rest)
  }
  const off = () => {
    engine.execute = execute
  }
  return { off }
}
