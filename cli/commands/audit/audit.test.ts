import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { clientWorld } from '../../../local/harness/client.ts'

async function signedIn() {
  const world = await clientWorld()
  await world.login()
  return world
}

test('0: audit list shows actions with their user, newest first', async () => {
  await using world = await signedIn()
  await world.cli('tokens create ci')
  const { code, out } = await world.cli('audit list')
  expect(code).toBe(0)
  const [head = '', ...rows] = out.trimEnd().split('\n')
  expect(head).toMatch(/^TIME +WHO +FROM +ACTION +SUBJECT +OUTCOME +REQUEST$/)
  const said = rows.map((row) => row.split(/ {2,}/).slice(1, 6).join(' '))
  expect(said[0]).toMatch(/^ada 127\.0\.0\.1 api-tokens\.create api-tokens\/\S+ succeeded 201$/)
  expect(said[1]).toMatch(/^ada 127\.0\.0\.1 auth\.login sessions\/\S+ succeeded 200$/)
  expect(said[2]).toMatch(/^nobody 127\.0\.0\.1 setup\.create setup\/\S+ succeeded 201$/)
  expect((await world.cli('audit list --action auth')).out.split('\n')).toHaveLength(3)
  expect(
    (await world.cli('audit list --since 9d --user none')).out.trim().split('\n'),
  ).toHaveLength(1)
})

test('0: audit verify finds nothing; 1: it names the rows that changed', async () => {
  await using world = await signedIn()
  const good = await world.cli('audit verify')
  expect(good).toEqual({ code: 0, out: '2 audit rows verified\n', err: '' })
  const { texts } = world.ports.audit.blocks
  const [first, ...later] = [...texts.keys()]
  texts.delete(present(first))
  texts.set(present(later[0]), '{}')
  const bad = await world.cli('audit verify')
  expect(bad.out).toBe('row 1: missing\nrow 2: changed\n')
  expect([bad.code, bad.err]).toEqual([1, expect.stringContaining('were tampered with')])
  expect(JSON.parse((await world.cli('audit verify --output json')).out).ok).toBe(false)
})

test('0: audit export writes a file that audit trim removes from the service', async () => {
  await using world = await signedIn()
  await world.cli('tokens create ci')
  const file = join(world.home, 'audit.jsonl')
  const exported = await world.cli(['audit', 'export', file])
  expect(exported.out).toBe(`4 audit rows written to ${file}\n`)
  const rows = (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  expect(rows.map(({ prev }) => prev)).toEqual(['', ...rows.slice(0, 3).map(({ mac }) => mac)])
  expect((await world.cli(['audit', 'trim', file, '--yes'])).out).toBe(
    '4 audit rows removed, up to 4\n',
  )
  const verified = await world.cli('audit verify')
  expect(verified.out).toMatch(/^rows up to 4 were removed at .*\n2 audit rows verified/)
})

test('1: audit export does not overwrite a file, and audit trim rejects a foreign file', async () => {
  await using world = await signedIn()
  const file = join(world.home, 'notes.txt')
  await writeFile(file, 'something else\n')
  expect(await world.cli(['audit', 'export', file])).toMatchObject({
    code: 1,
    err: expect.stringContaining('already exists'),
  })
  expect(await world.cli(['audit', 'trim', file, '--yes'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('not an exported audit row'),
  })
})
