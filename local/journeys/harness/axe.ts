import axe from 'axe-core'
import type { Page } from 'playwright-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

/**
 * Returns what is wrong with a page for people who use assistive technology, one line each.
 *
 * @param rules names of the rules of axe to check, instead of all
 */
export async function axeViolations(page: Page, rules?: string[]): Promise<string[]> {
  const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags }
  // All other results are numerous, and gathering them takes longer than the check.
  const options = { runOnly, resultTypes: ['violations'] }
  // A page keeps axe until it is loaded again.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => ({ violations }))`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
}
