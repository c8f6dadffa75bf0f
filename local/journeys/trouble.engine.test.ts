import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { startAgent } from '../harness/agent.ts'
import { freePort } from '../harness/free-port.ts'
import { api, until } from '../harness/service.ts'
import { axeViolations } from './harness/axe.ts'
import { type Journey, startJourney } from './harness/journey.ts'
import { screenshot } from './harness/screenshot.ts'
import { seenClick, seenFill } from './harness/seen-click.ts'

const name = 'journey-trouble'
const agentProgram = fileURLToPath(new URL('../../dist/agent.js', import.meta.url))
const compose = (more = '') => `services:
  db:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s
    volumes: [data:/data]${more}
volumes: {data: {}}
`
/** A service that ends with an exit code. */
const ends = compose(`
  web:
    image: busybox:latest
    command: sh -c 'exit 7'`)
/** A service that waits until another one is healthy, which never happens. */
const waits = compose(`
    healthcheck: {test: ["CMD", "false"], start_period: 600s, interval: 1s}
  web:
    image: busybox:latest
    command: sleep 3600
    depends_on: {db: {condition: service_healthy}}`)

let journey: Journey

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await api(journey.running, method, path, { token: journey.token, body })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.json)}`)
  return answer.json
}
const sh = (script: string) => docker('exec', `${name}-db-1`, 'sh', '-c', script)

beforeAll(async () => {
  journey = await startJourney({ SERVICE_AGENT_PORT: String(await freePort()) })
  await call('PUT', '/settings', { 'metrics.sample_seconds': 1 })
  await call('POST', '/stacks', { name, compose: compose() })
  await call('POST', `/stacks/${name}/deploy`, {})
})
afterAll(async () => {
  if (!journey) return
  await api(journey.running, 'DELETE', `/stacks/${name}?volumes=true`, { token: journey.token })
  const left = docker('ps', '-aq', '--filter', `label=com.docker.compose.project=${name}`)
  if (left) docker('rm', '-f', ...left.split('\n').filter(Boolean))
  await journey.close()
})

/** Deploys with the plan of the page. */
async function deploy(page: Page): Promise<void> {
  await seenClick(page.getByRole('link', { name: 'Services' }))
  // Each tab has its own button, and one that is replaced during a click does not get it.
  await page.getByRole('table', { name: 'Services' }).waitFor()
  await seenClick(page.getByRole('button', { name: `Deploy ${name}` }))
  await page.getByText('What a deploy would do').waitFor()
  await seenClick(page.getByRole('button', { name: `Deploy ${name}` }))
}

test('a failed deploy says why and what to do next; a deploy that waits is cancelled', async () => {
  await call('PUT', `/stacks/${name}`, { compose: compose().replace('busybox', '127.0.0.1:1/no') })
  await using opened = await journey.openSignedIn(`/stacks/${name}/deployments`)
  const { page } = opened
  await deploy(page)
  const failed = page.getByRole('alert').filter({ hasText: '127.0.0.1:1/no' })
  await failed.waitFor()
  await failed.getByText('Fix the cause and deploy again, or roll back.').waitFor()
  await screenshot(page, 'trouble-failed-deploy')
  expect(await axeViolations(page)).toEqual([])
  // It is also said on the other tabs of the stack, and at home.
  await seenClick(page.getByRole('link', { name: 'Services' }))
  await page.getByText('The last operation failed').waitFor()
  await seenClick(page.getByRole('link', { name: 'Home' }).first())
  await page.getByRole('table', { name: 'What is wrong' }).getByText(name).first().waitFor()

  await call('PUT', `/stacks/${name}`, { compose: waits })
  await page.goBack()
  await deploy(page)
  const waiting = page.locator('.step').getByText('Wait for', { exact: true }).first()
  await waiting.waitFor()
  await screenshot(page, 'trouble-deploy-waits')
  // A page that is opened meanwhile shows the same, with the same address.
  await page.goto(`${journey.running.url}/stacks/${name}`)
  await waiting.waitFor()
  await page.waitForURL(/\?deployment=[0-9a-f-]{36}$/)
  await seenClick(page.getByRole('button', { name: 'Cancel the operation' }))
  await page.locator('.deployment-line').getByText('Interrupted').waitFor()
  await call('PUT', `/stacks/${name}`, { compose: compose() })
  await deploy(page)
  await page.locator('.deployment-line').getByText('Deployed in').waitFor()

  await call('PUT', `/stacks/${name}`, { compose: ends })
  await call('POST', `/stacks/${name}/deploy`, {})
  await seenClick(page.getByRole('link', { name: 'Home' }).first())
  await page.getByText('web: Exit code 7').waitFor()
  await call('PUT', `/stacks/${name}`, { compose: compose() })
  await call('POST', `/stacks/${name}/deploy`, { remove_orphans: true })
})

test('a backup is restored after a change, and says before what it replaces', async () => {
  sh('echo before > /data/note')
  const source = { sources: [{ kind: 'stack', name }], target: { kind: 'local', path: 'nas' } }
  await call('POST', '/backup-jobs', { name: 'evening', ...source })
  await using opened = await journey.openSignedIn('/backups')
  const { page } = opened
  await seenClick(page.getByRole('button', { name: 'Actions of evening' }))
  await seenClick(page.getByRole('menuitem', { name: 'Run evening now' }))
  await page.getByRole('button', { name: 'Verify backup' }).waitFor()
  sh('echo after > /data/note; touch /data/newer')

  await seenClick(page.getByRole('button', { name: 'Restore', exact: true }))
  const dialog = page.getByRole('dialog', { name: 'Restore evening' })
  await seenClick(dialog.getByRole('button', { name: 'Show what is replaced' }))
  await dialog.getByText(`Replaces Stack ${name}`).waitFor()
  await dialog.getByText(`all data of the volumes ${name}_data`).waitFor()
  await screenshot(page, 'trouble-restore')
  expect(await axeViolations(page)).toEqual([])
  const restore = dialog.getByRole('button', { name: 'Restore it' })
  expect(await restore.getAttribute('aria-disabled')).toBe('true')
  await seenFill(dialog.getByLabel(`Type ${name} to confirm`), name)
  await seenClick(restore)
  const detail = page.getByRole('complementary', { name: 'Restore evening' })
  await detail.getByText('Succeeded').waitFor()
  expect(sh('cat /data/note; ls /data')).toBe('before\nnote')
})

/** Returns the response of a request that fails for a reason. */
const failure = (reason: string, error: string) => ({
  status: 500,
  headers: { 'X-Error-Reason': reason, 'X-Request-Id': 'request-1' },
  json: { error },
})

test('a page whose request fails says what that means, and tries again only where that helps', async () => {
  const expected = /status of 500/
  await using opened = await journey.openSignedIn('/networks', { expected })
  const { page } = opened
  let reason = 'store-unavailable'
  await page.route('**/api/v1/volumes*', (route) => route.fulfill(failure(reason, 'no list')))
  await seenClick(page.getByRole('link', { name: 'Volumes' }).first())
  const problem = page.getByRole('alert').filter({ hasText: 'no list' })
  await problem.getByText('The database of the service does not respond.').waitFor()
  reason = 'disk-full'
  await seenClick(problem.getByRole('button', { name: 'Try again' }))
  await problem.getByText('A disk is full.').waitFor()
  expect(await problem.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  await screenshot(page, 'trouble-reason')
  expect(await axeViolations(page)).toEqual([])
})

test('an action that fails for a moment is done again from its message', async () => {
  const expected = /status of 500/
  await using opened = await journey.openSignedIn(`/stacks/${name}`, { expected })
  const { page } = opened
  const busy = failure('engine-busy', 'The Docker Engine did not respond within 5 s')
  await page.route('**/restart*', (route) => route.fulfill(busy), { times: 1 })
  await seenClick(page.getByRole('button', { name: `Actions of ${name}`, exact: true }))
  await seenClick(page.getByRole('menuitem', { name: `Restart ${name}`, exact: true }))
  const line = page.getByRole('region', { name: 'Messages' })
  await line.getByText('Docker on that host is busy. Try again in a moment.').waitFor()
  await screenshot(page, 'trouble-try-again')
  expect(await axeViolations(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  await screenshot(page, 'trouble-try-again-390')
  expect(await axeViolations(page)).toEqual([])
  await seenClick(line.getByRole('button', { name: 'Try again' }))
  await line.getByText(`Restarted ${name}`).waitFor()
})

test('an alert appears on an open page, and disappears when it is resolved', async () => {
  const match = { containers: [`${name}-db-1`] }
  const rule = { for_seconds: 0, cooldown_seconds: 0, match }
  await call('POST', '/alert-rules', { ...rule, name: 'down', metric: 'container_down' })
  await using opened = await journey.openSignedIn('/alerts')
  const { page } = opened
  await page.getByText('No alert fires').waitFor()
  docker('kill', `${name}-db-1`)
  // Other hosts can have the same Engine.
  const alerts = page.getByRole('table', { name: 'Alerts' }).getByText(`${name}-db-1`)
  await alerts.first().waitFor()
  await screenshot(page, 'trouble-alert')
  expect(await axeViolations(page)).toEqual([])
  docker('start', `${name}-db-1`)
  await page.getByText('No alert fires').waitFor()
})

test('a host arrives while its command is shown, and is revoked', async () => {
  await using opened = await journey.openSignedIn('/hosts')
  const { page } = opened
  await seenClick(page.getByRole('button', { name: 'Enrol host' }))
  await seenFill(page.getByLabel('Name', { exact: true }), 'attic')
  await seenClick(page.getByRole('button', { name: 'Show the command' }))
  const command = await page.locator('.command-line code').first().textContent()
  const token = /AGENT_TOKEN=(\S+)/.exec(command ?? '')?.[1]
  const directory = join(journey.place.directory, 'agent-attic')
  const words = [agentProgram, 'enrol', '--server', journey.running.url, '--data', directory]
  execFileSync(process.execPath, words, { env: { ...process.env, AGENT_TOKEN: token } })
  const agent = startAgent(journey.place, directory)
  await page.getByText('attic is connected').waitFor()
  await screenshot(page, 'trouble-host-arrived')
  expect(await axeViolations(page)).toEqual([])
  await seenClick(page.getByRole('link', { name: 'Open attic' }))
  await page.getByRole('heading', { name: 'attic', level: 1 }).waitFor()
  await page.getByText('Online').first().waitFor()

  // The agent stops and comes back: the page follows.
  await agent.end()
  await page.getByText('Offline').first().waitFor()
  startAgent(journey.place, directory)
  await page.getByText('Online').first().waitFor()
  await seenClick(page.getByRole('button', { name: 'Actions of attic' }))
  await seenClick(page.getByRole('menuitem', { name: 'Revoke attic' }))
  await seenClick(page.getByRole('dialog').getByRole('button', { name: 'Revoke attic' }))
  await page.getByText('attic revoked').waitFor()
  await page.locator('.page-head').getByText('Revoked').waitFor()
  const hosts = async () => call('GET', '/hosts')
  await until(hosts, (list) =>
    list.some(
      (host: { name: string; status: string }) =>
        host.name === 'attic' && host.status === 'revoked',
    ),
  )
})

test('lists of a host that cannot be reached say so, not that there is nothing', async () => {
  const lost = await startJourney(
    { DOCKER_HOST: `unix:///tmp/${name}-no-engine.sock` },
    journey.browser,
  )
  try {
    await using opened = await lost.openSignedIn('/containers')
    const { page } = opened
    for (const path of ['containers', 'images', 'volumes', 'networks']) {
      await page.goto(`${lost.running.url}/${path}`)
      await page.locator('.unreachable').getByText('local').first().waitFor()
      expect(await page.locator('main').innerText()).not.toMatch(
        /No (containers yet|images yet|volumes yet|networks)/,
      )
    }
  } finally {
    await lost.close()
  }
})

test('the audit log says in words that a deploy failed after its response', async () => {
  await using opened = await journey.openSignedIn('/audit')
  const { page } = opened
  const row = page.getByRole('row', { name: new RegExp(`Deploy ${name}.*Failed`) }).first()
  await row.waitFor()
  await seenClick(row.getByRole('link'))
  await page.getByRole('heading', { name: `Deploy ${name}` }).waitFor()
  await page.getByText('stacks.deploy', { exact: true }).waitFor()
})
