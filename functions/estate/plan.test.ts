import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenRole } from '../../local/harness/roles.ts'
import { signIn, type TestCaller } from '../../local/harness/sign-in.ts'
import { watchChanges } from '../../local/harness/watch-changes.ts'
import { givenHost, givenStack, shop, type World, world } from '../../local/harness/world.ts'
import createChannel from '../alert-channels/create.ts'
import createRule from '../alert-rules/create.ts'
import createJob from '../backup-jobs/create.ts'
import createRegistry from '../registries/create.ts'
import createRole from '../roles/create.ts'
import createSource from '../sources/create.ts'
import putFile from '../stacks/file/update.ts'
import bindSource from '../stacks/source/update.ts'
import updateStack from '../stacks/update.ts'
import setPolicy from '../stacks/update-policy/update.ts'
import setInherited from '../update-policies/update.ts'
import get from './get.ts'
import plan from './plan.ts'

const planned = ({ ports }: Pick<World, 'ports'>, sections: object, as: TestCaller = 'admin') =>
  call(plan, { ports, as, body: { version: 1, name: 'home', ...sections } })

/** Returns the only step of a plan. */
async function stepOf(...given: Parameters<typeof planned>): Promise<Json> {
  const { status, json, text } = await planned(...given)
  expect([status, text]).toEqual([200, expect.any(String)])
  expect(json.steps).toHaveLength(1)
  return json.steps[0]
}

const from = (name: string) => ({ from: name })
const rule = { name: 'Busy', metric: 'cpu_percent', threshold: 80 }
const source = { name: 'shop', kind: 'oci', url: 'oci://registry.example.org/team/shop', ref: '1' }
const git = { name: 'git', kind: 'git', url: 'git@forge.example.org:ada/estate.git', ref: 'main' }
const job = {
  name: 'nightly',
  sources: [{ kind: 'stack', name: 'shop' }],
  target: { kind: 'local' },
  schedule: '30 3 * * *',
}

test('200: a stored age identity is not compared, and none is taken as a text', async () => {
  const here = world()
  const { ports } = here
  await call(createSource, { ports, as: 'admin', body: source })
  const step = await stepOf(here, { sources: [{ ...source, age_identity: from('AGE') }] })
  expect([step.action, step.fields]).toEqual(['nothing', []])
  const plain = await planned(here, { sources: [{ ...source, age_identity: 'AGE-SECRET-KEY-1' }] })
  expect(plain.status).toBe(400)
})

test('200: an empty service gets all of a file, in the order in which it can be made', async () => {
  const { json } = await planned(world(), {
    alert_rules: [{ ...rule, channels: ['Ops'] }],
    backup_jobs: [job],
    update_policies: [{ of: 'default', mode: 'notify' }],
    stacks: [
      { name: 'shop', compose: shop, update_policy: { mode: 'notify', checkpoint: 'nightly' } },
      { name: 'blog', source: { source: 'shop', on_change: 'plan' } },
    ],
    sources: [{ ...source, username: 'ada', password: from('SHOP') }],
    channels: [{ name: 'Ops', kind: 'slack', url: from('OPS') }],
    roles: [{ name: 'keeper', permissions: ['stacks:read'] }],
    registries: [{ address: 'registry.example.org', username: 'ada', password: from('SHOP') }],
  })
  expect(json).toEqual({
    name: 'home',
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    steps: [
      ['registries', 'registry.example.org', ['SHOP']],
      ['roles', 'keeper', []],
      ['channels', 'Ops', ['OPS']],
      ['sources', 'shop', ['SHOP']],
      ['stacks', 'shop', []],
      ['stacks', 'blog', []],
      ['backup_jobs', 'nightly', []],
      ['stack_policies', 'shop', []],
      ['update_policies', 'default', []],
      ['alert_rules', 'Busy', []],
    ].map(([section, name, secrets]) => {
      const step = { section, name, action: 'create', fields: [] }
      return { ...step, secrets, problems: [], notes: [] }
    }),
  })
})

