import type { Page } from 'playwright-core'
import { rowsOfRing } from '../../harness/rings.ts'
import { axeViolations } from './axe.ts'
import { screenshot } from './screenshot.ts'

/** The widths at which pages are opened, each with the theme in which they load. */
const viewports = [
  { width: 1280, theme: 'dark' },
  { width: 390, theme: 'light' },
] as const

/**
 * Returns how a story opens its pages: at this width, and with the second ring also at the other
 * one. `appearanceProblems` looks at both in any case. Only a page that is opened at 390 px has a
 * touch screen.
 */
export const viewportsOfStory = (width: 390 | 1280) =>
  rowsOfRing(viewports, (viewport) => viewport.width === width)

/** The rules of axe that a theme can violate: it changes colours only. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** A script that waits until a page shows its theme and width, and what scripts draw after them. */
const drawn = `(async () => {
  for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
})()`

/** A script that returns the boxes of a table that share a part of the taps around them. */
const sharedTaps = `(() => {
  const boxes = document.querySelectorAll('table .toggle:has(> .hidden-text) > input')
  const areas = [...boxes].map((box) => {
    const { top, bottom, left, right } = box.getBoundingClientRect()
    const around = -Number.parseFloat(getComputedStyle(box, '::after').top) || 0
    const label = box.labels[0].textContent
    return { label, around, top, bottom, left, right, table: box.closest('table') }
  })
  const isNear = (from, to, by) => to - from < 2 * by - 1
  const areShared = (one, other) =>
    one.table === other.table &&
    isNear(one.bottom, other.top, one.around) && isNear(other.bottom, one.top, one.around) &&
    isNear(one.right, other.left, one.around) && isNear(other.right, one.left, one.around)
  return areas.flatMap((one, index) =>
    areas
      .slice(index + 1)
      .filter((other) => areShared(one, other))
      .map(({ label }) => one.label + ' and ' + label + ' share taps'),
  )
})()`

/**
 * Returns what is wrong with the appearance of a page in both themes and widths: violations that
 * axe finds, whether the page scrolls sideways, and on a phone taps that are for two. Leaves the
 * page in its own theme and width.
 */
export async function appearanceProblems(page: Page, name: string): Promise<string[]> {
  const size = await page.evaluate<{ width: number; height: number }>(
    '({ width: innerWidth, height: innerHeight })',
  )
  const found = await problemsInThemes(page, name)
  await resize(
    page,
    size.width === 390 ? { width: 1280, height: 900 } : { width: 390, height: 844 },
  )
  found.push(...(await problemsInThemes(page, name)))
  await resize(page, size)
  return found
}

async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await page.evaluate(drawn)
}

/** Checks a page at its width. */
async function problemsInThemes(page: Page, name: string): Promise<string[]> {
  const { width, isDark } = await page.evaluate<{ width: number; isDark: boolean }>(
    '({ width: innerWidth, isDark: matchMedia("(prefers-color-scheme: dark)").matches })',
  )
  const [own, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)
  await screenshot(page, `${name}-${own}-${width}`)
  const found = await axeViolations(page)
  await page.emulateMedia({ colorScheme: other })
  await page.evaluate(drawn)
  await screenshot(page, `${name}-${other}-${width}`)
  const colours = await axeViolations(page, colourRules)
  await page.emulateMedia({ colorScheme: own })
  found.push(...colours.map((one) => `${other}: ${one}`))
  if (width === 390) found.push(...(await page.evaluate<string[]>(sharedTaps)))
  const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  if ((await page.evaluate(over)) !== 0) found.push('scrolls sideways')
  return found.map((one) => `${width} px: ${one}`)
}
