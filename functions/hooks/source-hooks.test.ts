import { createHmac } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { changedShop, givenFollowed, olga, path } from '../../local/harness/followed-source.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import { SourceFailure } from '../core/ports/source-reader.ts'
import createHook from '../sources/hook/create.ts'
import get from '../sources/hook/get.ts'
import updateSource from '../sources/update.ts'
import listDeployments from '../stacks/deployments/list.ts'
import stop from '../stacks/stop.ts'
import look from './look.ts'
import receive from './receive.ts'

const url = 'oci://registry.example.org/team/shop'
const push = '{"ref":"refs/heads/main"}'

/** A followed source that is never looked at by itself, with a hook. */
async function given(binding: object = {}) {
  const followed = await givenFollowed(binding)
  const { ports } = followed
  await followed.run()
  const never = { look_every_seconds: null }
  await call(updateSource, { ports, as: olga, path, body: never })
  await followed.run()
  const made = await call(createHook, { ports, as: olga, path })
  const { secret, path: address } = made.json as { secret: string; path: string }
  const id = address.slice('/api/v1/hooks/'.length)
  const send = (headers: Record<string, string> = { 'x-gitlab-token': secret }, to = id) =>
    call(receive, { ports, path: { id: to }, headers, rawBody: push, route: 'POST /hooks/{id}' })
  const pass = async (after = 0) => {
    ports.clock.advance(after)
    await look.with(ports)()
    await ports.background.settled()
  }
  const looks = () => followed.requests.filter((one) => one.startsWith('look ')).length
  const shown = async () => (await call(get, { ports, as: olga, path })).json
  const deployments = async () =>
    (await call(listDeployments, { ports, as: 'viewer', path })).json as {
      cause: string | null
      by: string
      source: { trigger: string; revision: string } | null
    }[]
  return { ...followed, secret, id, send, pass, looks, shown, deployments }
}

test.each([
  ['GitHub', (signature: string) => ({ 'x-hub-signature-256': `sha256=${signature}` })],
  ['Gitea', (signature: string) => ({ 'x-gitea-signature': signature })],
  ['Forgejo', (signature: string) => ({ 'x-forgejo-signature': signature })],
  ['GitLab', (_: string, secret: string) => ({ 'x-gitlab-token': secret })],
  ['curl', (_: string, secret: string) => ({ authorization: `Bearer ${secret}` })],
] as const)('202: %s, the source is looked at, and its stack deployed', async (_forge, headers) => {
  const it = await given()
  it.publish('r2', { 'compose.yaml': changedShop })
  const before = it.looks()
  const signature = createHmac('sha256', it.secret).update(push).digest('hex')
  const answer = await it.send(headers(signature, it.secret))
  expect([answer.status, answer.json]).toEqual([
    202,
    { stack: null, source: 'shop', deploys: false, looks: true },
  ])
  expect(await it.shown()).toMatchObject({ is_waiting: true, accepted_at: expect.anything() })
  await it.pass(5_000)
  await it.pass(5_000)
  expect(it.looks() - before).toBe(1)
  const [newest] = await it.deployments()
  expect(newest).toMatchObject({
    cause: 'source',
    by: 'olga',
    source: { trigger: 'hook', revision: 'r2' },
  })
  expect(await it.shown()).toMatchObject({ is_waiting: false, last_look: { error: null } })
  const { rows } = await it.ports.audit.list({ action: 'sources.hook.look', limit: 9 })
  expect(rows).toMatchObject([{ username: 'olga', outcome: 'succeeded' }])
})

test('401 with equal bytes for all that is wrong, and nothing is looked at', async () => {
  const it = await given()
  const before = it.looks()
  const right = { 'x-gitlab-token': it.secret }
  const answers = [
    await it.send(right, 'source.none.none'),
    await it.send(right, 'source.shop'),
    await it.send(right, 'source..none'),
    await it.send(right, it.id.slice('source.'.length)),
    await it.send(right, it.id.replace('shop', 'none')),
    await it.send({}),
    await it.send({ 'x-gitlab-token': '' }),
    await it.send({ 'x-gitlab-token': `${it.secret}.` }),
    await it.send({ 'x-hub-signature-256': 'sha256=' }),
  ]
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(401)
  await it.pass(10_000)
  expect(it.looks()).toBe(before)
  expect(await it.shown()).toMatchObject({
    is_waiting: false,
    last_refused: { reason: 'no_secret' },
  })
})

