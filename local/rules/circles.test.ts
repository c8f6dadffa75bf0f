import { expect, test } from 'vitest'
import { circlesOf } from './circles.ts'

/** Returns files that import the files named behind them. */
const files = (imports: Record<string, string>) =>
  Object.entries(imports).map(([path, text]) => ({ path, text }))

test('finds a circle, of types too, and over an import at run time', () => {
  const sources = files({
    'a.ts': "import { b } from './b.ts'",
    'b.ts': "import type { C } from './c.ts'",
    'c.ts': "const a = await import('./a.ts')",
    'above.ts': "import { a } from './a.ts'",
    'below.ts': "import { z } from 'zod'",
  })
  expect(circlesOf(sources)).toEqual([['a.ts', 'b.ts', 'c.ts']])
})

test('tells two circles apart, also if one imports the other', () => {
  const sources = files({
    'a.ts': "import { b } from './b.ts'\nimport { c } from './c.ts'",
    'b.ts': "import { a } from './a.ts'",
    'c.ts': "import { d } from './d.ts'",
    'd.ts': "import { c } from './c.ts'",
  })
  expect(circlesOf(sources)).toEqual([
    ['a.ts', 'b.ts'],
    ['c.ts', 'd.ts'],
  ])
})

test('finds no circle where two files import a third', () => {
  const sources = files({
    'a.ts': "import { c } from './c.ts'\nimport { b } from './b.ts'",
    'b.ts': "import { c } from './c.ts'",
    'c.ts': '',
  })
  expect(circlesOf(sources)).toEqual([])
})
