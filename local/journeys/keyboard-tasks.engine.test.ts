import { afterAll, beforeAll, expect, test } from 'vitest'
import { docker } from '../../adapters/testing/docker.ts'
import { removeFromEngine } from '../harness/remove-from-engine.ts'
import { api } from '../harness/service.ts'
import { unique } from '../harness/unique.ts'
import { choose, tabTo, untilFocused } from './harness/by-keyboard.ts'
import { type Journey, keysWork, startJourney } from './harness/journey.ts'

const name = unique('by-keys')
const compose = (more = '') => `services:
  web:
    image: busybox:latest
    command: sleep 3600
    stop_grace_period: 0s${more}
`
let journey: Journey
/** An image without a name, which a prune removes. */
let nameless: string | undefined

const call = (method: string, path: string, body?: unknown) =>
  api(journey.running, method, path, { token: journey.token, body })

beforeAll(async () => {
  journey = await startJourney()
  await call('POST', '/stacks', { name, compose: compose() })
  await call('POST', `/stacks/${name}/deploy`, {})
})
afterAll(async () => {
  // Another test may have pruned it.
  const isThere = nameless && docker('images', '--quiet', '--no-trunc').includes(nameless)
  if (nameless && isThere) docker('rmi', '--force', nameless)
  await removeFromEngine(name)
  await journey?.close()
})

/** Presses a key as soon as Deploy can be pressed again, before the page has drawn that. */
const pressOnceDeployable = `(key) => {
  const isDeploy = ({ textContent }) => textContent.startsWith('Deploy ')
  new MutationObserver((changes, observer) => {
    if (!changes.some(({ target }) => isDeploy(target) && !target.ariaDisabled)) return
    observer.disconnect()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  }).observe(document.body, { subtree: true, attributeFilter: ['aria-disabled'] })
}`

test('a shortcut works, also while another one becomes available', async () => {
  await using opened = await journey.openSignedIn(`/stacks/${name}`)
  const { page } = opened
  // The page sees an operation that lasts until the page listens for its end.
  const path = `**/api/v1/stacks/${name}`
  await page.route(path, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), operation: 'restart' } })
  })
  await page.reload()
  await page.locator('.page-actions [aria-disabled="true"]').getByText(`Deploy ${name}`).waitFor()
  await keysWork(page)
  await page.evaluate(`(${pressOnceDeployable})('l')`)
  await page.unroute(path)
  await call('POST', `/stacks/${name}/restart`, {})
  await page.waitForURL(/\/(logs|deploy)$/)
  expect(new URL(page.url()).pathname).toBe(`/stacks/${name}/logs`)
})

test('a terminal is opened, typed in, left and closed', async () => {
  const id = docker('ps', '-q', '--no-trunc', '--filter', `name=${name}-web-1`)
  await using opened = await journey.openSignedIn(`/containers/local/${id}`)
  const { page } = opened
  const { keyboard } = page
  await page.getByRole('link', { name: 'Terminal', exact: true }).waitFor()
  await keysWork(page)
  await keyboard.press('x')
  await untilFocused(page, 'Terminal input')
  await expect.poll(() => docker('exec', id, 'ps')).toMatch(/\bsh$/m)
  await keyboard.type('echo $((6*7)) > /tmp/answer\n')
  const answer = () => docker('exec', id, 'sh', '-c', 'cat /tmp/answer || true')
  await expect.poll(answer).toBe('42')
  // Tab and Escape belong to the shell: another key leads out, as the page says.
  await page.getByText('F6 leaves the terminal').waitFor()
  await keyboard.press('F6')
  await untilFocused(page, 'Terminal 1')
  await keyboard.press('Enter')
  await untilFocused(page, 'Terminal input')
  await keyboard.press('F6')
  await untilFocused(page, 'Terminal 1')
  await tabTo(page, 'New terminal')
  await keyboard.press('Enter')
  await page.getByRole('tab', { name: 'Terminal 2' }).waitFor()
  await untilFocused(page, 'Terminal input')
  await keyboard.press('F6')
  await tabTo(page, 'Close Terminal 2')
  await keyboard.press('Enter')
  await untilFocused(page, 'Terminal input')
  await keyboard.press('F6')
  await tabTo(page, 'Close Terminal 1')
  await keyboard.press('Enter')
  await page.getByText('No terminal is open').waitFor()
  await untilFocused(page, 'New terminal')
})

test('a command that runs once is left and ended', async () => {
  await using opened = await journey.openSignedIn(`/stacks/${name}`)
  const { page } = opened
  const { keyboard } = page
  await page.getByRole('table', { name: 'Services' }).getByText('Running').waitFor()
  await choose(page, `Actions of ${name}-web-1`, 'Run a one-off command in web')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await keyboard.type('sh')
  await keyboard.press('Enter')
  await untilFocused(page, 'Terminal input')
  const container = () => docker('ps', '-q', '--filter', `name=${name}-web-run-`)
  await expect.poll(container).not.toBe('')
  await keyboard.press('F6')
  await untilFocused(page, 'End and close')
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(page, `Actions of ${name}-web-1`)
})

