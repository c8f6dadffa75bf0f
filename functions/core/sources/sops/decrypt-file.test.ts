import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { memorySourceKeys } from '../../../../adapters/testing/memory/source-keys.ts'
import { present } from '../../../../adapters/testing/present.ts'
import { type SopsChange, sopsEnv, sopsYaml } from '../../../../local/harness/sops.ts'
import type { AgeKey } from '../../records/source-address.ts'
import { decryptFile } from './decrypt-file.ts'

const keys = memorySourceKeys()
const read = (name: string) => readFileSync(new URL(`testing/${name}`, import.meta.url), 'utf8')
/** The identity of `secret.yaml`. */
const published = present(await keys.readAge(read('age-key.txt')))
const age = await keys.makeAge()

/** Returns the text of a file once it is decrypted; undefined: it is not encrypted by sops. */
async function decrypted(path: string, text: string, key: AgeKey | undefined = age) {
  const plain = await decryptFile(path, Buffer.from(text), key, keys)
  return plain && Buffer.from(plain).toString('utf8')
}

const refusal = async (path: string, text: string, key: AgeKey | undefined = age) =>
  decrypted(path, text, key).then(
    (plain) => `decrypted: ${plain}`,
    (error: Error & { problem?: string }) => `${error.problem}: ${error.message}`,
  )

test('a file of the sops program loses what sops added, and nothing else', async () => {
  const text = read('secret.yaml')
  const [before = ''] = text.split('sops:\n')
  expect(await decrypted('secret.yaml', text, published)).toBe(
    before.replace(/ENC\[.*\]/, '"global-value"'),
  )
})

test('a file of variables of the sops program is read, and needs its own key', async () => {
  expect(await refusal('shape.env', read('shape.env'))).toBe(
    `not-decrypted: shape.env: sops encrypted this file, but for others: add ${age.recipient} to .sops.yaml, and run \`sops updatekeys\` on the file`,
  )
})

test.each<[string, (text: string) => string, string]>([
  ['another value that is not encrypted', (text) => text.replace('Opaque', 'Other'), 'a value'],
  ['a key that is not encrypted', (text) => text.replace('  key:', '  kex:'), 'line 8'],
  ['a value', (text) => text.replace('data:5d9W', 'data:5d9X'), 'line 8'],
  ['the MAC', (text) => text.replace('data:5vkr', 'data:5vks'), 'a value'],
  ['the time', (text) => text.replace('17:19:51Z', '17:19:52Z'), 'a value'],
  ['one value more', (text) => `more: 1\n${text}`, 'a value'],
  ['one value less', (text) => text.replace('type: Opaque\n', ''), 'a value'],
  ['an encrypted value that is gone', (text) => text.replace(/key: ENC.*/, 'key: ""'), 'a value'],
])('a change after sops is refused: %s', async (_, change, where) => {
  const text = change(read('secret.yaml'))
  expect(text).not.toBe(read('secret.yaml'))
  expect(await refusal('secret.yaml', text, published)).toContain(`but ${where} was changed since`)
})

const tree = {
  db: {
    user: 'ada',
    password: 'line "one"\nline \\ two\u2028\u0085 ü 😀',
    port: 5432,
    ratio: 0.25,
  },
  list: ['a', { on: true, off: false }, 'b: c # d'],
  empty: '',
  shown_unencrypted: { image: 'busybox', count: 3, isOn: true, share: 1.5 },
}

test('YAML has the values and the order from before, and its comments', async () => {
  const encrypted = await sopsYaml(tree, age.recipient)
  const commented = `# first\n${encrypted.replace('db:\n', 'db: # the database\n')}`
  const plain = present(await decrypted('app.yaml', commented))
  expect(plain).toBe(`# first
db: # the database
    user: "ada"
    password: "line \\"one\\"\\nline \\\\ two\\u2028\\u0085 ü 😀"
    port: 5432
    ratio: 0.25
list:
    - "a"
    - on: true
      off: false
    - "b: c # d"
empty: ""
shown_unencrypted:
    image: "busybox"
    count: 3
    isOn: true
    share: 1.5
`)
})

