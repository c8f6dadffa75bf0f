import { expect, test } from 'vitest'
import { swallowedErrors } from './swallowed.ts'

const offences = (text: string, path = 'functions/core/a.ts') =>
  swallowedErrors([{ path, text }], {})

test.each([
  ['an empty catch', 'function load() {\n  try {\n    go()\n  } catch {}\n}'],
  [
    'a catch that returns',
    'function load() {\n  try {\n    go()\n  } catch {\n    return 1\n  }\n}',
  ],
  ['a catch that names the error', 'function load() {\n  try {\n    go()\n  } catch (error) {}\n}'],
  ['an empty handler', 'const load = () => go().catch(() => {})'],
  ['a handler that returns', 'const load = () => go().catch(() => undefined)'],
  ['a handler that acts', 'const load = () => go().catch(() => stop())'],
  ['a handler over lines', 'const load = () =>\n  go()\n    .catch(\n      () => null,\n    )'],
  ['a handler that ignores its parameter', 'const load = () => go().catch((_) => 1)'],
  ['a second handler', 'const load = () => go(f(1)).then((a) => a.b(c()), () => false)'],
])('finds %s', (_what, text) => {
  expect(offences(text)).toEqual(['functions/core/a.ts load: drops an error'])
  expect(offences(text, 'functions/core/a.test.ts')).toEqual([])
})

test.each([
  [
    'a catch that throws',
    'function load() {\n  try {\n    go()\n  } catch {\n    throw late()\n  }\n}',
  ],
  [
    'a check by name',
    'function load() {\n  try {\n    go()\n  } catch (error) {\n    check(error)\n  }\n}',
  ],
  ['a counted error', "const load = () => go().catch(ignoreError('load'))"],
  [
    'a function that answers',
    'function isJson() {\n  try {\n    go()\n  } catch {\n    return false\n  }\n}',
  ],
  ['a comment', '/**\n * go().catch(() => {})\n */'],
])('accepts %s', (_what, text) => {
  expect(offences(text)).toEqual([])
})

test('finds an exception that nothing needs', () => {
  const allowed = { 'cli/a.ts load': 'why' }
  expect(swallowedErrors([], allowed)).toEqual(['cli/a.ts load: drops no error'])
  const text = 'const load = () => go().catch(() => {})'
  expect(swallowedErrors([{ path: 'cli/a.ts', text }], allowed)).toEqual([])
})
