import { appendFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { api, until } from '../harness/service.ts'
import { appearanceProblems, viewportsOfStory } from './harness/appearance.ts'
import { axeViolations } from './harness/axe.ts'
import { zoneOf } from './harness/elsewhere.ts'
import { type Journey, keysWork, startJourney } from './harness/journey.ts'
import { screenshot } from './harness/screenshot.ts'
import { seenCheck, seenClick, seenFill, seenSelect } from './harness/seen-click.ts'

const name = 'journey-stack'
const compose = (more = '') => `services:
  web:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s
    labels: {container-stacks.url: "http://shop.example http://till.example"}${more}
  db:
    image: busybox:latest
    command: sh -c "echo db is ready; exec sleep 3600"
    stop_grace_period: 0s
    volumes: [data:/data]
volumes: {data: {}}
`
let journey: Journey

const call = (method: string, path: string, body?: unknown) =>
  api(journey.running, method, path, { token: journey.token, body })

beforeAll(async () => {
  journey = await startJourney({ SERVICE_METRICS_SAMPLE_SECONDS: '1' })
  // A busy machine reads a compose file too slowly for the service's time limit.
  const made = await until(
    () => call('POST', '/stacks', { name, compose: compose() }),
    ({ status }) => status !== 500,
  )
  expect(made.status, JSON.stringify(made.json)).toBe(201)
  await call('POST', `/stacks/${name}/deploy`, {})
})
afterAll(async () => {
  if (!journey) return
  await call('DELETE', `/stacks/${name}?volumes=true`)
  const left = docker('ps', '-aq', '--filter', `label=com.docker.compose.project=${name}`)
  if (left) docker('rm', '-f', ...left.split('\n').filter(Boolean))
  await journey.close()
})

const at = (path: string) => `/stacks/${name}${path}`
test('a change is planned, deployed live, and rolled back', async () => {
  await call('PUT', `/stacks/${name}`, { compose: compose('\n    environment: {A: "1"}') })
  await using opened = await journey.openSignedIn(at(''))
  const { page } = opened
  await page.getByRole('table', { name: 'Services' }).getByText('busybox').first().waitFor()
  await page.getByText('Saved changes are not deployed').waitFor()
  await page.getByRole('log').getByText('db is ready').waitFor()
  await page.getByRole('region', { name: 'Files' }).getByText('by admin').waitFor()
  await screenshot(page, 'stack-changed-dark-1280')
  await keysWork(page)
  await page.keyboard.press('d')
  const plan = page.getByRole('table', { name: 'Containers' })
  await plan.getByText('environment').waitFor()
  await page.getByText('1 recreated · 1 unchanged').waitFor()
  expect(await page.locator('.diff .added').first().textContent()).toContain('A: "1"')
  await screenshot(page, 'stack-plan-dark-1280')
  await expect
    .poll(() => page.evaluate('document.activeElement.textContent'))
    .toBe(`Deploy ${name}`)
  await seenClick(page.getByText('Options', { exact: true }))
  const planned = page.waitForResponse((response) => response.url().endsWith('/plan'))
  await seenSelect(page.getByLabel('Build images'), 'Always')
  expect((await planned).status()).toBe(200)
  await plan.getByText('environment').waitFor()
  await screenshot(page, 'stack-plan-options-dark-1280')
  await page.getByRole('button', { name: `Deploy ${name}` }).press('Enter')
  const line = page.locator('.deployment-line')
  await line.getByText(/^Deployed in [\d.]+ m?s$/).waitFor()
  await line.getByText('1 recreated · 1 unchanged').waitFor()
  expect(page.url()).toMatch(/\/stacks\/journey-stack\?deployment=[0-9a-f-]{36}$/)
  await screenshot(page, 'stack-deployed-dark-1280')
  // Another tab, or this one after a reload, has its end as a line.
  await page.reload()
  await line.getByText(/^Deployed in/).waitFor()
  await seenClick(page.getByRole('link', { name: 'Whole record' }))
  const rows = (await call('GET', '/audit?action=stacks.deploy')).json
  expect(rows.map(({ values }: Json) => values.build)).toContain('always')
  await page.locator('.step').getByText('Remove', { exact: true }).waitFor()

  await seenClick(page.getByRole('link', { name: 'Deployments', exact: true }))
  expect(await page.getByText('Saved changes are not deployed').count()).toBe(0)
  const history = page.getByRole('table', { name: 'Deployments' })
  await expect.poll(() => history.locator('tbody tr').count()).toBe(2)
  await history.getByText('web recreated (environment.A)').waitFor()
  await history.getByText('2 services created').waitFor()
  await seenClick(history.getByRole('button', { name: 'Roll back to revision 1' }))
  const dialog = page.getByRole('dialog')
  expect(await dialog.locator('.diff .removed').first().textContent()).toContain('A: "1"')
  await screenshot(page, 'stack-roll-back-dark-1280')
  await seenClick(dialog.getByRole('button', { name: `Roll back ${name}` }))
  await page.locator('.deployment-line').getByText('Rolled back in').waitFor()
  await seenClick(page.getByRole('link', { name: 'Deployments', exact: true }))
  await history.getByText('Back to revision 1').waitFor()
  await seenClick(history.getByRole('link', { name: 'Roll back', exact: true }))
  await page.locator('.facts').getByRole('link', { name: 'revision 1', exact: true }).waitFor()
  const { json } = await call('GET', `/stacks/${name}`)
  expect(json.compose).not.toContain('environment')
})

test('verbs of a service change it, and the table follows', async () => {
  await using opened = await journey.openSignedIn(at(''))
  const { page } = opened
  const row = page.getByRole('row', { name: /^web/ })
  const choose = async (label: string) => {
    await seenClick(row.getByRole('button', { name: `Actions of ${name}-web-1` }))
    await seenClick(row.getByRole('menuitem', { name: label }))
  }
  await choose('Pause web')
  await row.getByText('Paused').waitFor()
  await choose('Unpause web')
  await row.getByText('Running').waitFor()
  await choose('Scale web')
  await seenFill(page.getByLabel('Containers'), '2')
  await seenClick(page.getByRole('button', { name: 'Scale web to 2' }))
  await expect.poll(() => page.getByRole('row', { name: /^web/ }).count()).toBe(2)
})

test('a command runs once in a new container, with a terminal', async () => {
  await using opened = await journey.openSignedIn(at(''))
  const { page } = opened
  const row = page.getByRole('row', { name: /^db/ })
  await seenClick(row.getByRole('button', { name: `Actions of ${name}-db-1` }))
  await seenClick(row.getByRole('menuitem', { name: 'Run a one-off command in db' }))
  const dialog = page.getByRole('dialog')
  await seenFill(dialog.getByRole('textbox', { name: /^Command/ }), 'sh')
  await page.keyboard.press('Enter')
  await dialog.locator('.xterm-screen').waitFor()
  const container = () => docker('ps', '-q', '--filter', `name=${name}-db-run-`)
  await expect.poll(container).not.toBe('')
  await page.keyboard.type('echo $((6*7)) > /data/mark\n')
  const mark = () => docker('exec', `${name}-db-1`, 'sh', '-c', 'cat /data/mark || true')
  await expect.poll(mark).toBe('42')
  expect(await axeViolations(page)).toEqual([])
  await screenshot(page, 'stack-run-dark-1280')
  await page.keyboard.type('exit\n')
  await expect.poll(container).toBe('')
  await seenClick(dialog.getByRole('button', { name: 'End and close' }))
  await dialog.waitFor({ state: 'detached' })
})

test('drift is shown, and the plan asks what to do with it', async () => {
  const { json } = await call('GET', `/stacks/${name}`)
  appendFileSync(`${json.directory}/compose.yaml`, '# edited\n')
  await using opened = await journey.openSignedIn(at('/drift'))
  const { page } = opened
  await page.locator('.diff').getByText('# edited').waitFor()
  await screenshot(page, 'stack-drift-dark-1280')
  expect(await axeViolations(page)).toEqual([])
  await seenClick(page.getByRole('link', { name: 'Plan an import' }))
  // The button in the head of the page asks for another plan, and is there until this one is.
  await seenClick(page.locator('.deploy-form').getByRole('button', { name: `Deploy ${name}` }))
  await page.locator('.deployment-line').getByText('Deployed in').waitFor()
  const after = await call('GET', `/stacks/${name}`)
  expect(after.json.compose).toContain('# edited')
})

test('the plan asks to accept what an account that saved the files may not use', async () => {
  const shared = 'journey-accept'
  const films = `${shared}-films`
  const olga = { username: 'olga', password: 'operator-password-1' }
  docker('volume', 'create', films)
  try {
    await call('POST', '/users', { ...olga, role: 'operator' })
    const { json } = await api(journey.running, 'POST', '/auth/login', { body: olga })
    const service = `{image: "busybox:latest", command: sleep 3600, volumes: ["films:/films"]}`
    const volumes = `{films: {name: ${films}, external: true}}`
    const body = { name: shared, compose: `services: {web: ${service}}\nvolumes: ${volumes}\n` }
    const made = await api(journey.running, 'POST', '/stacks', { token: json.access_token, body })
    expect(made.status, JSON.stringify(made.json)).toBe(201)
    await using opened = await journey.openSignedIn(`/stacks/${shared}/deploy`)
    const { page } = opened
    await page.getByText('saved by olga, who may not use it').waitFor()
    const form = page.locator('.deploy-form')
    await form.getByText('Accept what an account that saved the files may not use').waitFor()
    expect(await appearanceProblems(page, 'stack-accept')).toEqual([])
    await seenCheck(form.getByRole('checkbox', { name: `Accept volume:${films}` }))
    await seenClick(form.getByRole('button', { name: `Deploy ${shared}` }))
    await page.locator('.deployment-line').getByText('Deployed in').waitFor()
  } finally {
    await call('DELETE', `/stacks/${shared}`)
    docker('volume', 'rm', films)
  }
})

test('a viewer sees no action', async () => {
  const password = 'viewer-password-1'
  await call('POST', '/users', { username: 'vera', password, role: 'viewer' })
  await using opened = await journey.openSignedIn(at(''), { as: { username: 'vera', password } })
  const { page } = opened
  await page.getByRole('table', { name: 'Services' }).waitFor()
  expect(await page.getByRole('button', { name: `Deploy ${name}` }).count()).toBe(0)
  expect(await page.getByRole('button', { name: `Actions of ${name}`, exact: true }).count()).toBe(
    0,
  )
})

describe.each(viewportsOfStory(390))('opened at $width px', (look) => {
  test('the tabs of a stack have no violation that axe finds', async () => {
    await using opened = await journey.openSignedIn(at(''), look)
    const { page } = opened
    for (const [tab, ready] of [
      ['', '.table'],
      ['deploy', '.deploy-form'],
      ['backups', '.page-body .empty'],
      ['deployments', '[aria-label="Deployments"].table'],
      ['drift', '.page-body .empty'],
      ['events', '[aria-label="Events"].table'],
    ] as const) {
      if (tab === 'deploy') await seenClick(page.getByRole('button', { name: `Deploy ${name}` }))
      else await seenClick(page.locator(`nav.tabs a[href="${at(tab && `/${tab}`)}"]`))
      await page.locator(ready).first().waitFor()
      expect(await appearanceProblems(page, `stack-${tab || 'services'}`), tab).toEqual([])
    }
    await page.goBack()
    await page.goBack()
    await seenClick(page.locator('[aria-label="Deployments"].table tbody a').first())
    await page.locator('.steps').waitFor()
    expect(await appearanceProblems(page, 'stack-deployment')).toEqual([])
  })
})

test('the history counts changes, and has no time for a deploy without any', async () => {
  await call('POST', `/stacks/${name}/deploy`, {})
  expect((await call('POST', `/stacks/${name}/deploy`, {})).json.steps).toEqual([])
  await using opened = await journey.openSignedIn(at('/deployments'))
  const table = opened.page.getByRole('table')
  await table.waitFor()
  const [, newest = ''] = await table.getByRole('row').allInnerTexts()
  expect(newest).toContain('Nothing to do')
  expect(newest).not.toMatch(/\d ms/)
  expect(await table.innerText()).toContain('2 services created')
})

const digest = (digit: string) => `sha256:${digit.repeat(64)}`

test('a stack says what happens with newer images, and its policy is changed', async () => {
  await using opened = await journey.openSignedIn('/account', { expected: /\/update-policy/ })
  const { page } = opened
  const soon = new Date(Date.now() + 30 * 60_000).toISOString()
  const next = { kind: 'planned', at: soon, reason: null }
  await page.route(/\/api\/v1\/updates\?/, async (route) => {
    const response = await route.fetch()
    const newer = { digest: digest('5'), seen_at: '2026-11-01T08:00:00.000Z' }
    const { json: policy } = await call('GET', at('/update-policy'))
    const updates = (await response.json()) as { service: string }[]
    await route.fulfill({
      response,
      json: updates
        .filter(({ service }) => service === 'web')
        .map((one) => ({
          ...one,
          state: 'newer',
          newer,
          ...(policy.mode === 'apply' && { next }),
        })),
    })
  })
  await page.goto(journey.running.url + at(''))
  await page.getByText('Newer images are only shown').waitFor()
  const change = page.getByRole('button', { name: 'Change policy…' })
  await seenClick(change)
  const dialog = page.getByRole('dialog', { name: `Updates of ${name}` })
  await seenSelect(dialog.getByLabel('Newer images'), 'apply')
  await seenSelect(dialog.getByLabel('Updates begin'), 'other')
  await seenFill(dialog.getByLabel('Cron expression'), '61 3 * * *')
  await seenFill(dialog.getByLabel('Minimum age, in hours'), '5')
  await seenCheck(dialog.getByLabel('db'))
  await dialog.getByText('Updates have your rights, as they are then.').waitFor()
  await seenClick(dialog.getByRole('button', { name: 'Save policy' }))
  await dialog.getByRole('alert').getByText('The policy was not saved').waitFor()
  await dialog
    .getByRole('alert')
    .getByText(/schedule/)
    .waitFor()
  await seenFill(dialog.getByLabel('Cron expression'), '30 3 * * 1-5')
  expect(await appearanceProblems(page, 'stack-policy')).toEqual([])
  await seenClick(dialog.getByRole('button', { name: 'Save policy' }))
  await page.getByText(`Saved the update policy of ${name}`).waitFor()
  await page.getByText(/^Applies busybox:latest \(555555555555\) (today|tomorrow) at /).waitFor()
  await page.getByText('with the rights of admin').waitFor()
  expect((await call('GET', at('/update-policy'))).json).toMatchObject({
    mode: 'apply',
    window: { schedule: '30 3 * * 1-5', timezone: await zoneOf(page), duration_minutes: 120 },
    minimum_age_hours: 5,
    except: ['db'],
  })
  await seenClick(change)
  await dialog.waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  await seenClick(change)
  await seenClick(dialog.getByRole('button', { name: 'Use the default' }))
  await page.getByText('Newer images are only shown').waitFor()
})

test('updates that do not run say why, and are taken over', async () => {
  await using opened = await journey.openSignedIn('/account')
  const { page } = opened
  let isTaken = false
  page.on('request', (request) => {
    isTaken ||= request.method() === 'PUT'
  })
  await page.route('**/update-policy', async (route) => {
    if (route.request().method() === 'PUT') return route.fallback()
    const response = await route.fetch()
    const blocked = isTaken ? null : 'account olga was deleted'
    const policy = { ...(await response.json()), mode: 'apply', acts_as: 'olga', blocked }
    await route.fulfill({ response, json: policy })
  })
  await page.goto(journey.running.url + at(''))
  await page.getByText('Updates do not run').waitFor()
  await page.getByText('account olga was deleted').waitFor()
  await seenClick(page.getByRole('button', { name: 'Take over' }))
  await page.getByText(`Updates of ${name} have your rights now`).waitFor()
  await page.getByText('Updates do not run').waitFor({ state: 'detached' })
  await call('DELETE', at('/update-policy'))
})

test('a bad update is shown, and its image is allowed again', async () => {
  await using opened = await journey.openSignedIn('/account')
  const { page } = opened
  const { json: deployments } = await call('GET', at('/deployments'))
  const held = {
    service: 'web',
    image: 'docker.io/library/nginx:1.29',
    digest: digest('5'),
    before: digest('0'),
    reason: 'its health check fails',
    log: ['unknown directive "htp"'],
    deployment_id: deployments[0].id,
    at: new Date(Date.now() - 60_000).toISOString(),
  }
  let images = [held, { ...held, digest: digest('4'), log: [], at: '2026-01-01T00:00:00.000Z' }]
  await page.route('**/held-back-images', (route) => route.fulfill({ json: images }))
  await page.route('**/held-back-images/*', async (route) => {
    images = images.filter((one) => !decodeURIComponent(route.request().url()).endsWith(one.digest))
    await route.fulfill({ status: 204 })
  })
  await page.route(/\/api\/v1\/.*\/deployments$/, async (route) => {
    const response = await route.fetch()
    const [first, ...rest] = (await response.json()) as object[]
    await route.fulfill({ response, json: [{ ...first, cause: 'update_rollback' }, ...rest] })
  })
  await page.goto(journey.running.url + at(''))
  const account = page.getByRole('region', { name: 'Held-back images' })
  await account.getByText('web: its health check fails').first().waitFor()
  await account.getByText(/^An update deployed nginx:1\.29 \(555555555555\)/).waitFor()
  await account.getByText('unknown directive "htp"').waitFor()
  expect(await appearanceProblems(page, 'stack-held-back')).toEqual([])
  await seenClick(account.getByRole('button', { name: 'Allow it again…' }).first())
  await page
    .getByRole('dialog', { name: 'Allow updates to apply nginx:1.29 (555555555555) again?' })
    .waitFor()
  await seenClick(page.getByRole('button', { name: 'Allow it again', exact: true }))
  await page.getByText('Updates may apply nginx:1.29 (555555555555) again').waitFor()
  await account.getByText(/\(555555555555\)/).waitFor({ state: 'detached' })
  await account.getByText(/\(444444444444\)/).waitFor()
  await page.goto(journey.running.url + at('/deployments'))
  await page.getByRole('table').getByText('Update rolled back').waitFor()
})

test('a stack shows the jobs that back it up, and leads to their runs', async () => {
  const sources = [{ kind: 'stack', name }]
  const { json: job } = await call('POST', '/backup-jobs', {
    name: 'nightly',
    sources,
    target: { kind: 'local' },
  })
  await using opened = await journey.openSignedIn(at('/backups'))
  const { page } = opened
  await seenClick(page.getByRole('link', { name: 'nightly' }))
  await page.waitForURL(`**/backups/runs?job=${job.id}`)
  await page.getByRole('heading', { name: 'Backups', level: 1 }).waitFor()
  await call('DELETE', `/backup-jobs/${job.id}`)
})

test('a hook is made, called and deleted', async () => {
  await using opened = await journey.openSignedIn(at(''), { expected: /404/ })
  const { page } = opened
  await seenClick(page.getByRole('button', { name: `Actions of ${name}`, exact: true }))
  await seenClick(page.getByRole('menuitem', { name: `Hook of ${name}` }))
  const dialog = page.getByRole('dialog')
  await seenClick(dialog.getByRole('button', { name: 'Make a hook' }))
  await dialog.getByText('The secret is shown only now').waitFor()
  expect(await appearanceProblems(page, 'stack-hook-made')).toEqual([])
  const [address = '', secret = ''] = await dialog.locator('code').allTextContents()
  await seenClick(dialog.getByRole('button', { name: 'Close' }).last())
  const post = (given: string) =>
    fetch(new URL(new URL(address).pathname, journey.running.url), {
      method: 'POST',
      headers: { 'X-Gitlab-Token': given, 'Content-Type': 'text/plain' },
      body: 'not JSON',
    })
  expect((await post(`${secret}.`)).status).toBe(401)
  const answer = await post(secret)
  expect([answer.status, await answer.json()]).toEqual([
    202,
    { stack: name, source: null, deploys: true, looks: false },
  ])
  await until(
    () => call('GET', at('/hook')),
    ({ json }) => json.last_deployment !== null,
  )
  const { json: deployments } = await call('GET', at('/deployments'))
  expect(deployments[0]).toMatchObject({ cause: 'hook', by: 'admin' })
  await seenClick(page.getByRole('button', { name: `Actions of ${name}`, exact: true }))
  await seenClick(page.getByRole('menuitem', { name: `Hook of ${name}` }))
  await dialog.getByText('its secret or signature is wrong').waitFor()
  expect(await appearanceProblems(page, 'stack-hook')).toEqual([])
  await seenClick(dialog.getByRole('button', { name: 'Delete the hook' }))
  await seenClick(dialog.getByRole('button', { name: 'Delete the hook' }))
  await expect.poll(async () => (await call('GET', at('/hook'))).status).toBe(404)
})

test('a stack is forgotten, and its container keeps running', async () => {
  const kept = `${name}-kept`
  const one = compose().split('  db:')[0]
  await call('POST', '/stacks', { name: kept, compose: one })
  expect((await call('POST', `/stacks/${kept}/deploy`, {})).json.status).toBe('succeeded')
  const running = () => docker('ps', '-q', '--filter', `label=com.docker.compose.project=${kept}`)
  const before = running()
  await using opened = await journey.openSignedIn(`/stacks/${kept}`, { expected: /404/ })
  const { page } = opened
  await seenClick(page.getByRole('button', { name: `Actions of ${kept}`, exact: true }))
  await seenClick(page.getByRole('menuitem', { name: `Forget ${kept}` }))
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Everything on the host: containers, networks, volumes').waitFor()
  expect(await appearanceProblems(page, 'stack-forget')).toEqual([])
  await seenClick(dialog.getByRole('button', { name: `Forget ${kept}` }))
  await expect.poll(async () => (await call('GET', `/stacks/${kept}`)).status).toBe(404)
  await expect.poll(() => new URL(page.url()).pathname).not.toContain(kept)
  expect([before, running()]).toEqual([expect.stringMatching(/./), before])
  docker('rm', '-f', before)
  docker('network', 'rm', `${kept}_default`)
})

test('a stack is taken down with its volumes by typing its name, then deleted', async () => {
  // Its last events arrive before the page leaves it.
  await using opened = await journey.openSignedIn(at(''), { expected: /404/ })
  const { page } = opened
  const menu = async (label: string) => {
    await seenClick(page.getByRole('button', { name: `Actions of ${name}`, exact: true }))
    await seenClick(page.getByRole('menuitem', { name: label }))
  }
  await menu(`Take ${name} down`)
  const dialog = page.getByRole('dialog')
  await dialog.getByText(`${name}_data`).first().waitFor()
  await seenCheck(dialog.getByLabel('Also remove its volumes'))
  await screenshot(page, 'stack-down-dark-1280')
  const action = dialog.getByRole('button', { name: `Take ${name} down` })
  expect(await action.getAttribute('aria-disabled')).toBe('true')
  await seenFill(dialog.getByLabel(`Type ${name} to confirm`), name)
  await seenClick(action)
  await until(
    () => call('GET', `/stacks/${name}`),
    ({ json }) => json.status === 'not_deployed' && json.operation === null,
  )
  expect(docker('volume', 'ls', '-q', '--filter', `name=${name}_data`)).toBe('')
  await menu(`Delete ${name}`)
  await screenshot(page, 'stack-delete-dark-1280')
  await seenClick(dialog.getByRole('button', { name: `Delete ${name}` }))
  await expect.poll(async () => (await call('GET', `/stacks/${name}`)).status).toBe(404)
  await expect.poll(() => new URL(page.url()).pathname).not.toContain(name)
})
