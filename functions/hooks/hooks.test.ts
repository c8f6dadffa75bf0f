import { createHmac } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenHook, olga, path } from '../../local/harness/hooks.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import type { World } from '../../local/harness/world.ts'
import { conflict } from '../core/errors.ts'
import { tryStackLease } from '../core/stacks/stack-lease.ts'
import listDeployments from '../stacks/deployments/list.ts'
import get from '../stacks/hook/get.ts'
import stop from '../stacks/stop.ts'
import deploy from './deploy.ts'
import receive from './receive.ts'

const push = '{"ref":"refs/heads/main"}'

const signed = (secret: string, body = push) =>
  createHmac('sha256', secret).update(body).digest('hex')
const sends = ({ ports }: World, id: string, headers: Record<string, string>, rawBody = push) =>
  call(receive, { ports, path: { id }, headers, rawBody, route: 'POST /hooks/{id}' })
const shown = async ({ ports }: World) => (await call(get, { ports, as: olga, path })).json

async function run({ ports }: World, after = 0) {
  ports.clock.advance(after)
  await deploy.with(ports)()
  await ports.background.settled()
}

const hooked = async ({ ports }: World) => {
  const { json } = await call(listDeployments, { ports, as: 'viewer', path })
  return (json as { cause: string | null; by: string }[]).filter(({ cause }) => cause === 'hook')
}

test.each([
  ['GitHub', (secret: string) => ({ 'x-hub-signature-256': `sha256=${signed(secret)}` })],
  [
    'Gitea',
    (secret: string) => ({
      'x-gitea-signature': signed(secret),
      'x-hub-signature-256': `sha256=${signed(secret)}`,
    }),
  ],
  ['Forgejo', (secret: string) => ({ 'x-forgejo-signature': signed(secret) })],
  ['GitLab', (secret: string) => ({ 'x-gitlab-token': secret })],
  ['curl', (secret: string) => ({ authorization: `Bearer ${secret}` })],
])('202: %s, and one deployment follows', async (_forge, headers) => {
  const { here, secret, id } = await givenHook()
  const answers = [await sends(here, id, headers(secret)), await sends(here, id, headers(secret))]
  expect(answers.map(({ status }) => status)).toEqual([202, 202])
  expect(await shown(here)).toMatchObject({ is_waiting: true, accepted_at: expect.anything() })
  await run(here)
  await run(here, 10_000)
  expect(await hooked(here)).toMatchObject([{ by: 'olga' }])
  expect(await shown(here)).toMatchObject({ is_waiting: false, last_deployment: { error: null } })
  const { rows } = await here.ports.audit.list({ action: 'stacks.hook.deploy', limit: 9 })
  expect(rows).toMatchObject([{ username: 'olga', outcome: 'succeeded' }])
})

test('401 with equal bytes for all that is wrong, and nothing is deployed', async () => {
  const { here, secret, id } = await givenHook()
  const right = { 'x-gitlab-token': secret }
  const wrong = signed(`$secret.`)
  const answers = [
    await sends(here, 'shop.none', right),
    await sends(here, 'none', right),
    await sends(here, '.none', right),
    await sends(here, id.replace('shop', 'none'), right),
    await sends(here, id, {}),
    await sends(here, id, { 'x-gitlab-token': '' }),
    await sends(here, id, { 'x-gitlab-token': `${secret}.` }),
    await sends(here, id, { 'x-hub-signature-256': 'sha256=' }),
    await sends(here, id, { 'x-hub-signature-256': `sha256=${wrong}` }),
    await sends(here, id, { 'x-hub-signature-256': signed(secret) }),
    await sends(here, id, { 'x-gitea-signature': signed(secret) }, `${push} `),
  ]
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(401)
  await run(here, 10_000)
  expect(await hooked(here)).toEqual([])
  expect(await shown(here)).toMatchObject({
    is_waiting: false,
    accepted_at: null,
    last_refused: { reason: 'no_secret' },
  })
})

test('202 up to 25 MiB, 401 above', async () => {
  const { here, secret, id } = await givenHook()
  const megabyte = 1024 * 1024
  const [fits, large] = [25 * megabyte, 25 * megabyte + 1].map((size) => 'a'.repeat(size))
  for (const [body, status] of [
    [fits, 202],
    [large, 401],
  ] as const) {
    const headers = { 'x-gitea-signature': signed(secret, body) }
    expect((await sends(here, id, headers, body)).status).toBe(status)
  }
})

test('a ping of GitHub deploys nothing', async () => {
  const { here, secret, id } = await givenHook()
  const headers = { 'x-hub-signature-256': `sha256=${signed(secret)}`, 'x-github-event': 'ping' }
  expect((await sends(here, id, headers)).status).toBe(202)
  expect(await shown(here)).toMatchObject({ is_waiting: false, accepted_at: expect.anything() })
})

test('many requests are one deployment in five seconds', async () => {
  const { here, secret, id } = await givenHook()
  const headers = { 'x-gitlab-token': secret }
  await sends(here, id, headers)
  await run(here)
  for (let n = 0; n < 20; n += 1) await sends(here, id, headers)
  await run(here, 1_000)
  expect(await hooked(here)).toHaveLength(1)
  await run(here, 5_000)
  await run(here, 5_000)
  expect(await hooked(here)).toHaveLength(2)
})

test('of requests that come at once, one is written', async () => {
  const { here, secret, id } = await givenHook()
  const { stackHooks } = here.ports
  const replace = vi.spyOn(stackHooks, 'replace')
  const all = Array.from({ length: 100 }, () => sends(here, id, { 'x-gitlab-token': secret }))
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([202]))
  const written = await Promise.all(replace.mock.results.map(({ value }) => value))
  expect(written.filter((one) => one !== undefined)).toHaveLength(1)
  expect(await shown(here)).toMatchObject({ is_waiting: true })
})

