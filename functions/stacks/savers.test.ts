import { describe, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import { accountOf, type TestCaller } from '../../local/harness/sign-in.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import type { Account } from '../core/records/account.ts'
import create from './create.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'
import update from './update.ts'

const path = { name: 'thief' }

/** A project whose service mounts a volume, unless the name is undefined. */
const mounting = (volume?: string, more = '') => `services:
  web:
    image: busybox:latest
    command: sleep 3600
${volume === undefined ? '' : '    volumes: ["vol:/v"]\n'}${more}volumes: {vol: {name: ${volume}, external: true}}
`

const byHand = ({ engine }: World, name = 'byhand') =>
  engine.state.volumes.set(name, { name, labels: {} })

const saves = ({ ports }: World, as: TestCaller, body: object) =>
  call(update, { ports, as, path, body })
const deploys = ({ ports }: World, as: TestCaller = 'admin', body: object = {}) =>
  call(deploy, { ports, as, path, body })

/** The rows of a plan that a deploy must accept. */
const rows = async ({ ports }: World, as: TestCaller = 'viewer', body: object = {}) => {
  const { json } = await call(plan, { ports, as, path, body })
  return json.filter(({ kind }: { kind: string }) => kind === 'reference')
}

/** A stack whose files an operator saved: its service mounts a volume that no stack created. */
async function saved(compose = mounting('byhand'), as: TestCaller = 'operator') {
  const here = world()
  byHand(here)
  const { status } = await call(create, { ports: here.ports, as, body: { ...path, compose } })
  expect(status).toBe(201)
  return here
}

async function change({ ports }: World, username: string, to: Partial<Account>) {
  const account = present(await ports.accounts.findByUsername(username))
  await ports.accounts.replace({ ...account, ...to })
}

const refused = (name: string) => [
  409,
  'references-not-accepted',
  expect.stringContaining(JSON.stringify(name)),
]
const answerOf = ({ status, headers, json }: Awaited<ReturnType<typeof deploys>>) => [
  status,
  headers['x-error-reason'],
  json.error,
]

test('409: refuses what the account that saved it may not use', async () => {
  const here = await saved()
  expect((await deploys(here, 'operator')).status).toBe(403)
  const answer = await deploys(here)
  expect(answerOf(answer)).toEqual(refused('volume:byhand'))
  expect(answer.json.error).toMatch(
    /no stack created it: .*; saved by operator, who may not use it/,
  )
  expect(here.engine.executed).toEqual([])
})

test('a plan shows it to everyone, and why', async () => {
  const here = await saved()
  for (const as of ['viewer', 'operator', 'admin'] as const) {
    expect(await rows(here, as)).toEqual([
      {
        action: 'warning',
        kind: 'reference',
        name: 'volume:byhand',
        reason: expect.stringMatching(/^compose.yaml:\d.*; saved by operator, who may not use it$/),
      },
    ])
  }
})

test('200: it is accepted by its name, and later deploys do not ask again', async () => {
  const here = await saved()
  const wrong = await deploys(here, 'admin', { accept_references: ['volume:other', 'byhand'] })
  expect(answerOf(wrong)).toEqual(refused('volume:byhand'))
  const { json } = await deploys(here, 'admin', { accept_references: ['volume:byhand'] })
  expect(json).toMatchObject({
    status: 'succeeded',
    warnings: [expect.stringContaining('saved by operator')],
  })
  expect(await rows(here)).toEqual([])
  expect((await deploys(here, 'admin', { force_recreate: true })).json.status).toBe('succeeded')
  // The same reference in a newer revision is no new one.
  await saves(here, 'operator', { env: 'A=1' })
  expect((await deploys(here)).json.status).toBe('succeeded')
})

test('403: accepting gives the caller no right', async () => {
  const here = await saved()
  expect((await deploys(here, 'operator', { accept_references: ['volume:byhand'] })).status).toBe(
    403,
  )
})

test('200: names that need no acceptance have no effect', async () => {
  const here = world()
  await givenStack(here, 'thief', { deployed: false })
  const { json } = await deploys(here, 'operator', { accept_references: ['volume:thief_data'] })
  expect(json.status).toBe('succeeded')
})

describe('a later edit by someone with more rights', () => {
  test('409: does not hide what was saved before', async () => {
    const here = await saved()
    await saves(here, 'admin', { env: 'A=1' })
    expect(answerOf(await deploys(here))).toEqual(refused('volume:byhand'))
  })

  test('409: does not hide an overlay that the last deploy did not use', async () => {
    const here = await saved(mounting())
    await saves(here, 'operator', { overlays: { prod: mounting('byhand') } })
    expect((await deploys(here)).json.status).toBe('succeeded')
    await saves(here, 'admin', { env: 'A=1' })
    expect((await deploys(here)).json.status).toBe('succeeded')
    const answer = await deploys(here, 'admin', { environment: 'prod' })
    expect(answerOf(answer)).toEqual(refused('volume:byhand'))
  })

  test('409: does not hide a service whose profile was not active', async () => {
    const debug = '  debug: {image: busybox:latest, profiles: [debug], volumes: ["vol:/v"]}\n'
    const here = await saved(mounting(undefined, debug).replace('undefined', 'byhand'))
    expect((await deploys(here)).json.status).toBe('succeeded')
    await saves(here, 'admin', { env: 'A=1' })
    const answer = await deploys(here, 'admin', { profiles: ['debug'] })
    expect(answerOf(answer)).toEqual(refused('volume:byhand'))
  })

  test('200: after a deploy of everything, only later savers count', async () => {
    const here = await saved(mounting())
    expect((await deploys(here)).json.status).toBe('succeeded')
    await saves(here, 'admin', { compose: mounting('byhand') })
    expect(await rows(here)).toEqual([])
    expect((await deploys(here)).json.status).toBe('succeeded')
  })
})

describe('the account that saved the files has the rights of now', () => {
  test('200: it may use everything by now', async () => {
    const here = await saved()
    await change(here, 'operator', { role: 'admin' })
    expect(await rows(here)).toEqual([])
    expect((await deploys(here)).json.status).toBe('succeeded')
  })

  /** The operator uses a volume of a stack that they may deploy. */
  async function sharing() {
    const here = await saved(mounting('shop_data'))
    await givenStack(here)
    expect(await rows(here)).toEqual([])
    return here
  }

  test.each<[string, Partial<Account>]>([
    ['the account is disabled', { disabled: true }],
    ['the role may not deploy any more', { role: 'viewer' }],
    ['the host left their scope', { scopeTags: ['lab'] }],
    ['the host left the scope of an admin', { role: 'admin', scopeTags: ['lab'] }],
  ])('409: %s', async (_, to) => {
    const here = await sharing()
    await change(here, 'operator', to)
    const answer = await deploys(here)
    expect(answerOf(answer)).toEqual(refused('volume:shop_data'))
    expect(answer.json.error).not.toContain('stack shop')
  })

  test('409: the account is deleted, even if a new one has its name', async () => {
    const here = await sharing()
    const { id } = await accountOf(here.ports, 'operator')
    await here.ports.accounts.remove(id)
    await accountOf(here.ports, { username: 'operator', role: 'admin' })
    expect(answerOf(await deploys(here))).toEqual(refused('volume:shop_data'))
  })

  test('200: it may still use what it saved', async () => {
    const here = await sharing()
    expect((await deploys(here)).json.status).toBe('succeeded')
  })

  test('409: names an attribute that needs stacks:privileged, and not its value', async () => {
    const root = { username: 'root', role: 'admin' }
    const here = await saved(mounting(undefined, '    volumes: ["/srv/secret:/v"]\n'), root)
    await accountOf(here.ports, root)
    await change(here, 'root', { role: 'operator' })
    const answer = await deploys(here)
    expect(answerOf(answer)).toEqual(refused('services.web.volumes[0]'))
    expect(answer.json.error).not.toContain('/srv')
    const accept_references = ['services.web.volumes[0]']
    expect((await deploys(here, 'admin', { accept_references })).json.status).toBe('succeeded')
    expect((await deploys(here)).json.status).toBe('succeeded')
  })
})

test('200: files of an earlier version do not say who saved them', async () => {
  const here = await saved()
  const stack = present(await here.ports.stacks.find('thief'))
  const { savedBy, ...files } = stack.files
  expect(savedBy).toMatchObject([{ name: 'operator' }])
  await here.ports.stacks.replace({ ...stack, files })
  expect(await rows(here)).toEqual([])
  expect((await deploys(here)).json.status).toBe('succeeded')
})

test('403: refuses a caller who may use less than the account that saved it', async () => {
  const here = await saved(mounting('byhand'), 'admin')
  const ci = await givenRole(here, ['stacks:deploy'])
  const { status, json } = await deploys(here, ci)
  expect([status, json.error]).toEqual([403, expect.stringContaining('no stack created it')])
})
