import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { changedShop, givenFollowed, olga, path } from '../../../local/harness/followed-source.ts'
import { editor, givenEditor } from '../../../local/harness/stack-files.ts'
import { shop } from '../../../local/harness/world.ts'
import type { Permission } from '../../core/records/permissions.ts'
import { sweepTexts } from '../../core/retention/sweep-texts.ts'
import createSet from '../../variables/create.ts'
import deploy from '../deploy.ts'
import listDeployments from '../deployments/list.ts'
import readFile from '../file/get.ts'
import deleteFile from '../file/remove.ts'
import writeFile from '../file/update.ts'
import getStack from '../get.ts'
import rollback from '../rollback.ts'
import updateStack from '../update.ts'
import getSource from './get.ts'
import remove from './remove.ts'

const query = { path: '.env' }
const theirs = '# Town\nTOWN=Oslo\n\nPIN=1\n'

/** A followed stack whose source has a `.env`. */
async function given() {
  const followed = await givenFollowed({})
  const { ports } = followed
  const push = async (revision: string, env: string, compose = shop) => {
    followed.publish(revision, { 'compose.yaml': compose, '.env': env })
    await followed.run()
  }
  await push('r2', theirs)
  const write = (content: string, as: typeof olga = olga) =>
    call(writeFile, { ports, as, path, query, body: { content } })
  const file = async () => (await call(readFile, { ports, as: olga, path, query })).json
  const stackOf = async () => (await call(getStack, { ports, as: olga, path })).json
  const kept = async (): Promise<string[]> => (await stackOf()).source.kept
  return { ...followed, push, write, file, stackOf, kept }
}

const variable = (name: string, origin: string, covers: boolean) => ({ name, origin, covers })

test('200: each variable says where it is from, and only others are kept', async () => {
  const { write, file, kept } = await given()
  expect([await kept(), (await file()).variables]).toEqual([
    [],
    [variable('TOWN', 'source', false), variable('PIN', 'source', false)],
  ])
  expect((await write('PIN=2\nTOWN=Oslo\nDEBUG=1\n')).status).toBe(200)
  expect([await kept(), await file()]).toMatchObject([
    ['.env'],
    {
      content: '# Town\nTOWN=Oslo\n\nPIN=2\nDEBUG=1\n',
      variables: [
        variable('TOWN', 'source', false),
        variable('PIN', 'service', true),
        variable('DEBUG', 'service', false),
      ],
    },
  ])
})

test('what is kept stays over a push, and the rest follows the source', async () => {
  const { write, push, file, here } = await given()
  await write('TOWN=Oslo\nPIN=2\nDEBUG=1\n')
  await push('r3', 'TOWN=Bergen\nPIN=3\nNEW=4\n')
  const content = 'TOWN=Bergen\nPIN=2\nNEW=4\nDEBUG=1\n'
  expect((await file()).content).toBe(content)
  const written = present(here.engine.state.files.get('/opt/stacks/shop/.env'))
  expect(Buffer.from(written.content).toString()).toBe(content)
})

test('without its line, the newest value of the source is back at once', async () => {
  const { write, push, file, kept, stackOf } = await given()
  await write('TOWN=Oslo\nPIN=2\n')
  const { revision } = await stackOf()
  // The file as a whole is the same, so this is no revision.
  await push('r3', theirs.replace('PIN=1', 'PIN=3'))
  expect((await stackOf()).revision).toBe(revision)
  await write('TOWN=Oslo\n')
  expect([(await file()).content, await kept()]).toEqual([theirs.replace('PIN=1', 'PIN=3'), []])
})

test('the file is deleted: all values of the source are back at once', async () => {
  const { ports, write, file, kept } = await given()
  await write('TOWN=Bergen\nDEBUG=1\n')
  expect((await call(deleteFile, { ports, as: olga, path, query })).status).toBe(200)
  expect([(await file()).content, await kept()]).toEqual([theirs, []])
})

