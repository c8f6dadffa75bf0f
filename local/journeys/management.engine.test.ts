import { randomBytes } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import { holdLayers } from '../harness/held-registry.ts'
import { publishImage, startRegistry } from '../harness/registry.ts'
import { unique } from '../harness/unique.ts'
import { appearanceProblems, viewportsOfStory } from './harness/appearance.ts'
import { axeViolations } from './harness/axe.ts'
import { zoneOf } from './harness/elsewhere.ts'
import { follow, type Journey, loaded, startJourney } from './harness/journey.ts'
import { screenshot } from './harness/screenshot.ts'
import { seenCheck, seenClick, seenFill, seenSelect } from './harness/seen-click.ts'

let journey: Journey

/** Sends a request as the admin, for what a test prepares. */
async function api(method: string, path: string, body?: object) {
  const response = await fetch(`${journey.running.url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${journey.token}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

beforeAll(async () => {
  journey = await startJourney({ SERVICE_RETENTION_DAYS: '120' })
  const channel = { kind: 'ntfy', name: 'phone', topic: 'nas', server: 'http://10.255.0.9' }
  const { id } = await api('POST', '/alert-channels', channel)
  await api('POST', '/hosts', { name: 'nas', tags: ['home'] })
  await api('POST', '/alert-rules', { name: 'down', metric: 'container_down', channels: [id] })
  await api('POST', '/users', { username: 'grace', password: 'a long password', role: 'viewer' })
  await api('POST', '/roles', { name: 'deployer', permissions: ['stacks:read', 'stacks:deploy'] })
  await api('POST', '/registries', { address: 'docker.io', username: 'ada', password: 'secret' })
  const prune = { schedule: '0 4 * * 0', what: 'unused', unused_days: 30 }
  await api('PUT', '/hosts/local/prune-policy', prune)
  const source = { sources: [{ kind: 'system' }], target: { kind: 'local' } }
  await api('POST', '/backup-jobs', { name: 'nightly', schedule: '0 3 * * *', ...source })
  await api('POST', '/variables', { name: 'home', variables: { TZ: 'Europe/Oslo' } })
})
afterAll(() => journey?.close())

const pages = [
  '/hosts',
  '/hosts/local',
  '/hosts/local?prune=edit',
  '/hosts?open=enrol',
  '/images',
  '/images?open=prune',
  '/updates',
  '/volumes',
  '/networks',
  '/registries',
  '/sources',
  '/alerts',
  '/alerts/rules',
  '/alerts/rules?rule=new',
  '/alerts/history',
  '/alerts/channels',
  '/backups',
  '/backups?edit=new',
  '/backups/runs',
  '/users',
  '/users/roles',
  '/audit',
  '/settings',
  '/settings/sign-in',
  '/settings/keys',
  '/settings/update-policies',
  '/settings/update-policies?edit=default',
  '/settings/variables',
]

describe.each(viewportsOfStory(390))('opened from $theme at $width px', ({ theme, width }) => {
  test('no page has a violation that axe finds in either theme, or scrolls sideways', async () => {
    await using opened = await journey.openSignedIn('/account', { theme, width })
    const { page } = opened
    const found: string[] = []
    for (const path of pages) {
      // At one width each page is opened by its address, at the other one by a link.
      const hasDialog = [page.url(), path].some((one) => one.includes('?'))
      if (width === 390 && !hasDialog) await follow(page, path)
      else await page.goto(new URL(path, journey.running.url).href)
      await loaded(page)
      const name = `management${path.replaceAll(/\W/g, '-')}`
      found.push(...(await appearanceProblems(page, name)).map((one) => `${path}: ${one}`))
    }
    expect(found.join('\n')).toBe('')
  }, 200_000)
})

test('the palette leads to everything that has a name', async () => {
  await using opened = await journey.openSignedIn('/account')
  const { page } = opened
  for (const [word, what, address] of [
    ['nightly', 'Backup job', '/backups/runs?job='],
    ['down', 'Alert rule', '/alerts/rules?rule='],
    ['grace', 'User', '/users?edit='],
    ['busybox', 'Image on local', '/images?image='],
    ['bridge', 'Network on local', '/networks?network='],
    ['nas', 'Host', '/hosts/'],
  ] as const) {
    await page.goto(new URL('/account', journey.running.url).href)
    await loaded(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search and actions' }).waitFor()
    await page.keyboard.type(`${word} ${what}`)
    await page
      .getByRole('option', { name: new RegExp(`${word}.*${what}`) })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${address}*`)
  }
})

