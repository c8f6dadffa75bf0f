import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { makePrinter } from './print.ts'
import { type OutputForm, structuredOf } from './structured.ts'

const rows = [
  { name: 'shop', status: 'running', host: 'local', labels: { tier: 'front' }, files: ['a', 'b'] },
  { name: 'blog', status: 'stopped', host: 'nas', labels: {}, files: [] },
]
const hostile = [
  {
    name: 'a\u001b[2J\u009b31m\u202e\u200b\ufeff\u{e0061}',
    'k\u0007': 'two\nlines',
    text: 'x: \r- y',
  },
]

async function written(
  form: OutputForm,
  value: unknown,
  options: { raw?: string; isTTY?: true } = {},
) {
  const stdout = Object.assign(new PassThrough(), options.isTTY && { isTTY: true })
  const write = await structuredOf(form, { stdout })
  return write?.(value, options.raw)
}

test('json writes the bytes of the response', async () => {
  const raw = '[ {"name": "\u009b"} ]'
  expect(await written({ output: 'json' }, [{}], { raw })).toBe(`${raw}\n`)
})

test('a table is written by others', async () => {
  expect(await written({ output: 'table' }, rows)).toBeUndefined()
})

test('--json picks fields, also of nested objects', async () => {
  const picked = await written({ output: 'json', fields: ['name', 'labels.tier'] }, rows, {
    raw: 'x',
  })
  expect(JSON.parse(picked ?? '')).toEqual([
    { name: 'shop', 'labels.tier': 'front' },
    { name: 'blog', 'labels.tier': null },
  ])
  const all = await written(
    { output: 'json', fields: ['name'] },
    { items: rows, unreachable_hosts: [] },
  )
  expect(JSON.parse(all ?? '')).toEqual({
    items: [{ name: 'shop' }, { name: 'blog' }],
    unreachable_hosts: [],
  })
})

test('2: --json names the fields that there are', async () => {
  const wrong = written({ output: 'json', fields: ['nme'] }, rows)
  await expect(wrong).rejects.toMatchObject({
    exitCode: 2,
    message: '--json: there is no field "nme"',
    hint: 'the fields are name, status, host, labels, files',
  })
  expect(await written({ output: 'json', fields: ['nme'] }, [])).toBe('[]\n')
  for (const field of ['__proto__', 'constructor', 'labels.constructor'])
    await expect(written({ output: 'json', fields: [field] }, rows)).rejects.toMatchObject({
      exitCode: 2,
    })
})

test('--jq selects with the whole language', async () => {
  const select = (jq: string, value: unknown = rows) => written({ output: 'json', jq }, value)
  expect(await select('.[].name')).toBe('shop\nblog\n')
  expect(await select('map(select(.status == "running")) | length')).toBe('1\n')
  expect(await select('sort_by(.name)[-1:][0] | {name, files: (.files | length)}')).toBe(
    '{"name":"shop","files":2}\n',
  )
  expect(await select('.[] as {name: $n} | try error($n) catch .')).toBe('shop\nblog\n')
  expect(await select('empty')).toBe('')
  expect(await written({ output: 'json', jq: '.[0]', fields: ['host'] }, rows)).toBe(
    '{"host":"local"}\n',
  )
})

test('2: --jq says what is wrong with an expression, or that it does not fit', async () => {
  const select = (jq: string) => written({ output: 'json', jq }, rows)
  await expect(select('.[')).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/^--jq: .*syntax error/),
  })
  await expect(select('nope')).rejects.toMatchObject({ message: expect.stringContaining('nope/0') })
  await expect(select('.name')).rejects.toMatchObject({
    message: expect.stringContaining('Cannot index array'),
  })
})

test('--jq reads no file and no environment of the machine', async () => {
  for (const jq of ['import "/etc/passwd" as $x; $x', 'include "/etc/hostname"; .'])
    await expect(written({ output: 'json', jq }, [])).rejects.toMatchObject({ exitCode: 2 })
  const env = await written({ output: 'json', jq: 'env | keys' }, [])
  expect(JSON.parse(env ?? '')).not.toContain('npm_config_user_agent')
  expect(await written({ output: 'json', jq: 'env.HOME' }, [])).not.toContain(process.env.HOME)
})

test('yaml holds the same values, in documents of their own', async () => {
  const stdout = new PassThrough()
  const structured = await structuredOf({ output: 'yaml' }, { stdout })
  const io = { stdin: process.stdin, stdout, stderr: stdout, env: {}, platform: 'linux', cwd: '/' }
  const print = makePrinter(io, { ...(structured && { structured }) })
  print.data(rows, () => {})
  await print.message(JSON.stringify(hostile))
  const text = String(stdout.read())
  expect(parseAllDocuments(text).map((one) => one.toJS())).toEqual([rows, hostile])
  expect(text).toMatch(/labels:\n +tier: front/)
})

test('name writes what commands accept, one in a line', async () => {
  const form = { output: 'name' } as const
  expect(await written(form, rows)).toBe('shop\nblog\n')
  expect(
    await written(form, [
      { id: '7', tags: ['nginx:1'] },
      { id: '8', tags: [] },
    ]),
  ).toBe('nginx:1\n8\n')
  expect(await written(form, { id: '9', job_name: 'nightly' })).toBe('9\n')
  expect(await written(form, undefined)).toBe('')
  expect(await written(form, [{ name: 'a\nb' }])).toBe('a\\u000ab\n')
})

test.each<OutputForm>([
  { output: 'json' },
  { output: 'json', fields: ['name'] },
  { output: 'json', jq: '.[].name' },
  { output: 'yaml' },
  { output: 'name' },
])('no form lets a value control the terminal: %j', async (form) => {
  const raw = JSON.stringify(hostile)
  const text = (await written(form, hostile, { raw, isTTY: true })) ?? ''
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e\u200b\ufeff\udb40]/)
  expect(text).toMatch(/a\\(u001b|e)\[2J/)
})
