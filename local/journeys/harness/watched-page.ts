import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { paced } from '../../harness/pace.ts'
import { isInWorld } from '../../harness/service.ts'
import { chooseEnglish, clockAhead, elsewhere, elsewhereOptions } from './elsewhere.ts'

/** A page whose disposal throws if anything went wrong in it. */
export interface WatchedPage extends AsyncDisposable {
  page: Page
  context: BrowserContext
  /** Violations of the policy, errors on the console and uncaught errors. */
  problems: string[]
}

export interface PageOptions extends BrowserContextOptions {
  /** 1280 by default; 390 is a phone. */
  width?: 390 | 1280
  theme?: 'dark' | 'light'
  /** Errors that a test expects, such as those of requests while the service is down. */
  expected?: RegExp
  /** How far the clock of the browser is ahead, in milliseconds. */
  ahead?: number
}

/** What a page may say that is no fault of it. */
const known = new RegExp(
  [
    // A browser says it of a header that it honours only in a secure context.
    'Cross-Origin-Opener-Policy header has been ignored',
    // An event named a container of another test, which is gone when the page asks for it.
    'status of 404 .*/containers/[0-9a-f]{64}\\?',
    // The page asks again; a test drops requests on purpose.
    'net::ERR_NETWORK_CHANGED',
  ].join('|'),
)

/** Opens a page in a context of its own, which is closed with it. */
export async function openPage(
  browser: Browser,
  url: string,
  { expected, ...options }: PageOptions = {},
): Promise<WatchedPage> {
  const context = await newContext(browser, options)
  return openPageIn(context, url, { expected, close: () => context.close() })
}

/**
 * How long a page may take to show what is waited for, on a busy machine. It only ends a test that
 * waits for what never comes. Milliseconds.
 */
export const pageTimeout = paced(120_000)

/** Creates a context without motion. */
export async function newContext(
  browser: Browser,
  { width = 1280, theme = 'dark', ahead, ...more }: PageOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height: width === 390 ? 844 : 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    hasTouch: width === 390,
    ...(isInWorld() ? elsewhereOptions : {}),
    ...more,
  })
  if (ahead !== undefined) await context.addInitScript(`${chooseEnglish}\n${clockAhead(ahead)}`)
  else if (isInWorld() && !more.locale) await context.addInitScript(elsewhere)
  context.setDefaultTimeout(pageTimeout)
  return context
}

interface Opening {
  expected?: RegExp | undefined
  /** A script that runs before those of the page. */
  begin?: string | undefined
  /** Closes the page, and its context too if that is not used again. */
  close: (page: Page) => Promise<unknown>
}

/**
 * Opens an address. A browser drops what it loads when a network of the machine comes or goes, as
 * those of other tests do: it then loads the page again, as a person would.
 */
export async function goTo(page: Page, url: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await page.goto(url)
      return
    } catch (error) {
      if (tries === 5 || !String(error).includes('net::ERR_NETWORK_CHANGED')) throw error
    }
  }
}

/**
 * Opens a page. Any violation of the content security policy, console error or uncaught error
 * fails the test when the page goes out of scope.
 */
export async function openPageIn(
  context: BrowserContext,
  url: string,
  { expected = /^$/, begin, close }: Opening,
): Promise<WatchedPage> {
  const problems: string[] = []
  const answers = new Map<string, Promise<string>>()
  const watchNext = (next: Page) => watch(next, problems, answers)
  context.on('page', watchNext)
  const page = await context.newPage()
  if (begin) await page.addInitScript(begin)
  const loading = watchLoading(page)
  await goTo(page, url)
  await page
    .locator('#app > *')
    .first()
    .waitFor()
    .catch(async (cause: unknown) => {
      const shown = await page.evaluate<string>('document.documentElement.outerHTML')
      throw new Error([...problems, ...loading, shown].join('\n'), { cause })
    })
  return {
    page,
    context,
    problems,
    async [Symbol.asyncDispose]() {
      const said = new Map<string, string>()
      for (const [address, text] of answers) said.set(address, await text)
      context.off('page', watchNext)
      await close(page)
      const unexpected = problems.filter((one) => !known.test(one) && !expected.test(one))
      if (unexpected.length === 0) return
      const all = [...unexpected, ...[...said].map(([address, text]) => `${address}: ${text}`)]
      throw new Error(`${url}:\n${all.join('\n')}`)
    },
  }
}

/** Returns the requests of a page that are under way or got no response. */
function watchLoading(page: Page): Set<string> {
  const loading = new Set<string>()
  page.on('request', (request) => loading.add(request.url()))
  page.on('requestfinished', (request) => loading.delete(request.url()))
  page.on('requestfailed', (request) => {
    loading.delete(request.url())
    loading.add(`${request.url()}: ${request.failure()?.errorText}`)
  })
  return loading
}

function watch(page: Page, problems: string[], answers: Map<string, Promise<string>>): void {
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.stack ?? error}`))
  page.on('console', (message) => {
    // The browser reports violations of the policy as errors too.
    if (message.type() !== 'error') return
    problems.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('response', (response) => {
    if (response.status() < 500) return
    const body = response.text().catch((error) => `its body cannot be read: ${error}`)
    answers.set(`${response.request().method()} ${response.url()}: ${response.status()}`, body)
  })
}
