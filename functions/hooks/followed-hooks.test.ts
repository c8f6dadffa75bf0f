import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { changedShop, givenFollowed, olga, path } from '../../local/harness/followed-source.ts'
import { givenStack } from '../../local/harness/world.ts'
import { SourceFailure } from '../core/ports/source-reader.ts'
import createSource from '../sources/create.ts'
import listDeployments from '../stacks/deployments/list.ts'
import createHook from '../stacks/hook/create.ts'
import get from '../stacks/hook/get.ts'
import rollback from '../stacks/rollback.ts'
import removeSource from '../stacks/source/remove.ts'
import bindSource from '../stacks/source/update.ts'
import stop from '../stacks/stop.ts'
import deploy from './deploy.ts'
import deployFollowed from './deploy-followed.ts'
import receive from './receive.ts'

const url = 'oci://registry.example.org/team/shop'

/** A stack that follows a source, with a hook of the stack that an admin made. */
async function given(binding: object) {
  const followed = await givenFollowed(binding)
  const { ports } = followed
  await followed.run()
  const made = await call(createHook, { ports, as: 'admin', path })
  const { secret, path: address } = made.json as { secret: string; path: string }
  const id = address.slice('/api/v1/hooks/'.length)
  const send = () => call(receive, { ports, path: { id }, headers: { 'x-gitlab-token': secret } })
  /** Both schedules of hooks, long after the last look. */
  const pass = async (after = 10_000) => {
    ports.clock.advance(after)
    await deploy.with(ports)()
    await deployFollowed.with(ports)()
    await ports.background.settled()
  }
  const deployments = async () =>
    (await call(listDeployments, { ports, as: 'viewer', path })).json as {
      id: string
      cause: string | null
      by: string
      source: { trigger: string; revision: string } | null
    }[]
  const hooked = async () => (await deployments()).filter(({ cause }) => cause === 'hook')
  const shown = async () => (await call(get, { ports, as: 'admin', path })).json
  const compose = async () =>
    present(await ports.stacks.find('shop')).source?.synced?.revision ?? null
  return { ...followed, send, pass, deployments, hooked, shown, revision: compose }
}

test.each(['notify', 'plan', 'deploy'])(
  'with %s the newest files are deployed, once, as the account of the hook',
  async (on_change) => {
    const it = await given({ on_change })
    it.publish('r2', { 'compose.yaml': changedShop })
    const before = (await it.deployments()).length
    await it.send()
    await it.pass()
    await it.pass()
    const all = await it.deployments()
    expect(all.length).toBe(before + 1)
    expect(all[0]).toMatchObject({
      cause: 'hook',
      by: 'admin',
      source: { trigger: 'hook', revision: 'r2' },
    })
    expect(await it.shown()).toMatchObject({ is_waiting: false, last_deployment: { error: null } })
  },
)

test('with nothing new it is deployed with its newest images', async () => {
  const it = await given({})
  await it.send()
  await it.pass()
  expect(await it.hooked()).toMatchObject([{ source: { revision: 'r1' } }])
  const [deployment] = await it.ports.deployments.listByStack('shop', 1)
  expect(present(deployment).options.pull).toBe('always')
})

test('within the pause after a look it waits, and then has what is newest', async () => {
  const it = await given({})
  await it.run()
  it.publish('r2', { 'compose.yaml': changedShop })
  await it.send()
  await it.pass(1_000)
  expect([await it.hooked(), (await it.shown()).is_waiting]).toEqual([[], true])
  await it.pass(5_000)
  expect(await it.hooked()).toMatchObject([{ source: { revision: 'r2' } }])
})

