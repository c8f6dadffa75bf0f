import { expect, test } from 'vitest'
import { folderCircles, unknownFolderCircles } from './folder-circles.ts'

/** Returns files that import the files named behind them. */
const files = (imports: Record<string, string>) =>
  Object.entries(imports).map(([path, text]) => ({ path, text }))

const round = files({
  'top/a/one.ts': "import type { B } from '../b/deep/one.ts'",
  'top/b/deep/one.ts': "import { c } from '../../c.ts'",
  'top/c.ts': "const a = await import('./a/two.ts')",
  'top/a/two.ts': "import { d } from '../../below/d.ts'",
  'below/d.ts': '',
})

test('finds a circle of folders and files, of types too, whose files make no circle', () => {
  const [circle, ...others] = folderCircles(round)
  expect(circle).toMatchObject({ folder: 'top', closing: [expect.stringContaining(' → ')] })
  expect(circle?.members.toSorted()).toEqual(['a', 'b', 'c.ts'])
  expect(others).toEqual([])
})

test('names the fewest imports that close a circle', () => {
  const sources = files({
    'a/one.ts': "import { b } from '../b/one.ts'",
    'a/two.ts': "import { b } from '../b/one.ts'",
    'b/one.ts': '',
    'b/two.ts': "import { a } from '../a/one.ts'",
  })
  expect(folderCircles(sources)).toEqual([
    { folder: '.', members: ['a', 'b'], closing: ['b/two.ts → a/one.ts'] },
  ])
})

test('finds a circle at each level for itself', () => {
  const sources = files({
    'a/x/one.ts': "import { y } from '../y/one.ts'",
    'a/y/one.ts': "import { b } from '../../b.ts'",
    'a/y/two.ts': "import { x } from '../x/one.ts'",
    'b.ts': "import { a } from './a/x/two.ts'",
    'a/x/two.ts': '',
  })
  expect(folderCircles(sources).map(({ folder }) => folder)).toEqual(['.', 'a'])
})

test('leaves tests and test support out', () => {
  const sources = files({
    'a/one.ts': "import { b } from '../b/one.ts'",
    'b/one.ts': '',
    'b/one.test.ts': "import { a } from '../a/one.ts'",
    'b/testing/two.ts': "import { a } from '../../a/one.ts'",
  })
  expect(folderCircles(sources)).toEqual([])
})

test('reports a circle that is not known, and a known one that is gone or has shrunk', () => {
  expect(unknownFolderCircles(round, ['top: a b c.ts'])).toEqual([])
  expect(unknownFolderCircles(round, [])).toEqual([expect.stringMatching(/^top: a b c\.ts, clos/)])
  expect(unknownFolderCircles(round, ['top: a b c.ts d.ts'])).toEqual([
    expect.stringMatching(/^top: a b c\.ts, closed by /),
    'top: a b c.ts d.ts is gone',
  ])
})
