import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { sourceFile } from '../../local/harness/followed-source.ts'
import { givenRole } from '../../local/harness/roles.ts'
import { accountOf, signIn, type TestCaller } from '../../local/harness/sign-in.ts'
import { shop, type World, world } from '../../local/harness/world.ts'
import { requestsPerCaller } from '../core/access/caller-queues.ts'
import updateStack from '../stacks/update.ts'
import apply from './apply.ts'
import get from './get.ts'
import plan from './plan.ts'

const from = (name: string) => ({ from: name })
const url = 'oci://registry.example.org/team/shop'

const estate = {
  registries: [{ address: 'registry.example.org', username: 'ada', password: from('REGISTRY') }],
  roles: [{ name: 'keeper', permissions: ['stacks:read'] }],
  channels: [{ name: 'Ops', kind: 'ntfy', topic: from('TOPIC'), token: from('TOKEN') }],
  sources: [
    { name: 'shop', kind: 'oci', url, ref: '1', username: 'ada', password: from('SOURCE') },
    { name: 'git', kind: 'git', url: 'git@forge.example.org:ada/estate.git', ref: 'main' },
  ],
  stacks: [
    { name: 'blog', source: { source: 'shop', on_change: 'notify' } },
    {
      name: 'shop',
      compose: shop,
      env: from('ENV'),
      overlays: { prod: 'services: {}\n' },
      files: {
        'conf/app.txt': { content: 'text\n', mode: '0600' },
        'conf/app.bin': { base64: Buffer.from([0, 255]).toString('base64') },
        'conf/now': { link: 'app.txt' },
        'tls.key': { content: from('KEY') },
      },
      update_policy: { mode: 'notify', checkpoint: 'nightly' },
    },
  ],
  backup_jobs: [
    {
      name: 'nightly',
      sources: [{ kind: 'stack', name: 'shop' }],
      target: {
        kind: 's3',
        bucket: 'backups',
        access_key_id: 'AKIA',
        secret_access_key: from('S3'),
      },
      schedule: '30 3 * * *',
    },
  ],
  update_policies: [{ of: 'default', mode: 'notify' }],
  alert_rules: [{ name: 'Busy', metric: 'cpu_percent', threshold: 80, channels: ['Ops'] }],
}

const secrets = {
  REGISTRY: 'hidden-1',
  TOPIC: 'hidden-2',
  TOKEN: 'hidden-3',
  SOURCE: 'hidden-4',
  ENV: 'SECONDS=4711\n',
  KEY: 'hidden-5',
  S3: 'hidden-6',
}

/** An empty service, and a source that it can read. */
function empty() {
  const here = world()
  const { refs, revisions } = here.ports.sourceReader
  const files = [sourceFile('compose.yaml', shop)]
  refs.set(`${url} at 1`, 'r1')
  revisions.set('r1', { '': { id: 'r1', files } })
  return here
}

const applied = (
  { ports }: Pick<World, 'ports'>,
  sections: object,
  given: Record<string, string> = secrets,
  as: TestCaller = 'admin',
) =>
  call(apply, {
    ports,
    as,
    route: 'POST /estate/apply',
    body: { estate: { version: 1, name: 'home', ...sections }, secrets: given },
  })

const exported = async ({ ports }: World) => (await call(get, { ports, as: 'admin' })).text
const statesOf = ({ json }: { json: Json }): string[] =>
  json.steps.map(({ state, problems }: Json) => [state, ...problems].join(': '))

const all = (state: string) => Array.from({ length: 11 }, () => state)

test('200: makes all of a file, and then changes nothing any more', async () => {
  const here = empty()
  const { ports } = here
  const made = await applied(here, estate)
  expect(statesOf(made)).toEqual(all('done'))
  expect(statesOf(await applied(here, estate))).toEqual(all('unchanged'))
  expect(present(await ports.registries.find('registry.example.org')).password).toBe('hidden-1')
  expect(present(await ports.sources.find('shop')).account?.password).toBe('hidden-4')
  expect((await ports.alertChannels.list())[0]?.target).toMatchObject({
    topic: 'hidden-2',
    token: 'hidden-3',
  })
  const [job] = await ports.backupJobs.list()
  expect(job?.target).toMatchObject({ secretAccessKey: 'hidden-6' })
  const stack = present(await ports.stacks.find('shop'))
  expect(stack.updatePolicy?.checkpoint).toBe(job?.id)
  expect(await ports.texts.get(present(stack.files.env))).toBe('SECONDS=4711\n')
  const blog = present(await ports.stacks.find('blog'))
  expect([await ports.texts.get(blog.files.compose), blog.source?.synced?.revision]).toEqual([
    shop,
    'r1',
  ])
  expect([stack.deployed, blog.deployed]).toEqual([false, false])
})

