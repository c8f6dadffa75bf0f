import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import deploy from './deploy.ts'
import restart from './restart.ts'
import stop from './stop.ts'
import update from './update.ts'

const path = { name: 'shop' }
const service = (more = '') =>
  `services: {web: {image: busybox:latest, command: sleep 60${more}}}\n`
const preStop = ', pre_stop: [{command: "cp /host/etc/shadow /tmp"}]'
const postStart = ', post_start: [{command: "cp /host/etc/shadow /tmp"}]'

/**
 * An admin has deployed a service that controls its host; then the files were changed to ones that
 * an operator may deploy, with a command that would run in the old container.
 */
async function withNewHook(hook: string): Promise<World> {
  const here = world()
  await givenStack(here, 'shop', { compose: service(', privileged: true') })
  const body = { compose: service(hook) }
  const { status, text } = await call(update, { ports: here.ports, as: 'operator', path, body })
  if (status !== 200) throw new Error(text)
  here.engine.executed.splice(0)
  return here
}

const actions = ({ engine }: World) =>
  engine.executed.flatMap(({ kind, action }) => (kind === 'container' ? action : []))

test('a deploy runs no new pre_stop command in a container that controls the host', async () => {
  const here = await withNewHook(preStop)
  const { json } = await call(deploy, { ports: here.ports, as: 'operator', path, body: {} })
  expect(json.status).toBe('succeeded')
  expect(json.warnings).toContainEqual(
    expect.stringContaining(
      'the option privileged: this requires the permission stacks:privileged',
    ),
  )
  expect(actions(here)).not.toContain('exec')
  expect(actions(here)).toContain('stop')
})

test('a stop runs no new pre_stop command there either, and stops the container', async () => {
  const here = await withNewHook(preStop)
  await call(stop, { ports: here.ports, as: 'operator', path, body: {} })
  expect(actions(here)).toEqual(['stop', 'remove'])
})

test('a restart runs no new post_start command there', async () => {
  const here = await withNewHook(postStart)
  await call(restart, { ports: here.ports, as: 'operator', path, body: {} })
  expect(actions(here)).toEqual(['restart'])
})

test('a stop by an operator runs the command that the container was created with', async () => {
  const here = world()
  await givenStack(here, 'shop', { compose: service(`, privileged: true${preStop}`) })
  here.engine.executed.splice(0)
  await call(stop, { ports: here.ports, as: 'operator', path, body: {} })
  expect(actions(here)).toEqual(['exec', 'stop', 'remove'])
})

test('an admin’s deploy runs it, and so does a deploy of an ordinary container', async () => {
  const here = await withNewHook(preStop)
  await call(deploy, { ports: here.ports, as: 'admin', path, body: {} })
  expect(actions(here)).toContain('exec')
  here.engine.executed.splice(0)
  const body = { force_recreate: true }
  const { json } = await call(deploy, { ports: here.ports, as: 'operator', path, body })
  expect([json.status, actions(here).filter((one) => one === 'exec')]).toEqual([
    'succeeded',
    ['exec'],
  ])
})