test('a rollback lasts until the source has something new', async () => {
  const it = await given({})
  const first = present((await it.deployments()).at(-1)).id
  it.publish('r2', { 'compose.yaml': changedShop })
  await it.run()
  const body = { deployment_id: first }
  expect((await call(rollback, { ports: it.ports, as: olga, path, body })).status).toBe(200)
  await it.send()
  await it.pass()
  expect(await it.hooked()).toEqual([])
  expect(await it.shown()).toMatchObject({
    last_deployment: { error: expect.stringContaining('rolled back') },
  })
  it.publish('r3', { 'compose.yaml': changedShop.replace('x-changed: 1', 'x-changed: 3') })
  await it.send()
  await it.pass()
  expect(await it.hooked()).toMatchObject([{ source: { revision: 'r3' } }])
})

test('a stopped stack takes the files and stays stopped', async () => {
  const it = await given({})
  await call(stop, { ports: it.ports, as: olga, path })
  it.publish('r2', { 'compose.yaml': changedShop })
  await it.send()
  await it.pass()
  expect([await it.hooked(), await it.revision()]).toEqual([[], 'r2'])
  expect(await it.shown()).toMatchObject({
    last_deployment: { deployment_id: null, error: 'the stack is not deployed' },
  })
})

test('a source that cannot be read deploys nothing, and why is not told', async () => {
  const it = await given({})
  it.ports.sourceReader.refs.set(`${url} at 1`, new SourceFailure('denied', 'as puller'))
  await it.send()
  await it.pass()
  expect(await it.hooked()).toEqual([])
  const { last_deployment: last } = await it.shown()
  expect(last.error).toContain('the source cannot be read')
  expect(last.error).not.toContain('puller')
})

test('files that are refused deploy nothing, and the hook says why', async () => {
  const it = await given({})
  it.publish('r2', { 'compose.yaml': 'services: 1\n' })
  await it.send()
  await it.pass()
  expect(await it.hooked()).toEqual([])
  expect(await it.shown()).toMatchObject({
    is_waiting: false,
    last_deployment: { deployment_id: null, error: expect.any(String) },
  })
})

test('a stack that follows nothing any more is deployed as it is', async () => {
  const it = await given({})
  await call(removeSource, { ports: it.ports, as: olga, path })
  await it.send()
  await it.pass()
  expect(await it.hooked()).toMatchObject([{ source: null }])
})

test('a slow server holds up no other, and its further stacks wait for the next run', async () => {
  const it = await given({})
  const { ports, here } = it
  const slow = 'oci://slow.example.org/team/shop'
  ports.sourceReader.refs.set(`${slow} at 1`, 'r1')
  const sends: (() => Promise<{ status: number }>)[] = []
  for (const name of ['a', 'b']) {
    await givenStack(here, name)
    const body = { name, kind: 'oci', url: slow, ref: '1' }
    expect((await call(createSource, { ports, as: olga, body })).status).toBe(201)
    const terms = { source: name, on_change: 'plan' as const }
    const bound = await call(bindSource, { ports, as: olga, path: { name }, body: terms })
    expect(bound.status).toBe(200)
    const { json } = await call(createHook, { ports, as: 'admin', path: { name } })
    const id = json.path.slice('/api/v1/hooks/'.length)
    const headers = { 'x-gitlab-token': json.secret }
    sends.push(() => call(receive, { ports, path: { id }, headers }))
  }
  await it.run()
  const { look } = ports.sourceReader
  let looks = 0
  ports.sourceReader.look = async (source, signal) => {
    if (source.url === slow) {
      looks += 1
      ports.clock.advance(31_000)
    }
    return look(source, signal)
  }
  for (const send of [...sends, it.send]) expect((await send()).status).toBe(202)
  await it.pass()
  const begun = async () => {
    const hooks = await Promise.all(['a', 'b', 'shop'].map((name) => ports.stackHooks.find(name)))
    return hooks.filter((hook) => (hook?.lastDeployment ?? null) !== null).length
  }
  expect([looks, await begun(), (await it.hooked()).length]).toEqual([1, 2, 1])
  await it.pass()
  expect([looks, await begun()]).toEqual([2, 3])
})