test('an update of the stack keeps variables too, and other edits leave them', async () => {
  const { ports, file, kept } = await given()
  const body = { env: 'TOWN=Bergen\nPIN=1\n' }
  expect((await call(updateStack, { ports, as: olga, path, body })).status).toBe(200)
  expect((await file()).content).toBe('# Town\nTOWN=Bergen\n\nPIN=1\n')
  const key = { query: { path: 'own.key' }, body: { content: 'k' } }
  expect((await call(writeFile, { ports, as: olga, path, ...key })).status).toBe(200)
  expect([(await file()).variables, await kept()]).toEqual([
    [variable('TOWN', 'service', true), variable('PIN', 'source', false)],
    ['.env', 'own.key'],
  ])
})

test('a whole file that was kept becomes a layer with the next sync', async () => {
  const { ports, push, file, kept } = await given()
  // As an earlier version recorded it.
  const stack = present(await ports.stacks.find('shop'))
  const { envLayer: _, ...files } = stack.files
  const env = await ports.texts.put('TOWN=Oslo\nPIN=2\nDEBUG=1\n')
  const source = { ...present(stack.source), kept: ['.env'] }
  await ports.stacks.replace({ ...stack, files: { ...files, env }, source })
  expect((await file()).variables).toContainEqual(variable('TOWN', 'service', false))
  await push('r3', `${theirs}NEW=4\n`, changedShop)
  expect([await file(), await kept()]).toMatchObject([
    {
      content: '# Town\nTOWN=Oslo\n\nPIN=2\nNEW=4\nDEBUG=1\n',
      variables: [
        variable('TOWN', 'source', false),
        variable('PIN', 'service', true),
        variable('NEW', 'source', false),
        variable('DEBUG', 'service', false),
      ],
    },
    ['.env'],
  ])
})

test('a source without the file leaves what is kept, and may get it later', async () => {
  const { ports, publish, run, write, push, file } = await given()
  await write('TOWN=Oslo\nPIN=2\n')
  publish('r3', { 'compose.yaml': shop })
  await run()
  expect((await file()).content).toBe('PIN=2\n')
  await push('r4', theirs)
  expect((await file()).content).toBe('# Town\nTOWN=Oslo\n\nPIN=2\n')
  expect((await call(deleteFile, { ports, as: olga, path, query })).status).toBe(200)
})

test('a push of the value that is kept does not uncover it for the next push', async () => {
  const { publish, run, write, push, file } = await given()
  await write('TOWN=Oslo\nPIN=2\n')
  publish('r3', { 'compose.yaml': shop })
  await run()
  const kept = theirs.replace('PIN=1', 'PIN=2')
  await push('r4', kept)
  await push('r5', theirs.replace('PIN=1', 'PIN=3'))
  expect((await file()).content).toBe(kept)
  expect((await file()).variables).toContainEqual(variable('PIN', 'service', true))
})

test('a stack that is unset and set again keeps all that its file has', async () => {
  const { ports, publish, run, write, bind, file, kept } = await given()
  await write('TOWN=Oslo\nPIN=2\n')
  expect((await call(remove, { ports, as: olga, path })).status).toBe(204)
  publish('r3', { 'compose.yaml': changedShop })
  expect((await bind()).status).toBe(200)
  await run()
  expect([(await file()).content, await kept()]).toEqual([
    theirs.replace('PIN=1', 'PIN=2'),
    ['.env'],
  ])
})

test('a rollback brings back the parts of its deployment', async () => {
  const { ports, push, write, file } = await given()
  await push('r3', theirs, changedShop)
  const { json } = await call(listDeployments, { ports, as: olga, path })
  const body = { deployment_id: json[0].id }
  await write('TOWN=Bergen\nPIN=2\n')
  expect((await call(deploy, { ports, as: olga, path, body: {} })).json.status).toBe('succeeded')
  expect((await call(rollback, { ports, as: olga, path, body })).json.status).toBe('succeeded')
  expect((await file()).variables).toEqual([
    variable('TOWN', 'source', false),
    variable('PIN', 'source', false),
  ])
  await push('r4', 'TOWN=Stavanger\n', changedShop)
  expect((await file()).content).toBe('TOWN=Stavanger\n')
})

