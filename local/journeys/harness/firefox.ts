import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { pageTimeout } from './watched-page.ts'

/** Starts Debian's Firefox, over WebDriver BiDi. */
export function startFirefox(): Promise<Browser> {
  return puppeteer.launch({
    browser: 'firefox',
    executablePath: '/usr/bin/firefox-esr',
    headless: true,
    extraPrefsFirefox: { 'intl.accept_languages': 'en-GB' },
  })
}

/** A page of Firefox, and what went wrong in it. */
export interface FirefoxPage {
  page: Page
  /** Violations of the content security policy, errors on the console and uncaught errors. */
  problems: string[]
}

/** Unlike Chromium, Firefox does not report violations of the policy on the page's console. */
const reportViolations = `document.addEventListener('securitypolicyviolation', (event) => {
  console.error('violation of ' + event.effectiveDirective + ': ' + event.blockedURI)
})`

/** Opens an address. */
export async function openInFirefox(browser: Browser, url: string): Promise<FirefoxPage> {
  const page = await browser.newPage()
  page.setDefaultTimeout(pageTimeout)
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`uncaught: ${error}`))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  await page.evaluateOnNewDocument(reportViolations)
  await page.setViewport({ width: 1280, height: 900 })
  await page.goto(url)
  return { page, problems }
}