test('a host is enrolled: its command is shown, and its arrival is waited for', async () => {
  await using opened = await journey.openSignedIn('/hosts')
  const { page } = opened
  await seenClick(page.getByRole('button', { name: 'Enrol host' }))
  await seenFill(page.getByLabel('Name', { exact: true }), 'attic')
  await seenClick(page.getByRole('button', { name: 'Show the command' }))
  const commands = page.getByText('AGENT_TOKEN=').filter({ visible: true })
  await expect.poll(() => commands.count()).toBe(1)
  await seenClick(page.getByText('Without Node.js on that machine'))
  await expect.poll(() => commands.count()).toBe(3)
  await page.getByText('Waiting for attic to connect').waitFor()
  await seenClick(page.getByRole('button', { name: 'Close' }).last())
  await seenClick(page.getByRole('button', { name: 'Actions of attic' }))
  await seenClick(page.getByRole('menuitem', { name: 'Delete attic' }))
  await seenClick(page.getByRole('button', { name: 'Delete attic' }))
  await page.getByText('attic deleted').waitFor()
  await page.getByRole('link', { name: 'attic' }).waitFor({ state: 'detached' })
})

test('the history of a host is drawn, and shown as a table', async () => {
  await using opened = await journey.openSignedIn('/account')
  const { page } = opened
  const level = (mean: number, max = mean) => ({ mean, max })
  const figures = {
    cpu_percent: level(4.2, 87),
    memory: level(2 ** 30, 2 ** 31),
    network_rx: level(1024),
    network_tx: level(512),
    block_read: level(0),
    block_write: level(4096),
    memory_total: 2 ** 32,
    disk: level(2 ** 34),
    disk_total: 2 ** 36,
  }
  await page.route(/\/api\/v1\/hosts\/local\/history\?/, async (route) => {
    const response = await route.fetch()
    const history = await response.json()
    const timeBefore = (minutes: number) =>
      new Date(Date.parse(history.to) - minutes * 60_000).toISOString()
    const points = [30, 20, 10].map((minutes) => ({ time: timeBefore(minutes), ...figures }))
    await route.fulfill({ response, json: { ...history, points, left_out: ['payroll'] } })
  })
  await page.goto(`${journey.running.url}/hosts/local`)
  const panel = page.getByRole('region', { name: 'History', exact: true })
  await panel.getByRole('img', { name: 'CPU. Mean: 4.2 %, Highest: 87 %' }).waitFor()
  await panel.getByText('Recorded since').waitFor()
  await panel.getByText('more than 100 containers: payroll').waitFor()
  await seenClick(panel.getByText('Values as a table'))
  const table = panel.getByRole('table', { name: 'Values as a table' })
  await table.getByRole('cell', { name: '4.2 %' }).first().waitFor()
  expect(await appearanceProblems(page, 'management-history')).toEqual([])
})