test('variables keep their lines, and a line break stays two characters', async () => {
  const variables = { A: 'one', B: '"x y"', C: 'two\nlines', D_unencrypted: 'seen', E: '' }
  const text = await sopsEnv(variables, age.recipient)
  expect(await decrypted('.env', text)).toBe(
    '# A comment\nA=one\nB="x y"\nC=two\\nlines\nD_unencrypted=seen\nE=\n',
  )
  expect(await decrypted('config/none', text)).toContain('A=one')
  const swapped = text.replace(/^A=(.*)\nB=(.*)$/m, 'A=$2\nB=$1')
  expect(await refusal('.env', swapped)).toContain('but line 2 was changed since')
})

test('comments that sops encrypted stay as they are', async () => {
  const text = await sopsEnv({ A: 'one' }, age.recipient)
  const comment = '#ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:comment]\n'
  expect(await decrypted('.env', comment + text)).toBe(`${comment}# A comment\nA=one\n`)
})

test('one of several recipients is enough', async () => {
  const other = await keys.makeAge()
  const text = await sopsYaml(tree, age.recipient)
  const both = text.replace(
    'age:\n',
    `age:\n        - recipient: ${other.recipient}\n          enc: none\n`,
  )
  expect(await decrypted('app.yml', both)).toContain('user: "ada"')
})

test.each<[string, SopsChange, string]>([
  [
    'key groups',
    { more: ['key_groups:', '    - age:', '        - recipient: age1a'] },
    'but with key groups',
  ],
  ['a threshold', { more: ['shamir_threshold: 2'] }, 'but with key groups'],
  ['a MAC over some values', { more: ['mac_only_encrypted: true'] }, 'with mac_only_encrypted'],
  ['another type', { type: 'time' }, 'but line 2 has the type time'],
  ['a type that does not fit', { type: 'int' }, 'but line 2 has the type int'],
  ['an alias', { more: ['a: &a b', 'c: *a'] }, 'has an anchor, an alias or a tag'],
  ['a key twice', { more: ['mac: none'] }, 'it has a key twice'],
])('is refused with the way out: %s', async (_, change, why) => {
  const text = await sopsYaml({ db: { user: 'hunter 4711' } }, age.recipient, change)
  const said = await refusal('app.yaml', text)
  expect(said).toContain(why)
  expect(said).toMatch(/^not-decrypted: app\.yaml: sops encrypted this file, /)
  expect(said).not.toContain('hunter 4711')
})

test('a file for other services only is refused with their names', async () => {
  const text = await sopsYaml(tree, age.recipient)
  const pgp = '    pgp:\n        - fp: AA\n          enc: none\n    kms:\n        - arn: b\n'
  const others = text.replace(/ {4}age:[\s\S]*?(?= {4}lastmodified)/, pgp)
  expect(await refusal('app.yaml', others)).toContain(
    `but only with pgp and kms: add ${age.recipient} to .sops.yaml`,
  )
})

test.each([
  ['a damaged key', (text: string) => text.replace('YWdl', 'AAAA'), 'its data key is damaged'],
  ['no key', (text: string) => text.replace(/enc: \|\n/, 'more: |\n'), 'its data key is damaged'],
  ['no MAC', (text: string) => text.replace(/lastmodified: .*/, 'a: b'), 'without its MAC or time'],
  ['a date', (text: string) => `day: 2026-11-30\n${text}`, 'line 1 is not read: it is a date'],
  ['an exponent', (text: string) => `big: 1e6\n${text}`, 'line 1 is not read: it is a date'],
  ['two documents', (text: string) => `${text}---\na: 1\n`, 'it has several documents'],
  ['no YAML', (text: string) => `a: [\n${text}`, 'it is no valid YAML'],
  ['a large file', (text: string) => `${text}# ${'x'.repeat(131_072)}\n`, 'more than 131072'],
])('is refused: %s', async (_, change, why) => {
  const text = await sopsYaml(tree, age.recipient)
  expect(await refusal('app.yaml', change(text))).toContain(why)
})

