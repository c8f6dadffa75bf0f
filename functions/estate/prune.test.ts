import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { sourceFile } from '../../local/harness/followed-source.ts'
import { givenRole } from '../../local/harness/roles.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { shop, type World, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import createRole from '../roles/create.ts'
import removeRole from '../roles/remove.ts'
import deploy from '../stacks/deploy.ts'
import recoverDeployments from '../stacks/recover-deployments.ts'
import resetPolicy from '../stacks/update-policy/remove.ts'
import setPolicy from '../stacks/update-policy/update.ts'
import createUser from '../users/create.ts'
import apply from './apply.ts'
import plan from './plan.ts'

const from = (name: string) => ({ from: name })
const url = 'oci://registry.example.org/team/shop'

const estate = {
  registries: [{ address: 'registry.example.org', username: 'ada', password: from('REGISTRY') }],
  roles: [{ name: 'keeper', permissions: ['stacks:read'] }],
  channels: [{ name: 'Ops', kind: 'ntfy', topic: from('TOPIC') }],
  sources: [{ name: 'shop', kind: 'oci', url, ref: '1' }],
  stacks: [
    { name: 'blog', source: { source: 'shop', on_change: 'notify' } },
    { name: 'shop', compose: shop, update_policy: { mode: 'notify', checkpoint: 'nightly' } },
  ],
  backup_jobs: [
    {
      name: 'nightly',
      sources: [{ kind: 'stack', name: 'shop' }],
      target: { kind: 'local' },
      schedule: '30 3 * * *',
    },
  ],
  update_policies: [{ of: 'default', mode: 'notify' }],
  alert_rules: [{ name: 'Busy', metric: 'cpu_percent', threshold: 80, channels: ['Ops'] }],
}

const secrets = { REGISTRY: 'hidden-1', TOPIC: 'hidden-2' }

/** The ports of what a file declares. */
const kinds = [
  ...['registries', 'roles', 'alertChannels', 'sources', 'stacks', 'backupJobs'],
  ...['updatePolicies', 'alertRules'],
] as const

/** An empty service, and a source that it can read. */
function empty() {
  const here = world()
  const { refs, revisions } = here.ports.sourceReader
  refs.set(`${url} at 1`, 'r1')
  revisions.set('r1', { '': { id: 'r1', files: [sourceFile('compose.yaml', shop)] } })
  return here
}

interface Asked {
  name?: string
  prune?: boolean
  as?: TestCaller
}

const applied = (
  { ports }: World,
  sections: object,
  { name = 'home', prune = false, as = 'admin' }: Asked = {},
) =>
  call(apply, {
    ports,
    as,
    route: 'POST /estate/apply',
    body: { estate: { version: 1, name, ...sections }, secrets, prune },
  })

const planned = async (
  { ports }: World,
  sections: object,
  { name = 'home', as = 'admin' }: Asked = {},
): Promise<Json[]> =>
  (await call(plan, { ports, as, body: { version: 1, name, ...sections } })).json.steps

const stepsOf = ({ json }: { json: Json }): string[] =>
  json.steps.map(({ section, name, action, state }: Json) =>
    [section, name, action, state].join(' '),
  )

const deletionsIn = (steps: Json[]): string[] =>
  steps.flatMap(({ section, name, action }) => (action === 'delete' ? [`${section} ${name}`] : []))

/** Returns the names of everything that a file can declare. */
async function namesIn({ ports }: World): Promise<string[]> {
  const all = await Promise.all(
    kinds.map(async (kind) => {
      const records: { id: string; name?: string }[] = await ports[kind].list()
      return records.map(({ id, name }) => name ?? id)
    }),
  )
  return all.flat()
}

/** A service to which the whole file was applied, a while ago. */
async function furnished() {
  const here = empty()
  const { json } = await applied(here, estate)
  expect(json.steps.filter(({ state }: Json) => state !== 'done')).toEqual([])
  here.ports.clock.advance(60_000)
  return here
}

