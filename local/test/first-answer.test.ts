import { expect, test } from 'vitest'
import { allSources } from './all-sources.ts'
import { firstAnswer } from './first-answer.ts'
import { namedFiles } from './named-files.ts'
import { tierOf } from './tiers.ts'

const own = allSources()
/** As recorded ones change with each record, here every test that uses the Engine takes 10 s. */
const seconds = Object.fromEntries(
  own.filter(({ path }) => tierOf(path) !== 'unit').map(({ path }) => [path, 10]),
)
const answer = (...changed: string[]) => firstAnswer({ sources: own, changed, seconds, limit: 150 })
const chosen = (...changed: string[]) => answer(...changed).chosen.map(({ path }) => path)

test('a change of a rule for volumes is judged by its tests, the matrix and owners', () => {
  const paths = chosen('functions/core/owners/judge-volume.ts')
  expect(paths[0]).toBe('functions/core/owners/judge-volume.test.ts')
  expect(paths).toEqual(
    expect.arrayContaining([
      'functions/backup-jobs/volume-owners.test.ts',
      'local/matrix/matrix.test.ts',
      'local/matrix/owners.test.ts',
      'local/scenarios/owners.engine.test.ts',
      'local/scenarios/main-job.engine.test.ts',
    ]),
  )
})

test('a change of the style of tables is judged by journeys and pictures', () => {
  const paths = chosen('web/parts/table.css')
  expect(paths).toContain('local/journeys/pictures.engine.test.ts')
  expect(paths).toContain('local/journeys/stacks.engine.test.ts')
  expect(paths.filter((path) => path.startsWith('local/scenarios/'))).toEqual([])
})

test('a change of a document is judged by the tests of documents, without an Engine', () => {
  const { chosen, leftOut } = answer('docs/install-debian.md')
  const paths = chosen.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['local/documents.test.ts', 'local/rules.test.ts']))
  expect(paths.filter((path) => tierOf(path) !== 'unit')).toEqual([])
  expect(leftOut).toContain('packaging/deb/systemd.timing.test.ts')
})

test('a change of an endpoint is judged by the tests that name its route', () => {
  const { chosen } = answer('functions/backup-jobs/run.ts')
  const found = chosen.find(({ path }) => path === 'local/scenarios/backups.engine.test.ts')
  expect(found?.reason).toBe('names /backup-jobs/{id}/run')
})

test('a change of a command is judged by the tests that call it', () => {
  const { chosen } = answer('cli/commands/backups/verify.ts')
  const found = chosen.find(({ path }) => path === 'local/scenarios/backups.engine.test.ts')
  expect(found?.reason).toBe('names cli backups verify')
})

test.each(['functions/core/records/settings.ts', 'package.json', 'functions/compose/load/load.ts'])(
  'a change of %s, which most tests use, takes no longer than the limit',
  (path) => {
    const { chosen, leftOut } = answer(path)
    const total = chosen.reduce((sum, one) => sum + one.seconds, 0)
    expect(total).toBeGreaterThan(100)
    expect(total).toBeLessThanOrEqual(150)
    expect(leftOut.length).toBeGreaterThan(100)
  },
)

const files = {
  'functions/a.ts': '',
  'functions/a.test.ts': `import a from './a.ts'`,
  'functions/long.test.ts': `import a from './a.ts'`,
  'functions/far.test.ts': `import b from './b.ts'`,
  'functions/b.ts': `import a from './a.ts'`,
}
const planted = Object.entries(files).map(([path, text]) => ({ path, text }))

test.each([
  [
    'a changed test comes first',
    ['functions/far.test.ts', 'functions/a.ts'],
    31,
    ['far', 'a', 'long'],
  ],
  [
    'nearer tests come before others, and shorter ones before longer ones',
    ['functions/a.ts'],
    99,
    ['a', 'long', 'far'],
  ],
  [
    'a test that is too long for the rest of the time is left out',
    ['functions/a.ts'],
    20,
    ['a', 'far'],
  ],
  ['one test is chosen in any case', ['functions/long.test.ts'], 20, ['long']],
])('%s', (_, changed, limit, expected) => {
  const recorded = { 'functions/long.test.ts': 60 }
  const { chosen } = firstAnswer({ sources: planted, changed, seconds: recorded, limit })
  const names = chosen.map(({ path }) => path.replace(/^functions\/|\.test\.ts$/g, ''))
  expect(names).toEqual(expected)
})

test('a change that no test reads is judged by none', () => {
  const options = { sources: planted, seconds: {}, limit: 99 }
  expect(firstAnswer({ ...options, changed: ['LICENSE'] })).toEqual({ chosen: [], leftOut: [] })
})

test('every route, command and screen is found', () => {
  const names = namedFiles(own).map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      '/stacks/{name}/deploy',
      '/stacks/+new',
      'cli stacks deploy',
      'cli login',
    ]),
  )
  const paths = new Set(own.map(({ path }) => path))
  expect(namedFiles(own).filter(({ file }) => !paths.has(file))).toEqual([])
})
