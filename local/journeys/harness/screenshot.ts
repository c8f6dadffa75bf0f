import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/**
 * Takes a screenshot into the directory that JOURNEY_SCREENSHOTS names, for people who look at
 * them. Without it, takes none: a screenshot takes as long as a check of axe.
 */
export async function screenshot(page: Page, name: string): Promise<void> {
  const directory = process.env.JOURNEY_SCREENSHOTS
  if (!directory) return
  mkdirSync(directory, { recursive: true })
  await page.evaluate('document.fonts.ready')
  const path = join(directory, `${name}.png`)
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' })
}