/** Waits for work in the background, which a cut may have let fail. */
const settled = ({ ports }: World) => ports.background.settled().catch(() => {})

const reversed = [
  ...['alert_rules Busy', 'update_policies default', 'backup_jobs nightly', 'stacks blog'],
  ...['stacks shop', 'sources shop', 'channels Ops', 'roles keeper'],
  'registries registry.example.org',
]

test('200: the plan lists what the file no longer declares, and what deleting it does', async () => {
  const here = await furnished()
  const steps = await planned(here, {})
  expect(deletionsIn(steps)).toEqual(reversed)
  expect(steps.flatMap(({ problems }) => problems)).toEqual([])
  expect(steps.find(({ name, section }) => name === 'shop' && section === 'stacks')).toEqual({
    section: 'stacks',
    name: 'shop',
    action: 'delete',
    fields: [],
    secrets: [],
    notes: [],
    problems: [],
    effect: expect.stringContaining('its volumes stay'),
  })
})

test('200: deletes it only with prune, in the reverse order', async () => {
  const here = await furnished()
  const before = await namesIn(here)
  expect(stepsOf(await applied(here, {}))).toEqual([])
  expect(await namesIn(here)).toEqual(before)
  const pruned = await applied(here, {}, { prune: true })
  expect(stepsOf(pruned)).toEqual(reversed.map((name) => `${name} delete done`))
  expect(await namesIn(here)).toEqual([])
  expect((await here.ports.estates.find('home'))?.things).toEqual([])
  expect(await planned(here, {})).toEqual([])
})

test('200: a deployed stack is taken down, its volumes stay', async () => {
  const here = await furnished()
  const { ports, engine } = here
  await call(deploy, { ports, as: 'admin', path: { name: 'shop' }, body: {} })
  expect(engine.state.containers.size).toBe(2)
  await applied(here, {}, { prune: true })
  expect(engine.state.containers.size).toBe(0)
  expect([...engine.state.volumes.keys()]).toEqual(['shop_data'])
  const { rows } = await ports.audit.list({ limit: 100 })
  const removals = rows.filter(({ action }) => action === 'stacks.delete')
  expect(new Set(removals.map(({ username }) => username))).toEqual(new Set(['admin']))
})

test('200: a stack that cannot be taken down stays, and the next apply deletes it', async () => {
  const here = await furnished()
  const { ports, engine } = here
  await call(deploy, { ports, as: 'admin', path: { name: 'shop' }, body: {} })
  engine.failing = (step) => (step.action === 'remove' ? internalError('busy') : undefined)
  const { json } = await applied(here, {}, { prune: true })
  expect(json.steps.filter(({ state }: Json) => state !== 'done')).toMatchObject([
    {
      section: 'stacks',
      name: 'shop',
      state: 'failed',
      problems: [expect.stringContaining('busy')],
    },
  ])
  expect(await namesIn(here)).toEqual(['shop'])
  engine.failing = () => undefined
  expect(stepsOf(await applied(here, {}, { prune: true }))).toEqual(['stacks shop delete done'])
  expect(await namesIn(here)).toEqual([])
})

test.each([
  ['registries', ['registries registry.example.org']],
  ['roles', ['roles keeper']],
  ['update_policies', ['update_policies default']],
  ['alert_rules', ['alert_rules Busy']],
])('200: prunes only %s if the file no longer has these', async (section, deletions) => {
  const here = await furnished()
  const { json } = await applied(here, { ...estate, [section]: [] }, { prune: true })
  const others = json.steps.filter(({ action }: Json) => action !== 'delete')
  expect(deletionsIn(json.steps)).toEqual(deletions)
  expect(others.every(({ state }: Json) => state === 'unchanged')).toBe(true)
  expect(json.steps.at(-1).state).toBe('done')
})

test('200: the policy of a stack is reset if the stack stays without it', async () => {
  const here = await furnished()
  const stacks = estate.stacks.map(({ update_policy: _, ...stack }) => stack)
  const { json } = await applied(here, { ...estate, stacks }, { prune: true })
  expect(deletionsIn(json.steps)).toEqual(['stack_policies shop'])
  const stack = present(await here.ports.stacks.find('shop'))
  expect([stack.updatePolicy, stack.deployed]).toEqual([undefined, false])
})