test('an image is pulled: its layers are shown, it is cancelled, and pulled again', async () => {
  const registry = await startRegistry()
  onTestFinished(() => registry.close())
  const held = await holdLayers(registry)
  onTestFinished(() => held.close())
  const layer = await tarOf([{ path: 'noise', content: randomBytes(4_000_000), mode: 0o644 }])
  await publishImage(registry, 'team/app', '1', layer)
  const image = `${held.address}/team/app:1`
  await using opened = await journey.openSignedIn('/images', { expected: /\/images\/pull/ })
  const { page } = opened
  const pull = async (name: string) => {
    await seenClick(page.getByRole('button', { name: 'Pull image' }).first())
    await seenFill(page.getByLabel('Image', { exact: true }), name)
    await page.keyboard.press('Enter')
  }
  await pull(image)
  await page.getByText(/^downloading \d.* of 3\.8 MiB$/).waitFor()
  await page.getByText('0 of 1 layer done').waitFor()
  await screenshot(page, 'management-pull')
  expect(await axeViolations(page)).toEqual([])
  await seenClick(page.getByRole('button', { name: 'Close' }).last())
  await page.getByRole('progressbar').waitFor()
  await screenshot(page, 'management-pulls')
  await seenClick(page.getByRole('button', { name: 'Cancel pull' }))
  await page.getByText(`The pull of ${image} is cancelled`).waitFor()
  await page.getByRole('progressbar').waitFor({ state: 'detached' })
  await pull(image)
  await page.getByRole('progressbar').waitFor()
  held.release()
  await page.getByText(`Pulled ${image} in`).waitFor()
  const [found] = (await api('GET', '/images')).filter(({ tags }: { tags: string[] }) =>
    tags.includes(image),
  )
  onTestFinished(() => api('DELETE', `/images/${found.id}?host=local`))
  await pull(`${held.address}/team/app:none`)
  await page.getByRole('dialog').getByText('manifest unknown').waitFor()
  await seenFill(page.getByLabel('Image', { exact: true }), 'a//b')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('must be the name of an image').waitFor()
})

test('a rule shows what it applies to before it is saved', async () => {
  await using opened = await journey.openSignedIn('/alerts/rules')
  const { page } = opened
  await seenClick(page.getByRole('button', { name: 'Add rule' }))
  await seenFill(page.getByLabel('Name', { exact: true }), 'disk')
  const dialog = page.getByRole('dialog')
  await seenSelect(dialog.getByLabel('Fires if'), 'disk_percent')
  await seenFill(dialog.getByLabel(/^Hosts/), 'l*, nothing')
  await page.getByText('Applies to 1 host now').waitFor()
  await seenClick(page.getByRole('button', { name: 'Save rule' }))
  await page.getByRole('link', { name: 'disk' }).waitFor()
  const rules = await api('GET', '/alert-rules')
  expect(rules.find(({ name }: { name: string }) => name === 'disk')).toMatchObject({
    threshold: 90,
    operator: 'gt',
    match: { hosts: ['l*', 'nothing'] },
  })
})

test('a backup is made and verified', async () => {
  await using opened = await journey.openSignedIn('/backups')
  const { page } = opened
  await seenClick(page.getByRole('button', { name: 'Actions of nightly' }))
  await seenClick(page.getByRole('menuitem', { name: 'Run nightly now' }))
  await seenClick(page.getByRole('button', { name: 'Verify backup' }))
  await page.getByText(/^Intact: \d+ file/).waitFor()
  await screenshot(page, 'management-verified')
  const { id } = present(await api('GET', '/backup-runs'))[0]
  await seenClick(page.getByRole('button', { name: 'Delete backup' }))
  await page.getByText('It cannot be restored any more.').waitFor()
  await screenshot(page, 'management-delete-backup')
  await seenClick(page.getByRole('dialog').getByRole('button', { name: 'Delete backup' }))
  await page.getByText('Backup deleted').waitFor()
  expect(await api('GET', '/backup-runs')).not.toContainEqual(expect.objectContaining({ id }))
})

test('a blocked backup job says why, and is taken over', async () => {
  await using opened = await journey.openSignedIn('/')
  const { page } = opened
  let isTaken = false
  await page.route('**/api/v1/backup-jobs', async (route) => {
    const response = await route.fetch()
    const blocked = isTaken ? null : 'account olga was deleted'
    const jobs = await response.json()
    const acts_as = { username: 'olga', since: '2026-11-01T03:00:00.000Z', blocked }
    await route.fulfill({ response, json: jobs.map((job: object) => ({ ...job, acts_as })) })
  })
  page.on('request', (request) => {
    isTaken ||= request.method() === 'PUT'
  })
  await page.goto(`${journey.running.url}/backups`)
  const problem = page.getByRole('alert').filter({ hasText: 'nightly does not run' })
  await problem.getByText('account olga was deleted').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await screenshot(page, 'management-blocked-job')
  await seenClick(problem.getByRole('button', { name: 'Take over nightly' }))
  await page.getByText('Backup job nightly acts as you').waitFor()
  await problem.waitFor({ state: 'detached' })
})