test('a request that comes while a deployment begins is followed by another one', async () => {
  const { here, secret, id } = await givenHook()
  const headers = { 'x-gitlab-token': secret }
  await sends(here, id, headers)
  const { stackHooks } = here.ports
  const replace = stackHooks.replace.bind(stackHooks)
  vi.spyOn(stackHooks, 'replace').mockImplementationOnce(async (taken) => {
    const written = await replace(taken)
    expect(await shown(here)).toMatchObject({ is_waiting: true })
    await sends(here, id, headers)
    return written
  })
  await run(here)
  expect(await hooked(here)).toHaveLength(1)
  expect(await shown(here)).toMatchObject({ is_waiting: true })
  await run(here, 5_000)
  expect(await hooked(here)).toHaveLength(2)
  expect(await shown(here)).toMatchObject({ is_waiting: false })
})

test('a deployment that could not begin once its request was taken begins later', async () => {
  const { here, secret, id } = await givenHook()
  await sends(here, id, { 'x-gitlab-token': secret })
  const away = conflict('the store is away', { reason: 'store-unavailable' })
  vi.spyOn(here.ports.deployments, 'create').mockRejectedValueOnce(away)
  await run(here)
  expect(await shown(here)).toMatchObject({ is_waiting: true, last_deployment: null })
  await run(here, 5_000)
  expect(await hooked(here)).toHaveLength(1)
})

test('waits while the stack is busy', async () => {
  const { here, secret, id } = await givenHook()
  const lease = present(await tryStackLease('shop', 'another', here.ports))
  await sends(here, id, { 'x-gitlab-token': secret })
  await run(here)
  expect([await hooked(here), (await shown(here)).is_waiting]).toEqual([[], true])
  await here.ports.leases.release(lease)
  await run(here, 5_000)
  expect(await hooked(here)).toHaveLength(1)
})

test('waits while its host is away', async () => {
  const { here, secret, id } = await givenHook()
  await sends(here, id, { 'x-gitlab-token': secret })
  const away = conflict('host far: its agent is offline', { reason: 'host-offline' })
  vi.spyOn(here.ports.deployments, 'create').mockRejectedValueOnce(away)
  await run(here)
  expect(await shown(here)).toMatchObject({ is_waiting: true, last_deployment: null })
  await run(here, 60_000)
  expect(await hooked(here)).toHaveLength(1)
})

test('what a process that was paused records leaves later requests to their deployment', async () => {
  const { here, secret, id } = await givenHook()
  await sends(here, id, { 'x-gitlab-token': secret })
  const { stackHooks, deployments } = here.ports
  const create = deployments.create.bind(deployments)
  const startedAt = here.ports.clock.now()
  vi.spyOn(deployments, 'create').mockImplementationOnce(async (deployment) => {
    // Another process took a later request meanwhile.
    const hook = present(await stackHooks.find('shop'))
    await stackHooks.replace({ ...hook, takenAt: startedAt + 1 })
    return create(deployment)
  })
  await run(here)
  expect(present(await stackHooks.find('shop')).takenAt).toBe(startedAt + 1)
})

test('a rotation drops a request that was about to be taken', async () => {
  const { here, secret, id } = await givenHook()
  await sends(here, id, { 'x-gitlab-token': secret })
  const { stackHooks } = here.ports
  const find = stackHooks.find.bind(stackHooks)
  vi.spyOn(stackHooks, 'find').mockImplementationOnce(async (name) => {
    const hook = present(await find(name))
    await stackHooks.replace({ ...hook, askedAt: null, takenAt: null })
    return find(name)
  })
  await run(here)
  expect(await hooked(here)).toEqual([])
})

test('a stopped stack stays stopped', async () => {
  const { here, secret, id } = await givenHook()
  await call(stop, { ports: here.ports, as: olga, path })
  await sends(here, id, { 'x-gitlab-token': secret })
  await run(here)
  expect(await hooked(here)).toEqual([])
  expect(await shown(here)).toMatchObject({
    is_waiting: false,
    last_deployment: { deployment_id: null, error: 'the stack is not deployed' },
  })
})

test('an account that lost the right deploys nothing', async () => {
  const { here, secret, id } = await givenHook()
  const { ports } = here
  const account = await accountOf(ports, olga)
  await ports.accounts.replace({
    ...present(await ports.accounts.find(account.id)),
    role: 'viewer',
  })
  await sends(here, id, { 'x-gitlab-token': secret })
  await run(here)
  expect(await hooked(here)).toEqual([])
  const { json } = await call(get, { ports, as: 'admin', path })
  expect(json).toMatchObject({
    blocked: expect.stringContaining('stacks:deploy'),
    last_deployment: { error: expect.stringContaining('stacks:deploy') },
  })
})

test('a stack that gets the name of a deleted one has no hook', async () => {
  const { here, secret, id } = await givenHook()
  const { ports } = here
  const stack = present(await ports.stacks.find('shop'))
  await sends(here, id, { 'x-gitlab-token': secret })
  await ports.stacks.remove('shop')
  await ports.stacks.create({ ...stack, createdAt: stack.createdAt + 1 })
  expect((await call(get, { ports, as: olga, path })).status).toBe(404)
  await run(here)
  expect(await hooked(here)).toEqual([])
  expect(await ports.stackHooks.list()).toEqual([])
})
