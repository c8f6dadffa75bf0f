import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { codeAt } from '../harness/second-factor.ts'
import { api } from '../harness/service.ts'
import { appearanceProblems } from './harness/appearance.ts'
import { type Journey, signIn, startJourney } from './harness/journey.ts'
import { screenshot } from './harness/screenshot.ts'
import { seenClick, seenFill } from './harness/seen-click.ts'
import { openPage } from './harness/watched-page.ts'

let journey: Journey
/** The configured address of the service. */
let origin: string

beforeAll(async () => {
  const port = await freePort()
  origin = `http://localhost:${port}`
  journey = await startJourney({ SERVICE_PORT: String(port), SERVICE_BASE_URL: origin })
})
afterAll(() => journey?.close())

const password = 'correct horse battery'

async function newUser(username: string) {
  const body = { username, password, role: 'viewer' }
  const made = await api(journey.running, 'POST', '/users', { body, token: journey.token })
  expect(made.status).toBe(201)
  return { username, password }
}

/** A refused login is an error on the console. */
const expected = /status of (400|401)/

const open = (path: string) => openPage(journey.browser, `${origin}${path}`, { expected })

/** Gives the browser of a page an authenticator, which says yes to everything. */
async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Lets the user fail, or succeed again. */
    verify: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async () =>
      (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

const signOut = async (page: Page) => {
  await seenClick(page.getByRole('button', { name: 'Your account' }).first())
  await seenClick(page.getByRole('menuitem', { name: 'Sign out' }))
}

const panelOf = (page: Page) => page.getByRole('region', { name: 'Passkeys' })

/** Adds a passkey on the page of the account. */
async function addPasskey(page: Page, name: string) {
  const panel = panelOf(page)
  await seenFill(panel.getByLabel('Name of the passkey'), name)
  await seenFill(panel.getByLabel('Your password'), password)
  await seenClick(panel.getByRole('button', { name: 'Add passkey' }))
  await panel.getByRole('table').getByText(name, { exact: true }).waitFor()
}

test('adds a passkey, signs in with it alone, renames and deletes it', async () => {
  const as = await newUser('mara')
  await using opened = await open('/account')
  const { page } = opened
  const authenticator = await addAuthenticator(page)
  await signIn(page, as)
  await addPasskey(page, 'laptop')
  expect(await authenticator.credentials()).toMatchObject([
    { isResidentCredential: true, rpId: 'localhost' },
  ])
  expect(await appearanceProblems(page, 'account-passkeys')).toEqual([])
  await screenshot(page, 'account-passkeys')

  await signOut(page)
  await screenshot(page, 'login-passkey')
  await seenClick(page.getByRole('button', { name: 'Sign in with a passkey' }))
  await page.locator('.account-name').getByText('mara').waitFor()
  const panel = panelOf(page)
  await panel.getByRole('table').getByText('Never').waitFor({ state: 'detached' })

  await seenClick(panel.getByRole('button', { name: 'Rename laptop' }))
  const dialog = page.getByRole('dialog')
  await seenFill(dialog.getByLabel('Name of the passkey'), 'work laptop')
  await seenClick(dialog.getByRole('button', { name: 'Rename', exact: true }))
  await seenClick(panel.getByRole('button', { name: 'Delete work laptop' }))
  await seenClick(dialog.getByRole('button', { name: 'Delete work laptop' }))
  await panel.getByText('No passkeys').waitFor()

  await signOut(page)
  await seenClick(page.getByRole('button', { name: 'Sign in with a passkey' }))
  await page.getByRole('alert').getByText('not known').waitFor()
})

test('a passkey takes the place of a code, and a failed one leaves the code', async () => {
  const as = await newUser('noa')
  const login = await api(journey.running, 'POST', '/auth/login', { body: as })
  const token = login.json.access_token
  await using opened = await open('/account')
  const { page } = opened
  const authenticator = await addAuthenticator(page)
  await signIn(page, as)
  await addPasskey(page, 'key ring')
  const begun = await api(journey.running, 'POST', '/me/mfa', { token, body: { password } })
  const code = codeAt(begun.json.secret, Date.now())
  const verified = await api(journey.running, 'POST', '/me/mfa/verify', {
    token,
    body: { totp_code: code },
  })
  expect(verified.status).toBe(200)

  // The second factor ended the session of the page.
  await page.context().clearCookies()
  await page.evaluate('localStorage.clear()')
  await page.reload()
  await seenFill(page.getByLabel('User name'), as.username)
  await seenFill(page.getByLabel('Password'), as.password)
  await seenClick(page.getByRole('button', { name: 'Sign in', exact: true }))
  const instead = page.getByRole('button', { name: 'Use a passkey instead of a code' })
  await authenticator.verify(false)
  await seenClick(instead)
  await page.getByRole('alert').getByText('No passkey was used').waitFor()
  await page.getByLabel('Code').waitFor()
  await screenshot(page, 'login-passkey-refused')
  await authenticator.verify(true)
  await seenClick(instead)
  await page.locator('.account-name').getByText('noa').waitFor()
})

test('the wrong password adds no passkey', async () => {
  const as = await newUser('oona')
  await using opened = await open('/account')
  const { page } = opened
  const authenticator = await addAuthenticator(page)
  await signIn(page, as)
  const panel = panelOf(page)
  await seenFill(panel.getByLabel('Name of the passkey'), 'laptop')
  await seenFill(panel.getByLabel('Your password'), 'a wrong guess')
  await seenClick(panel.getByRole('button', { name: 'Add passkey' }))
  await panel.getByText('is not your password').waitFor()
  expect(await authenticator.credentials()).toEqual([])
})

test('a page at another address says where passkeys work', async () => {
  await using opened = await journey.open('/account', { expected })
  const { page } = opened
  await page.getByText(`Passkeys work at ${origin} only`).waitFor()
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  expect(await button.count()).toBe(0)
})
