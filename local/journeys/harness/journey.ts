import type { Browser, BrowserContext, Page } from 'playwright-core'
import { paced } from '../../harness/pace.ts'
import {
  isInWorld,
  newPlace,
  type Place,
  type Running,
  setUpAdmin,
  startIn,
} from '../../harness/service.ts'
import { startBrowser } from './browser.ts'
import { chooseEnglish } from './elsewhere.ts'
import { seenClick, seenFill } from './seen-click.ts'
import {
  newContext,
  openPage,
  openPageIn,
  type PageOptions,
  type WatchedPage,
} from './watched-page.ts'

interface Credentials {
  username: string
  password: string
}

/** The built service with an admin, and a browser. One for a test file. */
export interface Journey {
  place: Place
  running: Running
  /** An access token of the admin, for what a test prepares by the API. */
  token: string
  browser: Browser
  /** The port of the service. */
  port: string
  /**
   * Opens a path and signs in as the admin, or as the user given. Pages with the same options that
   * follow each other share the session, and nothing else that a browser keeps.
   */
  openSignedIn(
    path: string,
    options?: PageOptions & { host?: 'nas'; as?: Credentials },
  ): Promise<WatchedPage>
  /** Opens a path. The host is 127.0.0.1, or `nas` for a page without a secure context. */
  open(path: string, options?: PageOptions & { host?: 'nas' }): Promise<WatchedPage>
  close(): Promise<void>
}

type Url = (path: string, host?: string) => string

/**
 * Starts the service, creates the admin, and starts a browser.
 *
 * @param shared a browser that another journey started, and closes
 */
export async function startJourney(
  env: Record<string, string> = {},
  shared?: Browser,
): Promise<Journey> {
  const place = newPlace(env)
  const [running, browser] = await Promise.all([startIn(place), shared ?? startBrowser()])
  const token = await setUpAdmin(place, running)
  const { port } = new URL(running.url)
  const urlOf: Url = (path, host = '127.0.0.1') => `http://${host}:${port}${path}`
  return {
    place,
    running,
    token,
    browser,
    port,
    open: (path, { host, ...options } = {}) => openPage(browser, urlOf(path, host), options),
    openSignedIn: signedInPages(browser, urlOf, { username: 'admin', password: place.password }),
    async close() {
      if (!shared) await browser.close()
      await place.remove()
    },
  }
}

/** Returns `openSignedIn`, which keeps the contexts of closed pages for those that follow. */
function signedInPages(browser: Browser, urlOf: Url, admin: Credentials): Journey['openSignedIn'] {
  const idle = new Map<string, BrowserContext>()
  return async (path, { as = admin, host, expected, ...options } = {}) => {
    const key = JSON.stringify([as, host, options])
    const kept = idle.get(key)
    idle.delete(key)
    const context = kept ?? (await newContext(browser, options))
    const close = async (page: Page) => {
      const isKept = !idle.has(key) && (await isSignedIn(page))
      if (isKept) idle.set(key, context)
      await (isKept ? page : context).close()
    }
    const begin = kept && (isInWorld() ? `${keepOnlySession}\n${chooseEnglish}` : keepOnlySession)
    const opened = await openPageIn(context, urlOf(path, host), { expected, close, begin })
    if (kept) await opened.page.locator('#content h1').first().waitFor()
    else await signIn(opened.page, as)
    if (!kept && isInWorld()) await openSecondTab(opened.page)
    await keysWork(opened.page)
    return opened
  }
}

/** Opens another page of the same session, which stays open and does nothing. */
async function openSecondTab(page: Page): Promise<void> {
  const idle = await page.context().newPage()
  await idle.goto(new URL('/', page.url()).href)
  await loaded(idle)
  await page.bringToFront()
}

/** Runs once in a page, before its scripts. What one test leaves behind is unknown to the next. */
const keepOnlySession = `if (name === '') {
  name = 'begun'
  const key = localStorage.getItem('session.key')
  localStorage.clear()
  if (key) localStorage.setItem('session.key', key)
}`

const isSignedIn = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>(`localStorage.getItem('session.key') !== null`).catch(() => false)

/** Signs in at the login, and waits until the frame is shown. */
export async function signIn(page: Page, { username, password }: Credentials): Promise<void> {
  await seenFill(page.getByLabel('User name'), username)
  await seenFill(page.getByLabel('Password'), password)
  await seenClick(page.getByRole('button', { name: 'Sign in', exact: true }))
  const refused = page.locator('.gate .field-error, .gate [role="alert"]').first()
  await page.locator('#content h1').or(refused).first().waitFor()
  if (await refused.isVisible()) throw new Error(`no login: ${await refused.textContent()}`)
}

/**
 * Follows a link to another page of the UI, which is not loaded again, and waits until it is shown:
 * it focuses its title. Neither page may have a dialog open, which keeps the focus.
 */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`new Promise((resolve, reject) => {
    document.activeElement?.blur()
    setTimeout(() => reject(new Error('the title has no focus')), ${paced(15_000)})
    const shown = ({ target }) => {
      if (!target.matches('#content h1')) return
      removeEventListener('focusin', shown)
      resolve()
    }
    addEventListener('focusin', shown)
    const link = Object.assign(document.createElement('a'), { href: ${JSON.stringify(path)} })
    document.body.append(link)
    link.click()
    link.remove()
  })`)
}

/** Waits until keys do something in what is shown: that begins after it was drawn. */
export async function keysWork(page: Page): Promise<void> {
  const drawn = 'requestAnimationFrame(() => setTimeout(resolve))'
  for (let times = 0; times < 2; times += 1)
    await page.evaluate(`new Promise((resolve) => ${drawn})`)
}

/** Waits until the page has its title, and nothing of it is loading. */
export async function loaded(page: Page): Promise<void> {
  await page.locator('#content h1').waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}
