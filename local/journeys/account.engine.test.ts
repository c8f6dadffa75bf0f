import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeAt } from '../harness/second-factor.ts'
import { api } from '../harness/service.ts'
import { appearanceProblems, viewportsOfStory } from './harness/appearance.ts'
import { type Journey, signIn, startJourney } from './harness/journey.ts'
import { screenshot } from './harness/screenshot.ts'

let journey: Journey

beforeAll(async () => {
  journey = await startJourney()
})
afterAll(() => journey?.close())

/** Creates a user of its own for a test. Returns the credentials. */
async function newUser(username: string) {
  const password = 'correct horse battery'
  const body = { username, password, role: 'viewer' }
  const made = await api(journey.running, 'POST', '/users', { body, token: journey.token })
  expect(made.status).toBe(201)
  return { username, password }
}

/** A refused login is an error on the console. */
const expected = /status of (401|423)/

describe.each(viewportsOfStory(390))('opened at $width px', (look) => {
  test('the account has no violation that axe finds', async () => {
    await using opened = await journey.openSignedIn('/account', look)
    const { page } = opened
    await page.getByRole('table', { name: 'Sessions' }).waitFor()
    expect(await appearanceProblems(page, 'account')).toEqual([])
  })
})

test('turns on a second factor, signs in with a code, and then with a recovery code', async () => {
  const as = await newUser('mia')
  await using opened = await journey.openSignedIn('/account', { as, expected })
  const { page } = opened
  const mfa = page.getByRole('region', { name: 'Two-step sign-in' })
  await mfa.getByLabel('Your password').fill(as.password)
  await mfa.getByRole('button', { name: 'Turn on' }).click()
  await mfa.getByRole('img', { name: /^QR code/ }).waitFor()
  await screenshot(page, 'account-qr')
  const secret = (await mfa.locator('code').first().textContent()) ?? ''
  await mfa.getByLabel('Code', { exact: true }).fill(codeAt(secret, Date.now()))
  await mfa.getByRole('button', { name: 'Turn on' }).click()
  await mfa.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  const codes = await mfa.locator('code').allTextContents()
  expect(codes).toHaveLength(10)
  await mfa.getByRole('button', { name: 'I have kept them' }).click()
  await mfa.getByText('On', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Your account' }).first().click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('User name').fill(as.username)
  await page.getByLabel('Password').fill(as.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByLabel('Code').fill(codes[0] ?? '')
  await screenshot(page, 'login-code')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('#content h1').waitFor()
})

test('shows a new API token once, and revokes it', async () => {
  const as = await newUser('nils')
  await using opened = await journey.openSignedIn('/account', { as, expected })
  const { page } = opened
  const tokens = page.getByRole('region', { name: 'API tokens' })
  await tokens.getByLabel('Name', { exact: true }).fill('backup script')
  await tokens.getByRole('button', { name: 'Create token' }).click()
  const dialog = page.getByRole('dialog')
  const token = (await dialog.locator('code').textContent()) ?? ''
  expect((await api(journey.running, 'GET', '/me', { token })).json.username).toBe('nils')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(token)
  await tokens.getByRole('button', { name: 'Revoke backup script' }).click()
  await dialog.getByRole('button', { name: 'Revoke backup script' }).click()
  await tokens.getByText('No API tokens').waitFor()
  expect((await api(journey.running, 'GET', '/me', { token })).status).toBe(401)
})

test('asks for the password if a token is made some time after the sign-in', async () => {
  const as = await newUser('rosa')
  const refused = /status of (400|401|403)/
  await using opened = await journey.openSignedIn('/account', { as, expected: refused })
  const { page } = opened
  // The service asks fifteen minutes after the sign-in.
  let isAsked = false
  await page.route('**/api/v1/api-tokens', async (route) => {
    if (isAsked || route.request().method() !== 'POST') return route.continue()
    isAsked = true
    const headers = { 'X-Error-Reason': 'confirmation-required' }
    return route.fulfill({ status: 403, headers, json: { error: 'send password' } })
  })
  const tokens = page.getByRole('region', { name: 'API tokens' })
  await tokens.getByLabel('Name', { exact: true }).fill('late script')
  await tokens.getByRole('button', { name: 'Create token' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByLabel('Your password').fill('a wrong guess')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await dialog.getByText('is not your password').waitFor()
  await screenshot(page, 'account-confirm')
  await dialog.getByLabel('Your password').fill(as.password)
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByRole('dialog', { name: 'Token late script' })
  const token = (await shown.locator('code').textContent()) ?? ''
  expect((await api(journey.running, 'GET', '/me', { token })).json.username).toBe('rosa')
})

test('ends all other sessions, and the API tokens if chosen', async () => {
  const as = await newUser('tilda')
  await using opened = await journey.openSignedIn('/account', { as, expected })
  const { page } = opened
  const login = await api(journey.running, 'POST', '/auth/login', { body: as })
  const session = { token: login.json.access_token, body: { name: 'ci' } }
  const made = await api(journey.running, 'POST', '/api-tokens', session)
  const sessions = page.getByRole('region', { name: 'Sessions' })
  await sessions.getByRole('button', { name: 'End all others' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Also end all my API tokens').check()
  await dialog.getByRole('button', { name: 'End all others' }).click()
  await page.getByText('All other sessions have ended').first().waitFor()
  for (const token of [session.token, made.json.token]) {
    expect((await api(journey.running, 'GET', '/me', { token })).status).toBe(401)
  }
  await page.reload()
  await page.getByRole('table', { name: 'Sessions' }).waitFor()
})

test('a changed password ends the other sessions and keeps this one', async () => {
  const as = await newUser('olaf')
  await using opened = await journey.openSignedIn('/account', { as, expected })
  const { page } = opened
  const login = await api(journey.running, 'POST', '/auth/login', { body: as })
  await page.getByLabel('Current password').fill(as.password)
  await page.getByLabel('New password').fill('another horse battery')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed').first().waitFor()
  const token = login.json.access_token
  expect((await api(journey.running, 'GET', '/me', { token })).status).toBe(401)
  await page.reload()
  await page.getByRole('table', { name: 'Sessions' }).waitFor()
})

test('says until when an account is locked', async () => {
  const { username } = await newUser('pia')
  await using opened = await journey.open('/account', { expected })
  const { page } = opened
  await page.getByLabel('User name').fill(username)
  for (let tries = 0; tries < 6; tries += 1) {
    await page.getByLabel('Password').fill(`wrong password ${tries}`)
    const answered = page.waitForResponse(/browser\/login$/)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await answered
  }
  await page.getByText(/^The account is locked until \d\d:\d\d/).waitFor()
  await screenshot(page, 'login-locked')
  await signIn(page, { username: 'admin', password: journey.place.password })
})
