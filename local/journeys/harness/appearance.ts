import type { Page } from 'playwright-core'
import { axeViolations } from './axe.ts'
import { screenshot } from './screenshot.ts'

/** The widths at which pages are checked, each with the theme in which they load. */
export const viewports = [
  { width: 1280, theme: 'dark' },
  { width: 390, theme: 'light' },
] as const

/** A script that waits for the next frame. Until then a page may show its former theme. */
const nextFrame = 'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))'

/**
 * Returns what is wrong with the appearance of a page in both themes: violations that axe finds,
 * and whether the page scrolls sideways. Leaves the page in its own theme.
 */
export async function appearanceProblems(page: Page, name: string): Promise<string[]> {
  const { width, isDark } = await page.evaluate<{ width: number; isDark: boolean }>(
    '({ width: innerWidth, isDark: matchMedia("(prefers-color-scheme: dark)").matches })',
  )
  const [own, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  await screenshot(page, `${name}-${own}-${width}`)
  const found = await axeViolations(page)
  await page.emulateMedia({ colorScheme: other })
  await page.evaluate(nextFrame)
  await screenshot(page, `${name}-${other}-${width}`)
  // A theme changes colours only.
  const colours = await axeViolations(page, ['color-contrast', 'link-in-text-block'])
  await page.emulateMedia({ colorScheme: own })
  found.push(...colours.map((one) => `${other}: ${one}`))
  const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  if ((await page.evaluate(over)) !== 0) found.push('scrolls sideways')
  return found
}
