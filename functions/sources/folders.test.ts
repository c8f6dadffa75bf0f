import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenFollowed, olga, path } from '../../local/harness/followed-source.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import { givenStack } from '../../local/harness/world.ts'
import { SourceFailure } from '../core/ports/source-reader.ts'
import sync from '../stacks/source/sync.ts'
import folders from './folders.ts'
import look from './look.ts'

const reference = 'oci://registry.example.org/team/shop at 1'

type Given = Awaited<ReturnType<typeof givenFollowed>>

const read = ({ ports }: Pick<Given, 'ports'>) => call(folders, { ports, as: olga, path })

test('200: lists the folders with what a stack of each would be', async () => {
  const given = await givenFollowed({})
  const { status, json } = await read(given)
  expect([status, json]).toEqual([
    200,
    {
      revision: 'r1',
      author: null,
      subject: null,
      made_at: null,
      folders: [
        {
          path: '',
          compose_file: 'compose.yaml',
          state: 'followed',
          stack: 'shop',
          followed_by: ['shop'],
        },
        {
          path: 'apps',
          compose_file: 'compose.yaml',
          state: 'new',
          stack: 'apps',
          followed_by: [],
        },
      ],
      is_truncated: false,
      gone: [],
    },
  ])
})

test('what reads a source may take minutes, and few of one account run at once', () => {
  for (const { facts } of [folders, look, sync]) {
    expect(facts).toMatchObject({ noTimeout: true, limitsCaller: true })
  }
})

test('200: a stack that follows nothing has the name', async () => {
  const given = await givenFollowed()
  await givenStack(given.here, 'apps', { deployed: false })
  expect((await read(given)).json.folders).toMatchObject([
    { path: '', stack: 'shop', state: 'taken', followed_by: [] },
    { path: 'apps', stack: 'apps', state: 'taken', followed_by: [] },
  ])
})

test('200: names a stack whose folder is gone, and leaves it as it is', async () => {
  const given = await givenFollowed({ path: 'old' })
  const before = present(await given.ports.stacks.find('shop'))
  expect((await read(given)).json.gone).toEqual([{ stack: 'shop', path: 'old' }])
  expect(await given.ports.stacks.find('shop')).toEqual(before)
})

test('200: reads what is newest now, and records nothing', async () => {
  const given = await givenFollowed({})
  await given.run()
  given.publish('r2', { 'docker-compose.yml': 'services: {}' })
  const { ports, requests } = given
  const before = [await ports.sources.list(), await ports.stacks.list()]
  requests.length = 0
  const { json } = await read(given)
  expect([json.revision, json.folders[0].compose_file]).toEqual(['r2', 'docker-compose.yml'])
  expect(requests).toEqual([`look ${reference}`, 'open r2'])
  expect([await ports.sources.list(), await ports.stacks.list()]).toEqual(before)
})

test('200: reads no files, says who made the revision, and closes it', async () => {
  const given = await givenFollowed({})
  const { sourceReader } = given.ports
  const open = sourceReader.open.bind(sourceReader)
  const about = { author: 'Ada', subject: 'Open the shop', at: Date.UTC(2026, 10, 29) }
  const wanted: (readonly string[])[] = []
  let closed = 0
  sourceReader.open = async (source, revision, what, signal) => {
    wanted.push(what.paths)
    const tree = await open(source, revision, what, signal)
    const close = async () => {
      closed += 1
    }
    return { ...tree, about, close }
  }
  expect((await read(given)).json).toMatchObject({
    author: 'Ada',
    subject: 'Open the shop',
    made_at: '2026-11-29T00:00:00.000Z',
  })
  expect([wanted, closed]).toEqual([[[]], 1])
})

test('401 and 403: no credential, a viewer, an admin of some hosts, and one who sees no stack', async () => {
  const { ports, requests } = await givenFollowed({})
  await ports.roles.create({ id: 'keeper', permissions: ['registries:manage'], createdAt: 0 })
  expect((await call(folders, { ports, path })).status).toBe(401)
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  const keeper = { username: 'kim', role: 'keeper' }
  for (const as of ['viewer', limited, keeper] as const) {
    expect((await call(folders, { ports, as, path })).status).toBe(403)
  }
  const refused = await call(folders, { ports, as: keeper, path })
  expect(refused.json.error).toContain('stacks:read')
  // It is not said whether there is such a source.
  const none = { name: 'none' }
  expect((await call(folders, { ports, as: limited, path: none })).status).toBe(403)
  expect(requests).toEqual([])
})

test('404: there is no such source', async () => {
  const { ports } = await givenFollowed()
  expect((await call(folders, { ports, as: olga, path: { name: 'none' } })).status).toBe(404)
})

test('422: the account of the source may no longer read it, so nothing is asked', async () => {
  for (const change of [{ disabled: true }, { role: 'viewer' }, { scopeTags: ['lab'] }]) {
    const { ports, requests } = await givenFollowed()
    await ports.accounts.replace({ ...(await accountOf(ports, olga)), ...change })
    const refused = await call(folders, { ports, as: 'admin', path })
    expect([refused.status, refused.json.error, refused.headers['x-error-reason']]).toEqual([
      422,
      expect.stringMatching(/^source shop: .*account olga/),
      'source-refused',
    ])
    expect(requests).toEqual([])
  }
})

test('422 and 500: a source that cannot be read says why', async () => {
  for (const [problem, status, reason] of [
    ['denied', 422, 'source-refused'],
    ['host-key-unknown', 422, 'source-refused'],
    ['unavailable', 422, 'source-refused'],
    ['unreachable', 500, 'source-unreachable'],
    ['limited', 500, 'source-unreachable'],
  ] as const) {
    const given = await givenFollowed({})
    given.ports.sourceReader.refs.set(reference, new SourceFailure(problem, 'it says why'))
    const refused = await read(given)
    expect([refused.status, refused.json, refused.headers['x-error-reason']]).toEqual([
      status,
      { error: 'it says why' },
      reason,
    ])
  }
})

test('422: a revision that is gone before it is read', async () => {
  const given = await givenFollowed({})
  given.ports.sourceReader.refs.set(reference, 'r9')
  expect((await read(given)).status).toBe(422)
})