test('a run shows what its backup does not contain, and so does its restore', async () => {
  const name = unique('shelf')
  const compose = 'services: { web: { image: busybox:latest, volumes: ["/srv/ext:/ext"] } }'
  await api('POST', '/stacks', { name, compose })
  const sources = [{ kind: 'stack', name }]
  const { id } = await api('POST', '/backup-jobs', { name, sources, target: { kind: 'local' } })
  const run = await api('POST', `/backup-jobs/${id}/run`)
  await using opened = await journey.openSignedIn(`/backups/runs?job=${id}`)
  const { page } = opened
  await page.getByRole('table').getByText('With warnings').waitFor()
  await page.goto(`${journey.running.url}/backups/runs?run=${run.id}`)
  const warning = `stack ${name}: /ext of service web is not backed up`
  await page.getByText(warning).waitFor()
  await seenClick(page.getByRole('button', { name: 'Restore', exact: true }))
  await seenClick(page.getByRole('button', { name: 'Show what is replaced' }))
  const shown = page.getByRole('dialog').getByText(warning).last()
  await shown.waitFor()
  // The reason is at the end of the line.
  expect(await shown.evaluate((line) => line.getBoundingClientRect().height)).toBeGreaterThan(30)
  expect(await axeViolations(page)).toEqual([])
  await screenshot(page, 'management-left-out')
})

test('the permissions of a role are changed in the matrix', async () => {
  await using opened = await journey.openSignedIn('/users/roles')
  const { page } = opened
  await seenCheck(page.getByLabel('deployer has images:read'))
  await seenClick(page.getByRole('button', { name: 'Save roles' }))
  await page.getByText('Saved deployer').waitFor()
  const roles = await api('GET', '/roles')
  const saved = roles.find(({ name }: { name: string }) => name === 'deployer')
  expect(saved.permissions).toHaveLength(3)
})

async function isInSight(page: Page, locator: Locator): Promise<boolean> {
  const box = present(await locator.boundingBox())
  const height = await page.evaluate<number>('innerHeight')
  return box.y >= 0 && box.y + box.height <= height
}

test('the audit log is verified, and a setting is saved', async () => {
  await using opened = await journey.openSignedIn('/audit')
  const { page } = opened
  await seenClick(page.getByRole('button', { name: 'Verify the log' }))
  await page.getByText(/^Intact: \d+ rows/).waitFor()
  await page.keyboard.press('Escape')
  await page.goto(`${journey.running.url}/settings`)
  const days = page.getByLabel('Deployments, in days')
  await page.getByText('The configuration sets it. Change it there.').waitFor()
  expect(await days.inputValue()).toBe('120')
  expect(await days.isEditable()).toBe(false)
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await screenshot(page, 'management-settings')
  await seenFill(page.getByLabel('Number of files'), '4000')
  await page.getByText('1 setting changed').waitFor()
  // The first fields are a screen above it.
  await page.evaluate('scrollTo(0, 0)')
  expect(await isInSight(page, page.getByRole('button', { name: 'Save settings' }))).toBe(true)
  await seenClick(page.getByRole('button', { name: 'Save settings' }))
  await page.getByText('Settings saved').waitFor()
  expect(await api('GET', '/settings')).toMatchObject({ 'stack.max_files': 4000 })
})