test('more values than a turn of the process takes are refused', async () => {
  const text = await sopsYaml({ a: 'b' }, age.recipient)
  const many = `list:\n${'- 1\n'.repeat(10_001)}${text}`
  expect(await refusal('app.yaml', many)).toContain('it has more than 10000 values: split it')
  const lines = Array.from({ length: 10_001 }, (_, at) => `V${at}=1\n`).join('')
  const variables = lines + (await sopsEnv({ A: 'one' }, age.recipient))
  expect(await refusal('.env', variables)).toContain('it has more than 10000 values: split it')
})

test('a file full of values is read to its last one, and no further than the limit', async () => {
  const text = await sopsYaml({ a: 'b' }, age.recipient)
  for (const values of [9_990, 25_000]) {
    const many = `list:\n${'- 1\n'.repeat(values)}${text}`
    expect(await refusal('app.yaml', many)).toMatch(/a value was changed|more than 10000 values/)
  }
})

test('only files with a name of YAML are parsed as YAML, and each one counts', async () => {
  const parsed: number[] = []
  const count = (bytes: number) => void parsed.push(bytes)
  const text = await sopsYaml(tree, age.recipient)
  for (const path of ['app.txt', 'notes', 'yaml/app.md']) {
    expect(await decryptFile(path, Buffer.from(text), age, keys, count)).toBeUndefined()
  }
  expect(parsed).toEqual([])
  const broken = decryptFile('app.yaml', Buffer.from(`a: [\n${text}`), age, keys, count)
  await expect(broken).rejects.toThrow('it is no valid YAML')
  expect(parsed).toEqual([Buffer.byteLength(text) + 5])
})

test.each([
  ['JSON', 'app.json', '{"a":"ENC[AES256_GCM,x]","sops":{"mac":"ENC[AES256_GCM,x]"}}'],
  [
    'one block',
    'tls.key',
    '{\n"data": "ENC[AES256_GCM,x]",\n"sops": {"mac": "ENC[AES256_GCM,x]"}}',
  ],
  ['INI', 'app.ini', '[a]\nb = ENC[AES256_GCM,x]\n\n[sops]\nmac = ENC[AES256_GCM,x]\n'],
])('a form that is not read is refused: %s', async (_, path, text) => {
  expect(await refusal(path, text)).toContain('only YAML and files of variables are decrypted')
})

test('a source without a key says what to do', async () => {
  const text = await sopsYaml(tree, age.recipient)
  const without = decryptFile('app.yaml', Buffer.from(text), undefined, keys)
  await expect(without).rejects.toThrow('save the source again')
})

test('what sops did not encrypt stays as it is', async () => {
  const encrypted = await sopsYaml(tree, age.recipient)
  for (const [path, text] of [
    ['.env', 'A=1\n'],
    ['.sops.yaml', `creation_rules:\n  - age: ${age.recipient}\n`],
    ['readme.md', `Such a file:\n\n\`\`\`yaml\n${encrypted}\`\`\`\n`],
    ['value.yaml', 'a: ENC[AES256_GCM,data:AA==,iv:AA==,tag:AA==,type:str]\n'],
    ['own.yaml', 'sops:\n    mac: none\n'],
  ] as const) {
    expect([path, await decrypted(path, text)]).toEqual([path, undefined])
  }
  const binary = Buffer.concat([Buffer.from('ENC[AES256_GCM,'), Buffer.from([0xff, 0xfe])])
  expect(await decryptFile('a.bin', binary, age, keys)).toBeUndefined()
})