test('200: what was exported makes the same estate in an empty service', async () => {
  const here = empty()
  await applied(here, estate)
  const text = await exported(here)
  const other = empty()
  const names = text.match(/^# {3}[A-Z0-9_]+$/gm) ?? []
  const secretFor = (name: string) => (name.endsWith('_ENV') ? 'A=hidden\n' : 'hidden')
  const given = Object.fromEntries(names.map((name) => [name.slice(4), secretFor(name)]))
  expect(names).toHaveLength(7)
  expect(statesOf(await applied(other, parse(text), given))).toEqual(all('done'))
  expect(await exported(other)).toBe(text)
})

test('200: goes on after it ended in the middle, at each write', async () => {
  const whole = empty()
  await applied(whole, estate)
  const text = await exported(whole)
  const names = [
    ...['registries', 'roles', 'alertChannels', 'sources', 'stacks', 'backupJobs'],
    ...['updatePolicies', 'alertRules'],
  ] as const
  let end = 0
  for (let isCut = true; isCut; end += 1) {
    isCut = false
    const here = empty()
    let left = end
    for (const name of names) {
      const port = here.ports[name] as unknown as Record<string, (...args: unknown[]) => unknown>
      for (const method of ['create', 'replace']) {
        const write = present(port[method]).bind(port)
        port[method] = async (...args) => {
          isCut ||= left === 0
          if (left === 0) throw new Error('killed')
          left -= 1
          return write(...args)
        }
      }
    }
    const first = await applied(here, estate)
    expect([200, 500]).toContain(first.status)
    // The next process can write, and asks the source again.
    left = Number.POSITIVE_INFINITY
    here.ports.clock.advance(3_600_000)
    const states = statesOf(await applied(here, estate))
    expect([end, states.filter((state) => !/^(done|unchanged)$/.test(state))]).toEqual([end, []])
    expect(await exported(here)).toBe(text)
  }
  expect(end).toBeGreaterThan(11)
})

test('200: changes what differs, and keeps the secrets that are not given', async () => {
  const here = empty()
  const { ports } = here
  await applied(here, estate)
  const [channel] = estate.channels
  const [source] = estate.sources
  const changes = {
    registries: [{ address: 'registry.example.org', username: 'eve', password: from('REGISTRY') }],
    roles: [{ name: 'keeper', permissions: [] }],
    channels: [{ ...channel, name: 'OPS' }],
    sources: [{ ...source, look_every_seconds: 600 }],
    stacks: [
      {
        name: 'shop',
        compose: `${shop}\n`,
        env: from('ENV'),
        update_policy: { mode: 'off' },
      },
    ],
    backup_jobs: [{ ...estate.backup_jobs[0], schedule: null }],
    update_policies: [{ of: 'default', mode: 'off' }],
    alert_rules: [{ ...estate.alert_rules[0], threshold: 90 }],
  }
  const changed = await applied(here, changes, {})
  expect(statesOf(changed)).toEqual(Array.from({ length: 9 }, () => 'done'))
  expect(await ports.registries.find('registry.example.org')).toMatchObject({
    username: 'eve',
    password: 'hidden-1',
  })
  const stack = present(await ports.stacks.find('shop'))
  expect(await ports.texts.get(present(stack.files.env))).toBe('SECONDS=4711\n')
  expect(Object.keys(stack.files.overlays)).toEqual(['prod'])
  expect(stack.updatePolicy).toMatchObject({ mode: 'off' })
  expect((await ports.backupJobs.list())[0]).toMatchObject({ schedule: null })
  expect((await ports.alertRules.list())[0]).toMatchObject({ threshold: 90 })
  expect(statesOf(await applied(here, changes, {})).every((state) => state === 'unchanged')).toBe(
    true,
  )
})

test('200: a step that fails stops only those that need it', async () => {
  const here = empty()
  const { TOPIC: _, ...others } = secrets
  const { json } = await applied(here, estate, others)
  const failed = json.steps.filter(({ state }: Json) => state !== 'done')
  expect(failed).toMatchObject([
    {
      section: 'channels',
      state: 'failed',
      problems: ['the secret TOPIC is missing: give it with the file'],
    },
    { section: 'alert_rules', state: 'failed', problems: ['there is no alert channel Ops'] },
  ])
  expect(statesOf(await applied(here, estate)).filter((state) => state === 'done')).toHaveLength(2)
})

test('200: stacks of one source take their files together, whatever happens on a change', async () => {
  const here = empty()
  const { ports } = here
  const names = ['a', 'b', 'c', 'd']
  const stacks = names.map((name, at) => ({
    name,
    source: { source: 'shop', on_change: at % 2 === 0 ? 'notify' : 'plan' },
  }))
  const made = await applied(here, { sources: estate.sources, stacks })
  expect(statesOf(made)).toEqual(Array.from({ length: 6 }, () => 'done'))
  for (const name of names) {
    const { files, source } = present(await ports.stacks.find(name))
    expect([await ports.texts.get(files.compose), source?.synced?.revision]).toEqual([shop, 'r1'])
  }
  const { requests } = ports.sourceReader
  expect(requests).toEqual([`look ${url} at 1`, 'open r1'])
})

test('200: the rest is skipped once the session ends', async () => {
  const here = empty()
  const { ports } = here
  const { id } = await accountOf(ports, 'admin')
  const { create } = ports.roles
  ports.roles.create = async (value) => {
    const made = await create(value)
    await ports.sessions.removeByAccount(id)
    return made
  }
  const { registries, roles, channels, alert_rules } = estate
  const { json } = await applied(here, { registries, roles, channels, alert_rules })
  expect(json.steps.map(({ state }: Json) => state)).toEqual(['done', 'done', 'failed', 'skipped'])
  expect(json.steps[2].problems).toEqual([expect.stringContaining('credential')])
})

test('200: a stack whose source cannot be read is done by the next apply', async () => {
  const here = empty()
  const { refs } = here.ports.sourceReader
  refs.clear()
  const { sources, stacks } = estate
  const some = { sources, stacks: stacks.slice(0, 1) }
  const failed = statesOf(await applied(here, some))
  expect(failed).toEqual(['done', 'done', expect.stringMatching(/^failed: its files were not/)])
  refs.set(`${url} at 1`, 'r1')
  here.ports.clock.advance(3_600_000)
  expect(statesOf(await applied(here, some))).toEqual(['unchanged', 'unchanged', 'done'])
})

test('200: each step has the rights of the caller, and one that has none changes nothing', async () => {
  const here = empty()
  const as = await givenRole(here, ['roles:manage', 'stacks:read'])
  const some = { roles: estate.roles, registries: estate.registries, stacks: estate.stacks }
  const { json } = await applied(here, some, secrets, as)
  expect(json.steps.map(({ section, state }: Json) => `${section}: ${state}`)).toEqual([
    'registries: failed',
    'roles: done',
    'stacks: failed',
    'stacks: failed',
    'stack_policies: failed',
  ])
  expect(await here.ports.registries.list()).toEqual([])
  expect(await here.ports.stacks.list()).toEqual([])
})

test('200: whether there is a backup job is not told without backups:read', async () => {
  const here = empty()
  const [, own] = estate.stacks
  const made = await applied(here, { stacks: [own], backup_jobs: estate.backup_jobs })
  expect(statesOf(made)).toEqual(['done', 'done', 'done'])
  const as = await givenRole(here, ['stacks:read', 'stacks:update', 'stacks:deploy'])
  const endWith = async (checkpoint: string) => {
    const stacks = [{ name: 'shop', compose: shop, update_policy: { mode: 'off', checkpoint } }]
    return (await applied(here, { stacks }, {}, as)).json.steps[1]
  }
  expect(await endWith('nightly')).toMatchObject({
    state: 'failed',
    problems: [expect.stringContaining('backups:read')],
  })
  expect(await endWith('none')).toEqual(await endWith('nightly'))
})

test('200: the audit log has a row for each step, and no secret', async () => {
  const here = empty()
  const { text } = await applied(here, estate)
  const { rows } = await here.ports.audit.list({ limit: 100 })
  const actions = new Set(rows.map(({ action }) => action))
  for (const action of [
    ...['estate.apply', 'registries.create', 'roles.create', 'alert-channels.create'],
    ...['sources.create', 'stacks.create', 'stacks.source.update', 'stacks.source.sync'],
    ...['stacks.update-policy.update', 'backup-jobs.create', 'update-policies.update'],
    ...['alert-rules.create'],
  ]) {
    expect(actions).toContain(action)
  }
  const made = rows.filter(({ action }) => action === 'roles.create')
  expect(made.map(({ username, ip, userAgent }) => [username, ip, userAgent])).toContainEqual([
    'admin',
    '127.0.0.1',
    'test',
  ])
  expect(text + JSON.stringify(rows)).not.toMatch(/hidden-|SECONDS=/)
})

test('200: a bug in a step fails it alone, and what was done before it is said', async () => {
  const here = empty()
  const { roles, log } = here.ports
  const { create } = roles
  roles.create = async () => {
    throw new Error('a bug with hidden-9')
  }
  const some = { registries: estate.registries, roles: estate.roles, channels: estate.channels }
  const broken = await applied(here, some)
  expect([broken.status, ...statesOf(broken)]).toEqual([
    200,
    'done',
    'failed: the service failed: its log has the cause',
    'skipped',
  ])
  expect(log.lines).toContainEqual(
    expect.objectContaining({
      level: 'error',
      message: 'a step of an apply failed',
      fields: expect.objectContaining({ section: 'roles', name: 'keeper' }),
    }),
  )
  const { rows } = await here.ports.audit.list({ limit: 100 })
  expect(rows.filter(({ action }) => action === 'estate.apply')).toContainEqual(
    expect.objectContaining({ outcome: 'failed' }),
  )
  roles.create = create
  expect(statesOf(await applied(here, some))).toEqual(['unchanged', 'done', 'done'])
})

test('200: skips what is left when the service stops', async () => {
  const here = empty()
  const background = { ...here.ports.background, stopping: AbortSignal.abort() }
  const stopped = await applied({ ports: { ...here.ports, background } }, { roles: estate.roles })
  expect(statesOf(stopped)).toEqual(['skipped'])
  expect(await here.ports.roles.find('keeper')).toBeUndefined()
})

test('409: another process applies a file with the same name', async () => {
  const here = empty()
  await here.ports.leases.acquire('estate:home', 'process-0/another', 10_000)
  const { roles } = estate
  const { status, json, headers } = await applied(here, { roles })
  expect([status, json.error]).toEqual([
    409,
    'estate home: another request applies a file of it: try again',
  ])
  expect([headers['x-error-reason'], headers['retry-after']]).toEqual(['lease-held', '5'])
  expect(await here.ports.roles.list()).toEqual([])
  here.ports.clock.advance(20_000)
  expect(statesOf(await applied(here, { roles }))).toEqual(['done'])
})

test('200: the same request does what is left, also with an Idempotency-Key', async () => {
  const here = empty()
  const { ports } = here
  const { refs } = ports.sourceReader
  refs.clear()
  const { sources, stacks } = estate
  // A key is of one session.
  const token = await signIn(ports, 'admin')
  const send = () =>
    call(apply, {
      ports,
      as: { token },
      route: 'POST /estate/apply',
      headers: { 'Idempotency-Key': 'one' },
      body: { estate: { version: 1, name: 'home', sources, stacks: stacks.slice(0, 1) }, secrets },
    })
  expect(statesOf(await send())[2]).toMatch(/^failed: its files were not/)
  refs.set(`${url} at 1`, 'r1')
  ports.clock.advance(600_000)
  expect(statesOf(await send())).toEqual(['unchanged', 'unchanged', 'done'])
})

test('409: an account applies one file at a time', async () => {
  const here = empty()
  const { id } = await accountOf(here.ports, 'admin')
  const end = here.ports.callerLimiter.startApplying(id)
  const refused = await applied(here, { roles: estate.roles })
  expect([refused.status, refused.json.error]).toEqual([
    409,
    'your account already applies a file: try again when that has ended',
  ])
  const other = { username: 'eve', role: 'admin' }
  expect((await applied(here, { roles: estate.roles }, {}, other)).status).toBe(200)
  end()
  expect((await applied(here, { roles: estate.roles })).status).toBe(200)
  expect((await applied(here, { roles: estate.roles })).status).toBe(200)
})

test('200: its plan takes a turn of the caller, and its steps take theirs after it', async () => {
  const here = empty()
  const { callerLimiter, roles } = here.ports
  const { id } = await accountOf(here.ports, 'admin')
  let isPlanned = false
  const list = roles.list.bind(roles)
  roles.list = () => {
    isPlanned = true
    return list()
  }
  const ends: (() => void)[] = []
  const turns = Array.from({ length: requestsPerCaller }, () =>
    callerLimiter.run(id, () => new Promise<void>((resolve) => ends.push(resolve))),
  )
  const made = applied(here, { roles: estate.roles })
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isPlanned).toBe(false)
  // One turn is enough for all of it.
  ends.pop()?.()
  expect(statesOf(await made)).toEqual(['done'])
  for (const end of ends) end()
  await Promise.all(turns)
})

