import { expect, test } from 'vitest'
import { backupRun, deployment, stack } from '../adapters/testing/contract/samples.ts'
import { memoryBackground } from '../adapters/testing/memory/background.ts'
import { nameImage } from '../adapters/testing/memory/engine-images.ts'
import watchHosts from '../functions/alerts/monitor.ts'
import login from '../functions/auth/login.ts'
import readArchive from '../functions/containers/archive/get.ts'
import {
  type SettingKey,
  type SettingValues,
  settingKeys,
} from '../functions/core/records/settings.ts'
import pullImage from '../functions/images/pull.ts'
import sweep from '../functions/retention/sweep.ts'
import readSettings from '../functions/settings/get.ts'
import saveSettings from '../functions/settings/update.ts'
import adopt from '../functions/stacks/adopt/create.ts'
import create from '../functions/stacks/create.ts'
import deploy from '../functions/stacks/deploy.ts'
import lookForImages from '../functions/updates/look.ts'
import { givenProject } from './harness/bundle.ts'
import { call } from './harness/call.ts'
import { openPage } from './harness/open-page.ts'
import { accountOf } from './harness/sign-in.ts'
import { givenContainer, givenStack, type World, world } from './harness/world.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Two values of a setting, and what the service does differently with them. */
interface Life<Value, Effect> {
  /** What is observed below. */
  effect: string
  /** Observes it in a new world in which the setting has one of the values. */
  observe(here: World): Promise<Effect>
  shows: readonly [value: Value, effect: Effect][]
}

const life = <Value, Effect>(one: Life<Value, Effect>) => one as Life<Value, unknown>

/** Ben's attempts to log in with the right or a wrong password. */
async function attempts({ ports }: World) {
  const passwordHash = await ports.passwords.hash('correct horse')
  await accountOf(ports, { username: 'ben', passwordHash })
  return async (password: string) =>
    (await call(login, { ports, body: { username: 'ben', password } })).status
}

/** The status of an answer that creates a stack with files of these sizes. */
async function created({ ports }: World, ...sizes: number[]) {
  const files = Object.fromEntries(
    sizes.map((size, index) => [`file-${index}`, { content: 'x'.repeat(size) }]),
  )
  const compose = 'services: {web: {image: "busybox:latest"}}'
  return (await call(create, { ports, as: 'admin', body: { name: 'shop', compose, files } })).status
}

/** The status of a deploy by an operator of a stack that uses what no stack created. */
async function deployedWith(here: World, volumes: object, networks: object) {
  const web = { image: 'busybox:latest', command: 'sleep 60' }
  const used = {
    volumes: Object.keys(volumes).map((key) => `${key}:/v`),
    networks: Object.keys(networks),
  }
  const compose = JSON.stringify({ services: { web: { ...web, ...used } }, volumes, networks })
  await givenStack(here, 'shop', { compose, deployed: false })
  const asked = { ports: here.ports, as: 'operator' as const, path: { name: 'shop' }, body: {} }
  return (await call(deploy, asked)).status
}

/** Sweeps once a day. Returns on which day `isGone` came true. */
async function sweptOn({ ports }: World, isGone: () => Promise<boolean>) {
  for (let passed = 1; passed <= 60; passed += 1) {
    for (let hours = 0; hours < 24; hours += 1) {
      ports.clock.advance(hour)
      await sweep.with({ ...ports, clock: { ...ports.clock, sleep: async () => {} } })()
    }
    if (await isGone()) return passed
  }
  return undefined
}

async function givenDeployments({ ports }: World, count: number) {
  await ports.stacks.create(stack('web'))
  for (let index = 0; index < count; index += 1) {
    const ended = { status: 'succeeded' as const, startedAt: ports.clock.now() }
    await ports.deployments.create({ ...deployment(`d${index}`, 'web'), ...ended })
  }
  return async () => (await ports.deployments.listIds('web')).length
}

/** A run of a job that was deleted. */
async function givenRun({ ports }: World, run: object) {
  const at = ports.clock.now()
  const ended = { finishedAt: at, startedAt: at, leftovers: false }
  await ports.backupRuns.create({ ...backupRun('r1', 'gone'), ...ended, ...run })
  return async () => (await ports.backupRuns.list({ limit: 9 })).length === 0
}

/** How many samples of the local host are taken in a minute. */
async function samples(here: World) {
  await sampledFor(here, 61)
  return (await here.ports.metricHistory.ofHost('local', 0)).length
}

/** Samples hosts for this many seconds. */
async function sampledFor({ ports }: World, seconds: number) {
  const end = new AbortController()
  const done = watchHosts.with({ ...ports, background: memoryBackground('p1') })(end.signal)
  for (let passed = 0; passed < seconds; passed += 1) {
    ports.clock.advance(second)
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  }
  end.abort()
  await done
}