test('200: a policy that was reset and set again stays', async () => {
  const here = await furnished()
  const { ports } = here
  const ofShop = { ports, as: 'admin' as const, path: { name: 'shop' } }
  await call(resetPolicy, ofShop)
  await call(setPolicy, { ...ofShop, body: { mode: 'notify' } })
  const stacks = estate.stacks.map(({ update_policy: _, ...stack }) => stack)
  expect(deletionsIn(await planned(here, { ...estate, stacks }))).toEqual([])
})

test('200: a file with another name has nothing to delete', async () => {
  const here = await furnished()
  const before = await namesIn(here)
  expect(await planned(here, {}, { name: 'other' })).toEqual([])
  expect(stepsOf(await applied(here, {}, { name: 'other', prune: true }))).toEqual([])
  expect(await namesIn(here)).toEqual(before)
})

test('200: what another file has too stays, and is then only of that one', async () => {
  const here = await furnished()
  const { roles } = estate
  expect(stepsOf(await applied(here, { roles }, { name: 'other' }))).toEqual([
    'roles keeper nothing unchanged',
  ])
  expect(deletionsIn(await planned(here, {}))).not.toContain('roles keeper')
  await applied(here, {}, { prune: true })
  expect(await namesIn(here)).toEqual(['keeper'])
  expect(deletionsIn(await planned(here, {}, { name: 'other' }))).toEqual(['roles keeper'])
})

test('200: things that no apply made or took stay', async () => {
  const here = await furnished()
  const { ports } = here
  await call(createRole, { ports, as: 'admin', body: { name: 'other', permissions: [] } })
  await applied(here, {}, { prune: true })
  expect(await namesIn(here)).toEqual(['other'])
})

test('200: a thing that was deleted and created again stays', async () => {
  const here = await furnished()
  const { ports } = here
  await call(removeRole, { ports, as: 'admin', path: { name: 'keeper' } })
  await call(createRole, { ports, as: 'admin', body: { name: 'keeper', permissions: [] } })
  expect(deletionsIn(await planned(here, {}))).not.toContain('roles keeper')
  await applied(here, {}, { prune: true })
  expect(await namesIn(here)).toEqual(['keeper'])
})

test('200: a thing that is created again while it is pruned stays', async () => {
  const here = await furnished()
  const { ports } = here
  const { remove } = ports.alertRules
  ports.alertRules.remove = async (...given) => {
    const role = present(await ports.roles.find('keeper'))
    await ports.roles.remove('keeper')
    const { revision: _, ...again } = role
    await ports.roles.create({ ...again, createdAt: role.createdAt + 1 })
    return remove(...given)
  }
  const { json } = await applied(here, {}, { prune: true })
  expect(json.steps.find(({ section }: Json) => section === 'roles')).toMatchObject({
    state: 'failed',
    problems: [expect.stringContaining('created again')],
  })
  expect(await namesIn(here)).toEqual(['keeper'])
})

test('200: what was there before is taken, by a caller who could delete it', async () => {
  const here = empty()
  const { ports } = here
  const { roles } = estate
  await call(createRole, { ports, as: 'admin', body: roles[0] })
  const reader = await givenRole(here, ['roles:manage'])
  // A role with more permissions than the caller has.
  expect(stepsOf(await applied(here, { roles }, { as: reader }))).toEqual([
    'roles keeper nothing unchanged',
  ])
  expect(await ports.estates.list()).toEqual([])
  expect(await planned(here, {})).toEqual([])
  await applied(here, { roles })
  expect(deletionsIn(await planned(here, {}))).toEqual(['roles keeper'])
})