/** Makes one thing of each section through its own endpoint. */
async function furnished() {
  const here = world()
  const { ports } = here
  const by = { ports, as: 'admin' as const }
  const ofShop = { ...by, path: { name: 'shop' } }
  await givenStack(here, 'shop', { deployed: false })
  await givenStack(here, 'blog', { deployed: false })
  const [username, password] = ['ada', 'hidden']
  const made = [
    await call(createRegistry, {
      ...by,
      body: { address: 'registry.example.org', username, password },
    }),
    await call(createRole, { ...by, body: { name: 'keeper', permissions: ['stacks:read'] } }),
    await call(createChannel, {
      ...by,
      body: { name: 'Ops', kind: 'ntfy', topic: 'hidden', token: 'hidden' },
    }),
    await call(createSource, { ...by, body: { ...source, username, password } }),
    await call(createSource, { ...by, body: git }),
    await call(updateStack, {
      ...ofShop,
      body: { env: 'SECONDS=4711\n', overlays: { from: 'services: {}\n' } },
    }),
    await call(putFile, {
      ...ofShop,
      query: { path: 'conf/app.txt' },
      body: { content: 'text\n', mode: '0600' },
    }),
    await call(putFile, { ...ofShop, query: { path: 'tls.key' }, body: { content: 'hidden' } }),
    await call(bindSource, {
      ...by,
      path: { name: 'blog' },
      body: { source: 'shop', on_change: 'plan' },
    }),
    await call(createJob, { ...by, body: job }),
    await call(setInherited, { ...by, path: { name: 'default' }, body: { mode: 'notify' } }),
  ]
  const { id } = present((await ports.backupJobs.list())[0])
  const channel = present((await ports.alertChannels.list())[0])
  made.push(
    await call(setPolicy, { ...ofShop, body: { mode: 'notify', checkpoint: id } }),
    await call(createRule, { ...by, body: { ...rule, channels: [channel.id] } }),
  )
  expect(made.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([])
  return here
}

test('200: a service is as its own export says', async () => {
  const here = await furnished()
  const { text } = await call(get, { ports: here.ports, as: 'admin' })
  const { json, status } = await call(plan, { ports: here.ports, as: 'admin', body: parse(text) })
  expect(status).toBe(200)
  expect(json.steps).toHaveLength(11)
  expect(json.steps.filter(({ action }: Json) => action !== 'nothing')).toEqual([])
})

test('200: its export is created in an empty service, without a problem', async () => {
  const { text } = await call(get, { ports: (await furnished()).ports, as: 'admin' })
  const { json } = await call(plan, { ports: world().ports, as: 'admin', body: parse(text) })
  const steps: Json[] = json.steps
  expect(steps.filter(({ action }) => action !== 'create')).toEqual([])
  expect(steps.flatMap(({ problems }) => problems)).toEqual([])
})

test.each([
  [{ roles: [{ name: 'keeper', permissions: [] }] }, ['permissions']],
  [
    { registries: [{ address: 'registry.example.org', username: 'eve', password: from('A') }] },
    ['username'],
  ],
  [{ channels: [{ name: 'OPS', kind: 'ntfy', topic: from('A'), token: from('B') }] }, ['name']],
  [{ channels: [{ name: 'Ops', kind: 'ntfy', topic: from('A') }] }, ['token']],
  [{ sources: [{ ...source, ref: '2' }] }, ['ref']],
  [{ stacks: [{ name: 'shop', compose: `${shop}\n` }] }, ['compose']],
  [{ stacks: [{ name: 'shop', compose: shop, overlays: {} }] }, ['overlays']],
  [
    {
      stacks: [
        { name: 'shop', compose: shop, files: { 'conf/app.txt': { content: 'x', mode: '644' } } },
      ],
    },
    ['files.conf/app.txt', 'files.conf/app.txt.mode'],
  ],
  [
    { stacks: [{ name: 'shop', compose: shop, files: { new: { link: 'tls.key' } } }] },
    ['files.new'],
  ],
  [{ stacks: [{ name: 'blog', source: { source: 'shop', on_change: 'deploy' } }] }, ['source']],
  [{ backup_jobs: [{ ...job, encrypt: true }] }, ['encrypt']],
  [{ backup_jobs: [{ ...job, target: { kind: 'local', path: 'more' } }] }, ['target']],
  [{ update_policies: [{ of: 'default', mode: 'off' }] }, ['mode']],
  [{ alert_rules: [{ ...rule, channels: [] }] }, ['channels']],
])('200: a change: %j', async (sections, fields) => {
  const step = await stepOf(await furnished(), sections)
  expect(step).toMatchObject({ action: 'change', fields, problems: [] })
})

test('200: what the file leaves out stays as it is', async () => {
  const here = await furnished()
  for (const sections of [
    { stacks: [{ name: 'shop', compose: shop }] },
    { stacks: [{ name: 'shop', compose: shop, env: from('ENV') }] },
    { stacks: [{ name: 'shop', compose: shop, files: { 'tls.key': { content: from('KEY') } } }] },
    { sources: [source] },
    { sources: [{ ...git, private_key: from('KEY') }] },
    { alert_rules: [{ ...rule, channels: ['ops'] }] },
    { backup_jobs: [{ ...job, name: 'Nightly', host: 'local' }] },
  ]) {
    const [section = ''] = Object.keys(sections)
    const { action, fields, secrets } = await stepOf(here, sections)
    const isRenamed = section === 'backup_jobs'
    expect([action, fields, secrets]).toEqual(
      isRenamed ? ['change', ['name'], []] : ['nothing', [], []],
    )
  }
})

test('200: notes what a source will deploy, as the file declares it or it is', async () => {
  const here = await furnished()
  const { ports } = here
  const binding = { source: 'shop', path: '', also: [], on_change: 'deploy', overwrite: false }
  const deploys = { stacks: [{ name: 'blog', source: binding }] }
  const notesOf = async (sections: object) =>
    (await planned(here, sections)).json.steps.map(({ notes }: Json) => notes.join())
  expect(await notesOf(deploys)).toEqual([''])
  await ports.stacks.replace({ ...present(await ports.stacks.find('blog')), deployed: true })
  const deployed = 'it runs, and its source shop will deploy it'
  expect(await notesOf(deploys)).toEqual([deployed])
  const changed = { sources: [{ ...source, ref: '2' }] }
  expect(await notesOf(changed)).toEqual([''])
  const bound = await call(bindSource, {
    ports,
    as: 'admin',
    path: { name: 'blog' },
    body: binding,
  })
  expect(bound.status).toBe(200)
  const stacks = 'it will deploy the stacks that follow it: blog'
  expect(await notesOf(changed)).toEqual([stacks])
  expect(await notesOf({ ...changed, ...deploys })).toEqual([stacks, deployed])
  expect(
    await notesOf({ stacks: [{ name: 'blog', source: { ...binding, on_change: 'plan' } }] }),
  ).toEqual([''])
})

test('200: a policy of a stack is a step of its own', async () => {
  const here = await furnished()
  const policy = { mode: 'off', checkpoint: 'NIGHTLY' }
  const { json } = await planned(here, {
    stacks: [{ name: 'shop', compose: shop, update_policy: policy }],
  })
  expect(json.steps).toMatchObject([
    { section: 'stacks', action: 'nothing' },
    { section: 'stack_policies', name: 'shop', action: 'change', fields: ['mode'] },
  ])
})

test.each([
  [{ roles: [{ name: 'admin', permissions: [] }] }, /built in/],
  [{ channels: [{ name: 'Ops', kind: 'slack', url: from('A') }] }, /^kind: cannot be changed/],
  [
    { channels: [{ name: 'N', kind: 'ntfy', server: 'http://127.0.0.1', topic: from('A') }] },
    /^server: /,
  ],
  [
    { channels: [{ name: 'G', kind: 'gotify', server: 'http://127.0.0.1', token: from('A') }] },
    /^server: /,
  ],
  [{ sources: [{ ...source, url: `${source.url}2` }] }, /^url: cannot be changed/],
  [{ sources: [{ ...source, name: 'x', host_key: `SHA256:${'a'.repeat(43)}` }] }, /^host_key: /],
  [{ sources: [{ ...source, name: 'x', kind: 'git', url: 'nonsense' }] }, /^url: /],
  [{ stacks: [{ name: 'x', source: { source: 'none', on_change: 'plan' } }] }, /^source: none is/],
  [{ stacks: [{ name: 'x', compose: shop, host: 'none' }] }, /none: there is no such host/],
  [{ stacks: [{ name: 'blog', compose: 'services: {}' }] }, /^source: the stack follows shop/],
  [
    { backup_jobs: [{ ...job, name: 'x', sources: [{ kind: 'stack', name: 'none' }] }] },
    /^sources: none is/,
  ],
  [{ backup_jobs: [{ ...job, name: 'x', schedule: '61 * * * *' }] }, /^schedule: /],
  [
    {
      backup_jobs: [
        {
          ...job,
          name: 'x',
          target: { kind: 'sftp', host: 'a', username: 'b', host_key: `SHA256:${'a'.repeat(43)}` },
        },
      ],
    },
    /^target\.password or private_key: is required/,
  ],
  [{ alert_rules: [{ ...rule, channels: ['none'] }] }, /^channels: none is/],
  [{ alert_rules: [{ name: 'x', metric: 'cpu_percent' }] }, /^threshold: is required/],
])('200: a problem: %j', async (sections, problem) => {
  const { problems } = await stepOf(await furnished(), sections)
  expect(problems.join('\n')).toMatch(problem)
})

test('200: a stack that was adopted cannot be declared, and one on another host not moved', async () => {
  const here = await furnished()
  await givenHost(here, 'far')
  const moved = await stepOf(here, { stacks: [{ name: 'shop', compose: shop, host: 'far' }] })
  expect(moved).toMatchObject({ fields: ['host'], problems: [expect.stringMatching(/^host: /)] })
  const stack = present(await here.ports.stacks.find('shop'))
  await here.ports.stacks.replace({ ...stack, adopted: true })
  const adopted = await stepOf(here, { stacks: [{ name: 'shop', compose: 'services: {}' }] })
  expect(adopted.problems).toEqual([expect.stringContaining('adopted')])
})

test('200: each step is judged with the rights of the caller, who learns nothing else', async () => {
  const here = await furnished()
  const sections = {
    roles: [{ name: 'keeper', permissions: ['users:manage'] }],
    registries: [{ address: 'registry.lan', username: 'a', password: from('A') }],
    sources: [source],
    stacks: [{ name: 'shop', compose: 'services: {}' }],
    update_policies: [{ of: 'default', mode: 'apply' }],
    alert_rules: [{ ...rule, threshold: 90 }],
  }
  const none = await planned(here, sections, await givenRole(here, []))
  expect(none.json.steps.map(({ action, problems }: Json) => [action, problems.length])).toEqual(
    Array.from({ length: 6 }, () => ['unknown', 1]),
  )
  const some = await givenRole(here, ['roles:manage', 'registries:manage', 'settings:manage'])
  const { json } = await planned(here, sections, some)
  const problems = new Map(json.steps.map(({ section, problems: list }: Json) => [section, list]))
  expect(problems.get('roles')).toEqual([expect.stringContaining('exceeds your permissions')])
  expect(problems.get('registries')).toEqual([expect.stringContaining('stacks:privileged')])
  expect(problems.get('sources')).toEqual([])
  expect(problems.get('update_policies')).toEqual([expect.stringContaining('stacks:deploy')])
})

test('200: whether there is a backup job is not told without backups:read', async () => {
  const here = await furnished()
  const as = await givenRole(here, ['stacks:read', 'stacks:update', 'stacks:deploy'])
  const problemsOf = async (checkpoint: string) => {
    const update_policy = { mode: 'off', checkpoint }
    const stacks = [{ name: 'shop', compose: shop, update_policy }]
    return (await planned(here, { stacks }, as)).json.steps[1].problems
  }
  expect(await problemsOf('nightly')).toEqual([expect.stringContaining('backups:read')])
  expect(await problemsOf('none')).toEqual(await problemsOf('nightly'))
})

test('200: who may read a secret file only as a name learns nothing of its content', async () => {
  const here = await furnished()
  const as = await givenRole(here, ['stacks:read', 'stacks:update'])
  for (const content of ['hidden', 'another']) {
    const files = { 'tls.key': { content } }
    const step = await stepOf(here, { stacks: [{ name: 'shop', compose: shop, files }] }, as)
    expect(step.fields).toEqual(['files.tls.key'])
  }
})

test('200: a caller who is limited to some hosts cannot declare a stack of another one', async () => {
  const here = await furnished()
  await givenHost(here, 'far', { tags: ['lab'] })
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  const step = await stepOf(here, { stacks: [{ name: 'shop', compose: shop }] }, limited)
  expect(step).toMatchObject({
    action: 'create',
    problems: [expect.stringContaining('outside your scope')],
  })
})

test('200: changes nothing', async () => {
  const here = await furnished()
  const token = await signIn(here.ports, 'admin')
  const { ports, changes } = watchChanges(here.ports)
  const sections = { sources: [{ ...source, ref: '2' }], roles: [{ name: 'x', permissions: [] }] }
  const body = { version: 1, name: 'home', ...sections }
  const { status, json } = await call(plan, { ports: ports as never, as: { token }, body })
  expect([status, json.steps.map(({ action }: Json) => action)]).toEqual([
    200,
    ['create', 'change'],
  ])
  expect(changes).toEqual([])
})

test.each([
  [{ version: 2 }, 'version'],
  [{ stack: [] }, 'unknown field "stack"'],
  [
    {
      roles: [
        { name: 'a', permissions: [] },
        { name: 'a', permissions: [] },
      ],
    },
    'roles[1]',
  ],
  [
    {
      channels: ['a', 'A'].map((name) => ({ name, kind: 'slack', url: from('A') })),
    },
    'channels[1]',
  ],
  [{ registries: [{ address: 'a.example.org', username: 'a', password: 'plain' }] }, 'password'],
  [{ stacks: [{ name: 'a' }] }, 'compose'],
  [
    { stacks: [{ name: 'a', compose: shop, source: { source: 'a', on_change: 'plan' } }] },
    'compose',
  ],
  [
    { stacks: [{ name: 'a', overlays: { b: '' }, source: { source: 'a', on_change: 'plan' } }] },
    'overlays',
  ],
  [{ stacks: [{ name: 'a', compose: shop, files: { b: {} } }] }, 'must have one of'],
  [{ sources: [{ ...source, username: 'ada' }] }, 'password'],
  [{ alert_rules: [{ ...rule, muted_until: null }] }, 'muted_until'],
])('400: %j', async (sections, problem) => {
  const { status, json } = await planned(world(), sections)
  expect([status, json.error]).toEqual([400, expect.stringContaining(problem)])
})

test('401: no credential', async () => {
  const { ports } = world()
  expect((await call(plan, { ports, body: { version: 1, name: 'home' } })).status).toBe(401)
})