test('409: another plan than the one that the caller saw', async () => {
  const here = empty()
  const { ports } = here
  await applied(here, estate)
  const body = (compose: string) => ({
    version: 1,
    name: 'home',
    roles: [{ name: 'keeper', permissions: [] }],
    stacks: [{ name: 'shop', compose }],
  })
  const wanted = body(`${shop}# a\n`)
  const digestOf = async (file: object): Promise<string> =>
    (await call(plan, { ports, as: 'admin', body: file })).json.digest
  const send = (digest: string) =>
    call(apply, {
      ports,
      as: 'admin',
      route: 'POST /estate/apply',
      body: { estate: wanted, plan: digest },
    })
  const seen = await digestOf(wanted)
  expect(await digestOf(wanted)).toBe(seen)
  expect((await send(await digestOf(body(`${shop}# b\n`)))).status).toBe(409)
  // The same fields differ, from another revision.
  const path = { name: 'shop' }
  await call(updateStack, { ports, as: 'admin', path, body: { compose: `${shop}# c\n` } })
  const refused = await send(seen)
  expect([refused.status, refused.headers['x-error-reason'], refused.json.error]).toEqual([
    409,
    'stale-revision',
    expect.stringContaining('nothing was done: make the plan again'),
  ])
  expect((await ports.roles.find('keeper'))?.permissions).toEqual(['stacks:read'])
  expect(statesOf(await send(await digestOf(wanted)))).toEqual(['done', 'done'])
})

test('200: a stack that is saved while an apply runs is not overwritten', async () => {
  const here = empty()
  const { ports } = here
  await applied(here, estate)
  const { replace } = ports.roles
  ports.roles.replace = async (role) => {
    const body = { compose: `${shop}# another\n` }
    await call(updateStack, { ports, as: 'admin', path: { name: 'shop' }, body })
    return replace(role)
  }
  const made = await applied(here, {
    roles: [{ name: 'keeper', permissions: [] }],
    stacks: [{ name: 'shop', compose: `${shop}# file\n` }],
  })
  expect(statesOf(made)).toEqual(['done', expect.stringMatching(/^failed: .*changed since/)])
  const { files } = present(await ports.stacks.find('shop'))
  expect(await ports.texts.get(files.compose)).toBe(`${shop}# another\n`)
})

test('400 and 401: no file, and no credential', async () => {
  const { ports } = empty()
  expect((await call(apply, { ports, as: 'admin', body: {} })).status).toBe(400)
  expect((await applied({ ports }, { stack: [] })).status).toBe(400)
  const body = { estate: { version: 1, name: 'home' } }
  expect((await call(apply, { ports, body })).status).toBe(401)
})
