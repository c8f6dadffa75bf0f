import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeAt } from '../harness/second-factor.ts'
import { api } from '../harness/service.ts'
import { appearanceProblems, viewportsOfStory } from './harness/appearance.ts'
import { type Journey, signIn, startJourney } from './harness/journey.ts'
import { screenshot } from './harness/screenshot.ts'
import { seenCheck, seenClick, seenFill } from './harness/seen-click.ts'

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
  await seenFill(mfa.getByLabel('Your password'), as.password)
  await seenClick(mfa.getByRole('button', { name: 'Turn on' }))
  await mfa.getByRole('img', { name: /^QR code/ }).waitFor()
  await screenshot(page, 'account-qr')
  const secret = (await mfa.locator('code').first().textContent()) ?? ''
  await seenFill(mfa.getByLabel('Code', { exact: true }), codeAt(secret, Date.now()))
  await seenClick(mfa.getByRole('button', { name: 'Turn on' }))
  await mfa.getByRole('heading', { name: 'Recovery codes' }).waitFor()
  const codes = await mfa.locator('code').allTextContents()
  expect(codes).toHaveLength(10)
  await seenClick(mfa.getByRole('button', { name: 'I have kept them' }))
  await mfa.getByText('On', { exact: true }).waitFor()

  await seenClick(page.getByRole('button', { name: 'Your account' }).first())
  await seenClick(page.getByRole('menuitem', { name: 'Sign out' }))
  await seenFill(page.getByLabel('User name'), as.username)
  await seenFill(page.getByLabel('Password'), as.password)
  await seenClick(page.getByRole('button', { name: 'Sign in' }))
  await seenFill(page.getByLabel('Code'), codes[0] ?? '')
  await screenshot(page, 'login-code')
  await seenClick(page.getByRole('button', { name: 'Sign in' }))
  await page.locator('#content h1').waitFor()
})

test('shows a new API token once, and revokes it', async () => {
  const as = await newUser('nils')
  await using opened = await journey.openSignedIn('/account', { as, expected })
  const { page } = opened
  const tokens = page.getByRole('region', { name: 'API tokens' })
  await seenFill(tokens.getByLabel('Name', { exact: true }), 'backup script')
  await seenClick(tokens.getByRole('button', { name: 'Create token' }))
  const dialog = page.getByRole('dialog')
  const token = (await dialog.locator('code').textContent()) ?? ''
  expect((await api(journey.running, 'GET', '/me', { token })).json.username).toBe('nils')
  await seenClick(dialog.getByRole('button', { name: 'Close' }).last())
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(token)
  await seenClick(tokens.getByRole('button', { name: 'Revoke backup script' }))
  await seenClick(dialog.getByRole('button', { name: 'Revoke backup script' }))
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
  await seenFill(tokens.getByLabel('Name', { exact: true }), 'late script')
  await seenClick(tokens.getByRole('button', { name: 'Create token' }))
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await seenFill(dialog.getByLabel('Your password'), 'a wrong guess')
  await seenClick(dialog.getByRole('button', { name: 'Create token' }))
  await dialog.getByText('is not your password').waitFor()
  await screenshot(page, 'account-confirm')
  await seenFill(dialog.getByLabel('Your password'), as.password)
  await seenClick(dialog.getByRole('button', { name: 'Create token' }))
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
  await seenClick(sessions.getByRole('button', { name: 'End all others' }))
  const dialog = page.getByRole('dialog')
  await seenCheck(dialog.getByLabel('Also end all my API tokens'))
  await seenClick(dialog.getByRole('button', { name: 'End all others' }))
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
  await seenFill(page.getByLabel('Current password'), as.password)
  await seenFill(page.getByLabel('New password'), 'another horse battery')
  await seenClick(page.getByRole('button', { name: 'Change password' }))
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
  await seenFill(page.getByLabel('User name'), username)
  for (let tries = 0; tries < 6; tries += 1) {
    await seenFill(page.getByLabel('Password'), `wrong password ${tries}`)
    const answered = page.waitForResponse(/browser\/login$/)
    await seenClick(page.getByRole('button', { name: 'Sign in' }))
    await answered
  }
  await page.getByText(/^The account is locked until \d\d:\d\d/).waitFor()
  await screenshot(page, 'login-locked')
  await signIn(page, { username: 'admin', password: journey.place.password })
})
