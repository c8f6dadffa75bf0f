import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Screen } from './screens.ts'

/** Opens a screen in a page that is signed in, and waits until it shows everything. */
export async function show(page: Page, origin: string, { path, ready }: Screen): Promise<void> {
  await page.goto(`${origin}${path}`)
  await page.locator('#content h1').waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  if (ready) await page.locator(ready).first().waitFor({ timeout: 10_000 })
  await page.evaluate('document.fonts.ready')
  // What an open feed sends first, such as the figures of containers.
  await page.waitForTimeout(500)
}

/** Takes a screenshot of the whole page into a directory. */
export async function takeInto(directory: string, name: string, page: Page): Promise<void> {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, `${name}.png`)
  await page.screenshot({ path, fullPage: true, animations: 'disabled', caret: 'hide' })
}

/** Takes a small picture of what is in sight. Returns its bytes. */
export async function takeWebp(directory: string, name: string, page: Page): Promise<number> {
  mkdirSync(directory, { recursive: true })
  await page.mouse.move(0, 0)
  const session = await page.context().newCDPSession(page)
  const format = { format: 'webp', quality: 72 } as const
  const { data } = await session.send('Page.captureScreenshot', format)
  const picture = Buffer.from(data, 'base64')
  writeFileSync(join(directory, `${name}.webp`), picture)
  return picture.length
}
