import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routesOf } from '../functions/kit/manifest.ts'
import template, { feeds, routes } from '../serverless.ts'
import { promisedByFeed, promisedStatuses } from './rules/endpoints.ts'

/** A caller who asks often waits for a turn, and is never sent away for it. */
const tooMany = /\b429\b|too ?many ?requests|throttl/i

test('no endpoint and no feed answers 429', async () => {
  const statuses = new Set<number>()
  for (const { load } of routesOf(routes)) {
    for (const status of promisedStatuses((await load()).default.facts)) statuses.add(status)
  }
  for (const load of Object.values(feeds)) {
    for (const status of promisedByFeed((await load()).default.facts)) statuses.add(status)
  }
  expect(statuses).toContain(423)
  expect(statuses).not.toContain(429)
})

test.each(['openapi.json', 'openapi.yaml'])('%s does not say 429', (name) => {
  const text = readFileSync(new URL(`../openapi/${name}`, import.meta.url), 'utf8')
  expect(tooMany.exec(text)?.[0]).toBeUndefined()
})

test('the template of the functions limits no rate and does not say 429', () => {
  const text = JSON.stringify(template)
  expect(tooMany.exec(text)?.[0]).toBeUndefined()
  expect(text).not.toMatch(/reserved_?concurrency|usage_?plan|burst|rate_?limit/i)
})
