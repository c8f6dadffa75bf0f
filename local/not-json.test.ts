import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routesOf } from '../functions/kit/manifest.ts'
import { routes } from '../serverless.ts'

const page = readFileSync(new URL('../docs/reference/api.md', import.meta.url), 'utf8')
const listed = page.slice(page.indexOf('These are not JSON'), page.indexOf('## Changes'))

test('the reference of the API names every endpoint whose success is not JSON', async () => {
  const missing: string[] = []
  for (const { path, load } of routesOf(routes)) {
    const { produces = 'application/json', status } = (await load()).default.facts
    const isOther = produces !== 'application/json' || status === 302
    if (isOther && !listed.includes(`\`${path}\``)) missing.push(path)
  }
  expect(missing).toEqual([])
})
