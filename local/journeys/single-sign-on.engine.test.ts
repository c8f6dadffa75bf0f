import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProvider, type TestProvider } from '../harness/identity-provider.ts'
import { api } from '../harness/service.ts'
import { type Journey, startJourney } from './harness/journey.ts'
import { screenshot } from './harness/screenshot.ts'
import { seenClick, seenFill } from './harness/seen-click.ts'

let journey: Journey
let provider: TestProvider

beforeAll(async () => {
  journey = await startJourney({ SERVICE_OUTBOUND_ALLOW: '127.0.0.1' })
  const { running, token } = journey
  provider = await startProvider([`${running.url}/api/v1/auth/oidc/mint/callback`])
  provider.people.ann = { preferred_username: 'ann', email: 'ann@example.org' }
  const { issuer: issuer_url, clientId: client_id, clientSecret: client_secret } = provider
  const body = { name: 'Mint', issuer_url, client_id, client_secret, default_role: 'viewer' }
  const made = await api(running, 'POST', '/oidc-providers', { body, token })
  expect(made.json).toMatchObject({ id: 'mint' })
})
afterAll(async () => {
  await journey?.close()
  await provider?.close()
})

const as = (person: string) => ({ extraHTTPHeaders: { 'x-person': person } })

test('signs in with a provider and returns to the page that was asked for', async () => {
  await using opened = await journey.open('/account?tab=x', as('ann'))
  const { page } = opened
  await seenClick(page.getByRole('button', { name: 'Sign in with Mint' }))
  await page.locator('.account-name').getByText('ann').waitFor()
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/account?tab=x')
  await page.reload()
  await page.locator('.account-name').getByText('ann').waitFor()
})

test('a sign-in on a path that looks like another host stays on the service', async () => {
  await using opened = await journey.open('/', as('ann'))
  const { page, context } = opened
  // A proxy that merges slashes serves the page there.
  await context.route(
    ({ pathname }) => pathname.startsWith('//'),
    (route) => route.continue({ url: route.request().url().replace('//evil', '/evil') }),
  )
  await page.goto(`${new URL(page.url()).origin}//evil.example/account`)
  await seenClick(page.getByRole('button', { name: 'Sign in with Mint' }))
  await page.locator('.account-name').getByText('ann').waitFor()
  expect(page.url()).toBe(`${journey.running.url}/evil.example/account`)
})

test('says why a provider refused, and the password still works', async () => {
  await using opened = await journey.open('/account', as('nobody'))
  const { page } = opened
  await seenClick(page.getByRole('button', { name: 'Sign in with Mint' }))
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').textContent()).toContain('Mint did not confirm')
  expect(new URL(page.url()).search).toBe('')
  await screenshot(page, 'login-provider-refused')
  await page.getByLabel('Password').waitFor()
})

test('a session that ended under a page is continued by a new tab, and what was typed stays', async () => {
  await using opened = await journey.open('/account', {
    ...as('ann'),
    expected: /40[13]|WebSocket/,
  })
  const { page, context } = opened
  await seenClick(page.getByRole('button', { name: 'Sign in with Mint' }))
  await page.locator('.account-name').getByText('ann').waitFor()
  const typed = page.getByLabel('Name', { exact: true })
  await seenFill(typed, 'a name that was typed')
  await page.evaluate(`fetch('/api/v1/auth/browser/logout', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Requested-With': 'container-stacks',
      'X-Browser-Key': localStorage.getItem('session.key'),
    },
    body: '{}',
  })`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password').waitFor()
  await page.keyboard.press('Escape')
  expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0)
  await screenshot(page, 'login-over-page')
  const opens = context.waitForEvent('page')
  await seenClick(dialog.getByRole('link', { name: 'Sign in with Mint in a new tab' }))
  const tab = await opens
  await seenClick(tab.getByRole('button', { name: 'Sign in with Mint' }))
  await dialog.waitFor({ state: 'detached' })
  expect(await typed.inputValue()).toBe('a name that was typed')
})