test('422: a text that cannot be read changes nothing', async () => {
  const { write, file } = await given()
  expect((await write('PIN="2\n')).status).toBe(422)
  expect((await file()).content).toBe(theirs)
})

test('403: an account that may not read the file keeps values, and sees no others', async () => {
  const followed = await given()
  await givenEditor(followed.here)
  const { ports, write, file } = followed
  expect((await write('DEBUG=1\n', editor)).status).toBe(200)
  expect((await file()).content).toBe(`${theirs}DEBUG=1\n`)
  expect((await call(readFile, { ports, as: editor, path, query })).status).toBe(403)
  const refused = await write('DEBUG="1\n', editor)
  expect([refused.status, refused.text]).toEqual([422, expect.not.stringContaining('Oslo')])
})

test('403: such an account uncovers no value of the source in a place that others see', async () => {
  const followed = await given()
  await givenEditor(followed.here)
  const { push, write, file } = followed
  const labels = 'command: sleep 3600\n    labels: {a: "${TOWN}"}\n'
  await push('r3', theirs, shop.replace('command: sleep 3600\n', labels))
  expect((await write('PIN=2\nTOWN=$PIN\n', editor)).status).toBe(200)
  const { content } = await file()
  expect((await write('TOWN=$PIN\n', editor)).status).toBe(403)
  expect((await file()).content).toBe(content)
  expect((await write('TOWN=$PIN\n')).status).toBe(200)
})

test('a push of an account without stacks:secrets shows no value of a set', async () => {
  const followed = await given()
  const { ports, bind, push, write, file } = followed
  const permissions: Permission[] = [
    ...['stacks:read' as const, 'stacks:update' as const, 'stacks:deploy' as const],
    'registries:manage',
  ]
  await ports.roles.create({ id: 'follower', permissions, createdAt: 0 })
  const body = { name: 'home', variables: { MAIL: 'swordfish' } }
  await call(createSet, { ports, as: 'admin', body })
  const shows = shop.replace('command:', 'labels: {a: "${TOWN}"}\n    command:')
  await push('r3', theirs, shows)
  await write(`${theirs}DEBUG=1\n`)
  const taken = { shared_variables: ['home'] }
  expect((await call(updateStack, { ports, as: 'admin', path, body: taken })).status).toBe(200)
  expect((await bind({}, { username: 'finn', role: 'follower' })).status).toBe(200)
  const pushed = async (revision: string, town: string) => {
    await push(revision, theirs.replace('Oslo', town), shows)
    return (await file()).content
  }
  const content = `${theirs.replace('Oslo', 'Bergen')}DEBUG=1\n`
  expect(await pushed('r4', 'Bergen')).toBe(content)
  expect(await pushed('r5', '$MAIL')).toBe(content)
  const { json } = await call(getSource, { ports, as: olga, path })
  expect(json.last_error.message).toContain('stacks:secrets')
})

test('a sweep of texts leaves both parts', async () => {
  const { ports, write, file } = await given()
  await write('TOWN=Bergen\nPIN=1\n')
  for (const _ of [1, 2, 3]) {
    ports.clock.advance(2 * 86_400_000)
    await sweepTexts(ports, new AbortController().signal)
  }
  await write('PIN=1\n')
  expect((await file()).content).toBe(theirs)
})

test('after the source is unset, the file is edited as a whole', async () => {
  const { ports, write, file } = await given()
  await write('TOWN=Oslo\nPIN=2\n')
  expect((await call(remove, { ports, as: olga, path })).status).toBe(204)
  await write('# mine\nA=1\n')
  const { content, variables } = await file()
  expect([content, variables]).toEqual(['# mine\nA=1\n', undefined])
})