test('a ping of GitHub begins nothing', async () => {
  const it = await given()
  const answer = await it.send({ 'x-gitlab-token': it.secret, 'x-github-event': 'ping' })
  expect(answer.json).toEqual({ stack: null, source: 'shop', deploys: false, looks: false })
  expect(await it.shown()).toMatchObject({ is_waiting: false, accepted_at: expect.anything() })
})

test('one look in five seconds, and a request in between is followed by one after that', async () => {
  const it = await given()
  it.ports.clock.advance(5_000)
  const before = it.looks()
  await it.send()
  await it.pass()
  for (let n = 0; n < 20; n += 1) await it.send()
  await it.pass(2_000)
  expect([it.looks() - before, (await it.shown()).is_waiting]).toEqual([1, true])
  it.publish('r2', { 'compose.yaml': changedShop })
  await it.pass(3_000)
  await it.pass(5_000)
  expect([it.looks() - before, (await it.shown()).is_waiting]).toEqual([2, false])
  expect((await it.deployments())[0]).toMatchObject({ source: { revision: 'r2' } })
})

test('a request that comes during the look is followed by another one', async () => {
  const it = await given()
  const { sourceReader } = it.ports
  const ask = sourceReader.look.bind(sourceReader)
  vi.spyOn(sourceReader, 'look').mockImplementationOnce(async (...asked) => {
    const seen = await ask(...asked)
    it.publish('r2', { 'compose.yaml': changedShop })
    await it.send()
    return seen
  })
  await it.send()
  await it.pass(5_000)
  expect(await it.shown()).toMatchObject({ is_waiting: true })
  await it.pass(5_000)
  expect((await it.deployments())[0]).toMatchObject({ source: { revision: 'r2' } })
})

test('a folder without a change is not deployed', async () => {
  const it = await given()
  const before = (await it.deployments()).length
  it.publish('r2', { 'compose.yaml': changedShop }, 'r1')
  await it.send()
  await it.pass(5_000)
  expect((await it.deployments()).length).toBe(before)
})

test('with `plan` the files are taken and nothing is deployed', async () => {
  const it = await given({ on_change: 'plan' })
  const before = (await it.deployments()).length
  it.publish('r2', { 'compose.yaml': changedShop })
  await it.send()
  await it.pass(5_000)
  expect((await it.deployments()).length).toBe(before)
  expect(present(await it.ports.stacks.find('shop')).source?.synced?.revision).toBe('r2')
})

test('a stopped stack stays stopped', async () => {
  const it = await given()
  await call(stop, { ports: it.ports, as: olga, path })
  const before = (await it.deployments()).length
  it.publish('r2', { 'compose.yaml': changedShop })
  await it.send()
  await it.pass(5_000)
  expect((await it.deployments()).length).toBe(before)
})

test('a source that cannot be read says why', async () => {
  const it = await given()
  it.ports.sourceReader.refs.set(`${url} at 1`, new SourceFailure('unreachable', 'no answer'))
  await it.send()
  await it.pass(5_000)
  expect(await it.shown()).toMatchObject({ is_waiting: false, last_look: { error: 'no answer' } })
  const { rows } = await it.ports.audit.list({ action: 'sources.hook.look', limit: 9 })
  expect(rows).toMatchObject([{ outcome: 'failed', values: { reason: 'no answer' } }])
})

test('an account that lost the right has nothing looked at', async () => {
  const it = await given()
  const { id } = await accountOf(it.ports, olga)
  const account = present(await it.ports.accounts.find(id))
  await it.ports.accounts.replace({ ...account, role: 'viewer' })
  const before = it.looks()
  await it.send()
  await it.pass(5_000)
  expect(it.looks()).toBe(before)
  const { json } = await call(get, { ports: it.ports, as: 'admin', path })
  expect(json).toMatchObject({
    blocked: expect.stringContaining('registries:manage'),
    last_look: { error: expect.stringContaining('registries:manage') },
  })
})

test('the hook of a deleted source is removed', async () => {
  const it = await given()
  await it.send()
  await it.ports.sources.remove('shop')
  await it.pass(5_000)
  expect(await it.ports.sourceHooks.list()).toEqual([])
})