/** What `GET /service/upgrade` returns in a container. */
const inContainer = {
  version: '0.1.0',
  installed: 'container',
  container: {
    id: '4f1c'.repeat(16),
    name: 'container-stacks-service-1',
    image: 'container-stacks:latest',
    image_id: `sha256:${'9a2b'.repeat(16)}`,
    host_id: 'local',
    data_volume: 'container-stacks_data',
    compose_project: 'container-stacks',
    compose_directory: '/srv/container-stacks',
  },
  guide: 'docs/install-container.md#upgrade',
  pause: null,
  running: [{ kind: 'deployment', id: 'one', name: 'shop', host_id: 'local' }],
  last: null,
}

const newImageId = `sha256:${'5e6f'.repeat(16)}`

/** What became of an upgrade that was taken back. */
const takenBack = () => ({
  from_version: '0.1.0',
  to_version: '0.2.0',
  image: 'container-stacks:0.2.0',
  outcome: 'taken_back',
  error: 'the new container was not healthy within 60 s',
  log: ['no such file: /data/keys'],
  started_at: new Date(Date.now() - 90_000).toISOString(),
  ended_at: new Date(Date.now() - 30_000).toISOString(),
  kept_until: null,
})

/** Responds as a service in a container does. The test changes what an upgrade is at. */
async function routeUpgrade(page: Page) {
  const id = '01978f00-0000-7000-8000-000000000003'
  const state = {
    step: 'waiting',
    isAway: false,
    isCancelled: false,
    last: null as object | null,
  }
  const requests: object[] = []
  const operation = () => ({
    id,
    kind: 'service_upgrade',
    ...(state.isCancelled
      ? { status: 'interrupted', error: 'cancelled by admin', result: null }
      : {
          status: state.last === null ? 'running' : 'failed',
          error: state.last === null ? null : 'the version from before runs again',
          result: state.last ?? { step: state.step },
        }),
  })
  const check = {
    image: 'container-stacks:0.2.0',
    image_id: newImageId,
    version: '0.2.0',
    result: 'allowed',
    findings: [{ kind: 'note', reason: 'other_processes', message: 'other processes on two' }],
  }
  await page.route(/\/api\/v1\/(service\/upgrade|operations\/)/, (route, request) => {
    if (state.isAway) return route.abort('connectionrefused')
    const { pathname } = new URL(request.url())
    if (request.method() === 'POST') requests.push(request.postDataJSON())
    if (pathname.endsWith('/check')) return route.fulfill({ json: check })
    if (pathname.includes('/operations/')) return route.fulfill({ json: operation() })
    if (request.method() === 'POST') return route.fulfill({ status: 202, json: operation() })
    return route.fulfill({ json: { ...inContainer, last: state.last } })
  })
  return { state, requests }
}

test('the service is upgraded, and the page says what became of it', async () => {
  await using opened = await journey.openSignedIn('/account', { expected: /ERR_CONNECTION/ })
  const { page } = opened
  const { state, requests } = await routeUpgrade(page)
  await page.goto(`${journey.running.url}/settings`)
  const panel = page.getByRole('region', { name: 'Version of the service' })
  await panel.getByText('container-stacks-service-1').waitFor()
  await seenFill(panel.getByLabel('New image or version'), '0.2.0')
  await seenClick(panel.getByRole('button', { name: 'Check' }))
  await panel.getByText('other processes on two').waitFor()
  const problems = await appearanceProblems(page, 'management-upgrade-checked')
  await seenClick(panel.getByRole('button', { name: 'Upgrade to 0.2.0' }))
  const dialog = page.getByRole('dialog', { name: 'Upgrade the service to 0.2.0?' })
  await seenCheck(dialog.getByLabel('Without a backup'))
  problems.push(...(await appearanceProblems(page, 'management-upgrade-asked')))
  await seenClick(dialog.getByRole('button', { name: 'Upgrade to 0.2.0' }))
  await panel.getByText('Deployment of shop').waitFor()
  expect(requests).toEqual([
    { version: '0.2.0' },
    { version: '0.2.0', image_id: newImageId, without_backup: true },
  ])
  state.step = 'replacing'
  await panel.getByText('Replacing the container').waitFor()
  state.isAway = true
  await panel.getByText('The service does not respond').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  problems.push(...(await appearanceProblems(page, 'management-upgrade-away')))
  Object.assign(state, { isAway: false, last: takenBack() })
  await panel.getByText('the new container was not healthy within 60 s').waitFor()
  await seenClick(panel.getByText('Last lines of the new version'))
  await panel.getByText('no such file: /data/keys').waitFor()
  await panel.getByRole('button', { name: 'Check' }).waitFor()
  problems.push(...(await appearanceProblems(page, 'management-upgrade-taken-back')))
  expect(problems).toEqual([])
})