/** How many blocks of minutes are stored after a minute and a half. */
async function historyBlocks(here: World) {
  await sampledFor(here, 90)
  return (await here.ports.usageHistory.list('local', 'minute', 0)).length
}

/** How often the registry of an image is asked that a stack runs. */
async function looksInTwoDays(here: World) {
  const { ports, engine } = here
  nameImage(engine.state, 'nginx:1', 'sha256:aa11')
  nameImage(engine.state, `nginx@sha256:${'0'.repeat(64)}`, 'sha256:aa11')
  await givenStack(here, 'shop', { compose: 'services: {web: {image: "nginx:1"}}' })
  for (let passed = 0; passed < 48; passed += 1) {
    await lookForImages.with(ports)()
    ports.clock.advance(hour)
  }
  return ports.imageRegistry.requests.length
}

type Lives = { [Key in SettingKey]: Life<SettingValues[Key], unknown> }

/** A row for every setting. */
const lives: Lives = {
  'auth.lockout_max_attempts': life({
    effect: 'the answers to five wrong passwords',
    async observe(here) {
      const attempt = await attempts(here)
      const statuses: number[] = []
      for (let count = 0; count < 5; count += 1) statuses.push(await attempt('wrong'))
      return statuses
    },
    shows: [
      [2, [401, 401, 423, 423, 423]],
      [4, [401, 401, 401, 401, 423]],
    ],
  }),
  'auth.lockout_duration_minutes': life({
    effect: 'the minutes until the right password is accepted again',
    async observe(here) {
      const attempt = await attempts(here)
      for (let count = 0; count < 5; count += 1) await attempt('wrong')
      for (let passed = 1; passed <= 60; passed += 1) {
        here.ports.clock.advance(minute)
        if ((await attempt('correct horse')) === 200) return passed
      }
      return undefined
    },
    shows: [
      [3, 3],
      [20, 20],
    ],
  }),
  'auth.session_absolute_hours': life({
    effect: 'the hours after which a page in use is signed out',
    async observe({ ports }) {
      const page = await openPage(ports)
      const over = await page.pass(30 * hour, () => page.happen('keydown'), minute)
      return over && over / hour
    },
    shows: [
      [1, 1],
      [5, 5],
    ],
  }),
  'auth.session_idle_minutes': life({
    effect:
      'the minutes after which a page that polls is signed out, unused and if used all the time',
    async observe({ ports }) {
      const over = await (await openPage(ports)).pass(2 * hour)
      const used = await openPage(ports)
      const press = (passed: number) => void (passed % minute === 0 && used.happen('keydown'))
      return [over && over / minute, await used.pass(2 * hour, press)]
    },
    shows: [
      [2, [2, undefined]],
      [20, [20, undefined]],
      [60, [60, undefined]],
    ],
  }),
  'auth.session_remember_days': life({
    effect: 'the days after which a remembered page is signed out, though it is not used',
    async observe({ ports }) {
      const over = await (await openPage(ports, { remember_me: true })).pass(
        9 * day,
        undefined,
        hour,
      )
      return over && over / day
    },
    shows: [
      [1, 1],
      [3, 3],
    ],
  }),
  'adopt.max_bundle_bytes': life({
    effect: 'the answers to adoptions of 2000 and 5000 bytes',
    async observe(here) {
      await givenProject(here)
      const started = async (size: number) =>
        (await call(adopt, { ports: here.ports, as: 'operator', body: { name: 'shop', size } }))
          .status
      return [await started(2000), await started(5000)]
    },
    shows: [
      [1024, [400, 400]],
      [4096, [201, 400]],
    ],
  }),
  'stack.max_bytes': life({
    effect: 'the answer to a stack with three files of 0.5 MB',
    observe: (here) => created(here, 500_000, 500_000, 500_000),
    shows: [
      [2 ** 20, 422],
      [2 ** 21, 201],
    ],
  }),
  'stack.max_files': life({
    effect: 'the answer to a stack with four files',
    observe: (here) => created(here, 1, 1, 1),
    shows: [
      [3, 422],
      [4, 201],
    ],
  }),
  'stack.max_file_bytes': life({
    effect: 'the answer to a stack with a file of 1.5 MB',
    observe: (here) => created(here, 1_500_000),
    shows: [
      [2 ** 20, 422],
      [2 ** 21, 201],
    ],
  }),
  'metrics.sample_seconds': life({
    effect: 'the samples of a host in a minute',
    observe: samples,
    shows: [
      [10, 7],
      [30, 3],
    ],
  }),
  'metrics.history_days': life({
    effect: 'what is stored for the graphs of a host',
    observe: historyBlocks,
    shows: [
      [0, 0],
      [31, 1],
    ],
  }),
  'retention.deployments': life({
    effect: 'the deployments that are left of ten old ones',
    async observe(here) {
      const left = await givenDeployments(here, 10)
      await here.ports.settings.save({ 'retention.days': 1 })
      await sweptOn(here, async () => (await left()) < 10)
      return left()
    },
    shows: [
      [2, 2],
      [7, 7],
    ],
  }),
  'retention.days': life({
    effect: 'the days until an old deployment and a run without a backup are removed',
    async observe(here) {
      const left = await givenDeployments(here, 2)
      await here.ports.settings.save({ 'retention.deployments': 1 })
      const isGone = await givenRun(here, { status: 'failed' })
      return [await sweptOn(here, async () => (await left()) === 1), await isGone()]
    },
    shows: [
      [3, [4, true]],
      [9, [10, true]],
    ],
  }),
  'retention.deleted_job_days': life({
    effect: 'the days until a run with a backup, whose job was deleted, is removed',
    async observe(here) {
      const contents = [{ name: 'data.tar' }]
      return sweptOn(here, await givenRun(here, { status: 'succeeded', contents, sha256: 'x' }))
    },
    shows: [
      [3, 4],
      [9, 10],
    ],
  }),
  'updates.check_hours': life({
    effect: 'how often a registry is asked in two days',
    observe: looksInTwoDays,
    shows: [
      [0, 0],
      [48, 1],
    ],
  }),
  'registry.allow': life({
    effect: 'the answer to a pull by an operator from a registry without a public name',
    async observe({ ports, engine }) {
      const image = 'nas:5000/x'
      engine.state.registry.add(image)
      return (await call(pullImage, { ports, as: 'operator', body: { image } })).status
    },
    shows: [
      [['other:5000'], 403],
      [['nas:5000'], 200],
    ],
  }),
  'stacks.shared_volumes': life({
    effect: 'the answer to a deploy by an operator that uses a volume of no stack',
    async observe(here) {
      here.engine.state.volumes.set('films', { name: 'films', labels: {} })
      return deployedWith(here, { films: { name: 'films', external: true } }, {})
    },
    shows: [
      [['music'], 403],
      [['films'], 200],
    ],
  }),
  'stacks.shared_networks': life({
    effect: 'the answer to a deploy by an operator that uses a network of another project',
    async observe(here) {
      const labels = { 'com.docker.compose.project': 'theirs' }
      here.engine.state.networks.set('proxy', { id: 'n1', name: 'proxy', labels })
      return deployedWith(here, {}, { proxy: { name: 'proxy', external: true } })
    },
    shows: [
      [['other'], 403],
      [['proxy'], 200],
    ],
  }),
  'stacks.enterable_binds': life({
    effect: 'the answer to a copy by an operator from a container with a path of the host',
    async observe(here) {
      await givenContainer(here, 'one', { hostConfig: { Binds: ['/mnt/media:/media:ro'] } })
      const asked = { path: { id: 'one' }, query: { path: '/', stat: 'true' } }
      return (await call(readArchive, { ports: here.ports, as: 'operator', ...asked })).status
    },
    shows: [
      [['/mnt/music'], 403],
      [['/mnt/media'], 200],
    ],
  }),
  // Only the browser UI acts on it: local/journeys/stacks.engine.test.ts dismisses what it shows.
  'stacks.lists_filled': life({
    effect: 'what pages of admins read',
    async observe({ ports }) {
      return (await call(readSettings, { ports, as: 'admin' })).json['stacks.lists_filled']
    },
    shows: [
      [false, false],
      [true, true],
    ],
  }),
}

const rows = settingKeys.flatMap((key) =>
  lives[key].shows.map(
    ([value, effect]) => [key, value, lives[key].effect, lives[key], effect] as const,
  ),
)

test('every setting has a row with two values that differ in their effect', () => {
  expect(Object.keys(lives).sort()).toEqual([...settingKeys].sort())
  for (const key of settingKeys) {
    const effects = lives[key].shows.map(([, effect]) => JSON.stringify(effect))
    expect([key, new Set(effects).size]).toEqual([key, effects.length])
    expect(effects.length).toBeGreaterThan(1)
  }
})

test.each(rows)('%s = %j: %s', async (key, value, _what, { observe }, effect) => {
  const here = world()
  const body = { [key]: value }
  expect((await call(saveSettings, { ports: here.ports, as: 'admin', body })).status).toBe(200)
  expect(await observe(here)).toEqual(effect)
})