test('a stack is rolled back from its history', async () => {
  await call('PUT', `/stacks/${name}`, { compose: compose('\n    environment: {A: "1"}') })
  await call('POST', `/stacks/${name}/deploy`, {})
  await using opened = await journey.openSignedIn(`/stacks/${name}`)
  const { page } = opened
  const { keyboard } = page
  await page.getByRole('table', { name: 'Services' }).waitFor()
  await tabTo(page, 'Deployments')
  await keyboard.press('Enter')
  await page.getByRole('table', { name: 'Deployments' }).waitFor()
  await untilFocused(page, name)
  await tabTo(page, 'Roll back to revision 1')
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.locator('.diff .removed').getByText('A: "1"').waitFor()
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(page, 'Roll back to revision 1')
  await keyboard.press('Enter')
  await dialog.waitFor()
  await tabTo(page, `Roll back ${name}`)
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.locator('.deployment-line').getByText('Rolled back in').waitFor()
  await untilFocused(page, name)
  expect((await call('GET', `/stacks/${name}`)).json.compose).not.toContain('environment')
})

test('a host is enrolled as far as its command, and the focus returns', async () => {
  await using opened = await journey.openSignedIn('/hosts')
  const { page } = opened
  const { keyboard } = page
  const host = unique('attic')
  await page.getByRole('link', { name: 'local' }).waitFor()
  await tabTo(page, 'Enrol host')
  await keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await keyboard.press('Escape')
  await untilFocused(page, 'Enrol host')
  await keyboard.press('Enter')
  await dialog.waitFor()
  await keyboard.type(host)
  await keyboard.press('Enter')
  await dialog.getByText(`Waiting for ${host} to connect`).waitFor()
  await tabTo(page, 'Without Node.js on that machine')
  await keyboard.press('Enter')
  await expect
    .poll(() => dialog.getByText('AGENT_TOKEN=').filter({ visible: true }).count())
    .toBe(3)
  await tabTo(page, 'Close')
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(page, 'Enrol host')
})

test('a prune of images shows what it removes, and a pull is refused', async () => {
  nameless = docker('commit', `${name}-web-1`)
  await using opened = await journey.openSignedIn('/images', { expected: /\/images\/pull/ })
  const { page } = opened
  const { keyboard } = page
  const dialog = page.getByRole('dialog')
  await page.getByRole('link', { name: 'busybox' }).first().waitFor()
  await tabTo(page, 'Prune images')
  await keyboard.press('Enter')
  await dialog.getByRole('status').waitFor()
  await tabTo(page, 'Cancel')
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(page, 'Prune images')
  await tabTo(page, 'Pull image')
  await keyboard.press('Enter')
  await dialog.waitFor()
  await keyboard.type('a//b')
  await keyboard.press('Enter')
  await dialog.getByText('must be the name of an image').waitFor()
  await untilFocused(page, 'Image')
  // What was typed is discarded only on request.
  await keyboard.press('Escape')
  await untilFocused(page, 'Keep editing')
  await keyboard.press('Escape')
  await untilFocused(page, 'Image')
  await keyboard.press('Escape')
  await tabTo(page, 'Discard')
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(page, 'Pull image')
})

test('an alert rule is added', async () => {
  await using opened = await journey.openSignedIn('/alerts/rules')
  const { page } = opened
  const { keyboard } = page
  const dialog = page.getByRole('dialog')
  const rule = unique('disk')
  await page
    .getByRole('table', { name: 'Rules' })
    .or(page.getByText('No alert rules yet'))
    .waitFor()
  await tabTo(page, 'Add rule')
  await keyboard.press('Enter')
  await dialog.waitFor()
  await keyboard.type(rule)
  await tabTo(page, 'Fires if')
  await keyboard.type('Disk of a host')
  await dialog.getByText(/^Applies to \d+ hosts? now/).waitFor()
  await untilFocused(page, 'Fires if')
  await tabTo(page, 'Save rule')
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: rule }).waitFor()
  await untilFocused(page, 'Add rule')
  const { json } = await call('GET', '/alert-rules')
  expect(json.find((one: { name: string }) => one.name === rule).metric).toBe('disk_percent')
})

test('a backup job is added and run, and its restore is prepared', async () => {
  await using opened = await journey.openSignedIn('/backups')
  const { page } = opened
  const { keyboard } = page
  const dialog = page.getByRole('dialog')
  const job = unique('nightly')
  await page.getByText('No backup jobs yet').waitFor()
  await tabTo(page, 'Add backup job')
  await keyboard.press('Enter')
  await dialog.waitFor()
  await keyboard.type(job)
  await dialog.getByLabel(`Stack ${name}`).waitFor()
  await tabTo(page, `Stack ${name}`)
  await keyboard.press('Space')
  await tabTo(page, 'Save job')
  await keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText(job, { exact: true }).first().waitFor()
  await untilFocused(page, 'Add backup job')
  await choose(page, `Actions of ${job}`, `Run ${job} now`)
  await page.waitForURL(/\/backups\/runs\?job=.*run=/)
  await untilFocused(page, `Backup ${job}`)
  await page.getByRole('button', { name: 'Verify backup' }).waitFor()
  await tabTo(page, 'Verify backup')
  await keyboard.press('Enter')
  await page.getByText(/^Intact: \d+ file/).waitFor()
  await untilFocused(page, 'Verify backup')
  await tabTo(page, 'Restore')
  await keyboard.press('Enter')
  await dialog.waitFor()
  await tabTo(page, 'Show what is replaced')
  await keyboard.press('Enter')
  await tabTo(page, `Type ${name} to confirm`)
  await keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await untilFocused(page, 'Restore')
  await keyboard.press('Escape')
  await page.getByRole('heading', { name: `Backup ${job}` }).waitFor({ state: 'detached' })
  await untilFocused(page, 'Backups')
})