test('an upgrade runs the chosen backup job, and is called off', async () => {
  await using opened = await journey.openSignedIn('/account')
  const { page } = opened
  const { state, requests } = await routeUpgrade(page)
  await page.route('**/api/v1/backup-jobs', async (route) => {
    const response = await route.fetch()
    const sources = [{ kind: 'system' }]
    const jobs = ['nightly', 'weekly'].map((name) => ({ id: `job-${name}`, name, sources }))
    await route.fulfill({ response, json: jobs })
  })
  await page.goto(`${journey.running.url}/settings`)
  const panel = page.getByRole('region', { name: 'Version of the service' })
  await seenFill(panel.getByLabel('New image or version'), '0.2.0')
  await seenClick(panel.getByRole('button', { name: 'Check' }))
  await seenClick(panel.getByRole('button', { name: 'Upgrade to 0.2.0' }))
  const dialog = page.getByRole('dialog', { name: 'Upgrade the service to 0.2.0?' })
  await seenSelect(dialog.getByLabel('Backup job to run first'), 'weekly')
  const problems = await appearanceProblems(page, 'management-upgrade-job')
  await seenClick(dialog.getByRole('button', { name: 'Upgrade to 0.2.0' }))
  await panel.getByText('Deployment of shop').waitFor()
  problems.push(...(await appearanceProblems(page, 'management-upgrade-waits')))
  expect(requests.at(-1)).toMatchObject({ backup_job: 'job-weekly', without_backup: false })
  const cancel = page.waitForRequest(/\/operations\/[^/]+\/cancel$/)
  await seenClick(panel.getByRole('button', { name: 'Call off the upgrade' }))
  expect((await cancel).method()).toBe('POST')
  await panel.getByRole('button', { name: 'Calling it off' }).waitFor()
  state.isCancelled = true
  await panel.getByText('cancelled by admin').waitFor()
  await panel.getByRole('button', { name: 'Check' }).waitFor()
  problems.push(...(await appearanceProblems(page, 'management-upgrade-called-off')))
  expect(problems).toEqual([])
})