test('200: a caller sees only deletions of what the caller may read, and needs the rights to it', async () => {
  const here = await furnished()
  const blind = await givenRole(here, [])
  expect(await planned(here, {}, { as: blind })).toEqual([])
  const reader = await givenRole(here, ['stacks:read'])
  const seen = await planned(here, {}, { as: reader })
  expect(deletionsIn(seen)).toEqual(['stacks blog', 'stacks shop'])
  expect(seen.map(({ problems }) => problems.length)).toEqual([1, 1])
  const before = await here.ports.estates.find('home')
  const refused = await applied(here, {}, { as: reader, prune: true })
  expect(refused.json.steps.map(({ state }: Json) => state)).toEqual(['failed', 'failed'])
  expect(await here.ports.estates.find('home')).toEqual(before)
  expect(await here.ports.stacks.list()).toHaveLength(2)
})

test('200: what the rest of the file needs is a problem', async () => {
  const here = await furnished()
  const steps = await planned(here, { ...estate, channels: [], sources: [] })
  const deletions = steps.filter(({ action }) => action === 'delete')
  expect(deletions.map(({ name, problems }) => [name, problems])).toEqual([
    ['shop', [expect.stringContaining('stacks blog in the file still needs it')]],
    ['Ops', [expect.stringContaining('alert_rules Busy in the file still needs it')]],
  ])
  const { json } = await applied(here, { ...estate, channels: [], sources: [] }, { prune: true })
  expect(json.steps.slice(-2).map(({ state }: Json) => state)).toEqual(['failed', 'failed'])
})

test('200: a role that a user has, and a source that a foreign stack follows, are problems', async () => {
  const here = await furnished()
  const { ports } = here
  const user = { username: 'mia', role: 'keeper', password: 'correct horse battery' }
  expect((await call(createUser, { ports, as: 'admin', body: user })).status).toBe(201)
  const estateNow = present(await ports.estates.find('home'))
  const things = estateNow.things.filter(({ name }) => name !== 'blog')
  await ports.estates.replace({ ...estateNow, things })
  const problems = (await planned(here, {})).filter((step) => step.problems.length > 0)
  expect(problems.map(({ section, problems: all }) => [section, ...all])).toEqual([
    ['sources', 'stack blog follows it, which the file does not declare'],
    ['roles', expect.stringContaining('in use')],
  ])
})

test('200: goes on after it ended in the middle, at each write of a deletion', async () => {
  let end = 0
  for (let isCut = true; isCut; end += 1) {
    isCut = false
    const here = await furnished()
    const { ports } = here
    const file = { roles: [{ name: 'new', permissions: [] }] }
    let left = end
    for (const name of [...kinds, 'estates'] as const) {
      const port = ports[name] as unknown as Record<string, (...args: unknown[]) => unknown>
      for (const method of ['create', 'replace', 'remove']) {
        const write = present(port[method]).bind(port)
        port[method] = async (...args) => {
          isCut ||= left === 0
          if (left === 0) throw new Error('killed')
          left -= 1
          return write(...args)
        }
      }
    }
    const first = await applied(here, file, { prune: true })
    expect([200, 500]).toContain(first.status)
    // The next process can write, and ends the deployments of the first.
    left = Number.POSITIVE_INFINITY
    ports.clock.advance(3_600_000)
    await settled(here)
    await recoverDeployments.with(ports)()
    await settled(here)
    const { status, json } = await applied(here, file, { prune: true })
    const states = json.steps?.map(({ state }: Json) => state) ?? []
    const bad = states.filter((state: string) => !/^(done|unchanged)$/.test(state))
    expect([end, status, bad]).toEqual([end, 200, []])
    expect([end, await namesIn(here)]).toEqual([end, ['new']])
    const things = (await ports.estates.find('home'))?.things.map(({ name }) => name)
    expect([end, things]).toEqual([end, ['new']])
  }
  expect(end).toBeGreaterThan(18)
})

test('400: prune is no boolean', async () => {
  const { ports } = empty()
  const body = { estate: { version: 1, name: 'home' }, prune: 'yes' }
  expect((await call(apply, { ports, as: 'admin', body })).status).toBe(400)
})
