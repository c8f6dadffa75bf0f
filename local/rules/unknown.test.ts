import { expect, test } from 'vitest'
import { ownSkeletons } from './unknown.ts'

const path = 'web/screens/a.tsx'
const offences = (text: string, at = path) => ownSkeletons([{ path: at, text }], {})

test('finds a screen that decides itself what it says while something loads', () => {
  expect(offences('if (!rows) return <Skeleton what={t.a} />')).toEqual([
    `${path}: shows a skeleton, use Loaded of web/frame/loaded.tsx`,
  ])
  expect(offences('const one = (\n  <Skeleton\n    what="a"\n  />\n)')).toHaveLength(1)
})

test.each(['<Loaded of={rows} what={t.a} failed={t.b} />', '// Not a <Skeleton /> of its own', ''])(
  'accepts %s',
  (text) => {
    expect(offences(text)).toEqual([])
  },
)

test('finds an exception that nothing needs', () => {
  expect(ownSkeletons([{ path, text: '<Skeleton what="a" />' }], { [path]: 'why' })).toEqual([])
  expect(ownSkeletons([], { [path]: 'why' })).toEqual([`${path}: needs no exception`])
})