test('an account that may only upgrade the service sees its version, and no settings', async () => {
  const permissions = ['service:upgrade']
  await api('POST', '/roles', { name: 'upgrader', permissions })
  const as = { username: 'uli', password: 'a password for uli 4711' }
  await api('POST', '/users', { ...as, role: 'upgrader' })
  await using opened = await journey.openSignedIn('/account', { as })
  const { page } = opened
  await routeUpgrade(page)
  await seenClick(page.getByRole('link', { name: 'Settings' }))
  const panel = page.getByRole('region', { name: 'Version of the service' })
  await panel.getByText('container-stacks-service-1').waitFor()
  expect(await page.getByRole('button', { name: 'Save settings' }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Keys' }).count()).toBe(0)
  expect(await appearanceProblems(page, 'management-upgrader')).toEqual([])
})

test('policies that stacks inherit are added, taken over, changed and deleted', async () => {
  await using opened = await journey.openSignedIn('/settings/update-policies', {
    expected: /\/update-policies\/tag/,
  })
  const { page } = opened
  const zone = await zoneOf(page)
  const table = page.getByRole('table', { name: 'Update policies' })
  const dialog = page.getByRole('dialog')
  const row = (name: string) => table.getByRole('row').filter({ hasText: name })
  const choose = async (of: string, action: string) => {
    await seenClick(page.getByRole('button', { name: `Actions of ${of}` }))
    await seenClick(page.getByRole('menuitem', { name: action }))
  }
  await row('All stacks').getByText('Newer images are only shown').waitFor()
  const add = page.getByRole('button', { name: 'Add policy' })
  await seenClick(add)
  await seenSelect(dialog.getByLabel('Tag of hosts'), 'home')
  await seenSelect(dialog.getByLabel('Newer images'), 'apply')
  await seenSelect(dialog.getByLabel('Updates begin'), '0 3 * * *')
  await seenFill(dialog.getByLabel('Minimum age, in hours'), '-1')
  await seenClick(dialog.getByRole('button', { name: 'Save policy' }))
  await dialog.getByText('The policy was not saved').waitFor()
  await seenFill(dialog.getByLabel('Minimum age, in hours'), '48')
  expect(await appearanceProblems(page, 'management-policy')).toEqual([])
  await seenClick(dialog.getByRole('button', { name: 'Save policy' }))
  const home = 'Hosts with the tag home'
  await page.getByText(`Saved the update policy: ${home}`).waitFor()
  const applies = `Applies newer images in the window “Every day at 3:00” (${zone}), once they`
  await row(home).getByText(applies).waitFor()
  // Where other hosts have other tags, those can have policies too.
  const tags = (await api('GET', '/hosts')).flatMap((one: { tags: string[] }) => one.tags)
  expect(await add.isEnabled()).toBe(new Set(tags).size > 1)
  let isTaken = false
  page.on('request', (request) => {
    isTaken ||= request.method() === 'PUT'
  })
  await page.route('**/api/v1/update-policies', async (route) => {
    const response = await route.fetch()
    const blocked = isTaken ? null : 'account olga was deleted'
    const policies = await response.json()
    await route.fulfill({ response, json: policies.map((one: object) => ({ ...one, blocked })) })
  })
  await page.goto(`${journey.running.url}/settings/update-policies`)
  const problem = page.getByRole('alert').filter({ hasText: `Updates do not run: ${home}` })
  await problem.getByText('account olga was deleted').waitFor()
  expect(await appearanceProblems(page, 'management-policies')).toEqual([])
  await seenClick(problem.getByRole('button', { name: 'Take over' }))
  await page.getByText(`Updates have your rights now: ${home}`).waitFor()
  await problem.waitFor({ state: 'detached' })
  await choose('All stacks', 'Change policy…')
  await seenSelect(dialog.getByLabel('Newer images'), 'off')
  await seenClick(dialog.getByRole('button', { name: 'Save policy' }))
  await row('All stacks').getByText('No registry is asked for newer images').waitFor()
  const window = { schedule: '0 3 * * *', timezone: zone, duration_minutes: 120 }
  expect(await api('GET', '/update-policies')).toMatchObject([
    { of: 'default', mode: 'off', acts_as: null },
    { of: 'tag:home', mode: 'apply', window, minimum_age_hours: 48, acts_as: 'admin' },
  ])
  for (const of of [home, 'All stacks']) {
    await choose(of, 'Delete policy')
    await seenClick(dialog.getByRole('button', { name: 'Delete policy' }))
    await page.getByText(`Deleted the update policy: ${of}`).waitFor()
  }
  await row('All stacks').getByText('Newer images are only shown').waitFor()
  expect(await api('GET', '/update-policies')).toEqual([])
})

test('a viewer sees no action that they may not perform', async () => {
  const as = { username: 'grace', password: 'a long password' }
  await using opened = await journey.openSignedIn('/hosts', { as })
  const { page } = opened
  for (const path of [
    ...['/hosts', '/images', '/updates', '/alerts/rules', '/alerts/channels', '/backups'],
  ]) {
    await page.goto(new URL(path, journey.running.url).href)
    await loaded(page)
    expect(await page.locator('main .page-actions button').count(), path).toBe(0)
    expect(await page.locator('main .menu').count(), path).toBe(0)
  }
  await page.goto(`${journey.running.url}/settings`)
  await page.getByText('You need the permission settings:manage to see this').waitFor()
})
