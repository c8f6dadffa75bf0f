import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import { feeds, routes } from '../../serverless.ts'
import { declaredTest } from './declared-name.ts'
import { feedRows, rows } from './rows.ts'

/** What each endpoint declares. The matrix tests what it then does. */
const lines = [
  ...routesOf(routes).map(({ method, path, load }) => ({ name: `${method} ${path}`, load })),
  ...Object.entries(feeds).map(([name, load]) => ({ name, load })),
]

for (const { name, load } of lines) {
  test(declaredTest(name), async () => {
    const row = present([rows[name] ?? present(feedRows[name])].flat()[0])
    expect((await load()).default.facts.access).toBe(row.needs)
  })
}

test('only two endpoints of browser sessions read cookies', async () => {
  const found = []
  for (const { name, load } of lines) {
    const { facts } = (await load()).default
    if ('readsCookies' in facts && facts.readsCookies) found.push(name)
  }
  expect(found).toEqual(['POST /auth/browser/refresh', 'POST /auth/browser/logout'])
})
