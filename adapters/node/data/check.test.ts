import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newIdentity } from '../../blobs/age.ts'
import { present } from '../../testing/present.ts'
import { makeAuthority } from '../keys/certificates.ts'
import { keyFiles } from '../keys/key-files.ts'
import { openKeyRing } from '../keys/key-ring.ts'
import { openSigningKeys } from '../keys/signing-keys.ts'
import { systemClock } from '../process/clock.ts'
import { checkData } from './check.ts'
import { sweepTemporaries } from './sweep.ts'

let directory: string
const at = (path: string) => join(directory, path)

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'container-stacks-data-'))
  mkdirSync(at('dynamodb'))
  for (const name of ['secret-key', 'audit-key'] as const) {
    const ring = await openKeyRing({ keys: keyFiles(directory), name })
    await ring.add()
  }
  await openSigningKeys(keyFiles(directory), systemClock)
  const head = { head: { seq: 3, mac: 'ab', latest: 3 }, replaced: [] }
  const texts = {
    'agent-authority.pem': await makeAuthority(systemClock),
    'backup-identity.txt': await newIdentity(new Date()),
    'internal-secret': 'x'.repeat(43),
    'setup-secret': `${'x'.repeat(32)}\n`,
    'audit-head.container-stacks': JSON.stringify(head),
    'restoring.json': JSON.stringify({ id: 'a', sha256: 'b' }),
    'config.yaml': '',
    'dynamodb/access-key': '0123456789abcdef0123456789abcdef',
    'dynamodb/0123456789abcdef0123456789abcdef_local.db': 'sqlite',
    installation: JSON.stringify({ id: '01a204dd-9ec2-737e-ad41-5bf707085ef4', stored: true }),
  }
  for (const [path, text] of Object.entries(texts)) writeFileSync(at(path), text)
})

afterEach(() => rmSync(directory, { recursive: true }))

const ringFile = (ring: string) => `${ring}/${readdirSync(at(ring))[0]}`

test('finds no problem in a directory made by the service or a missing one', () => {
  expect(checkData(directory, true)).toEqual([])
  expect(checkData(at('missing'), true)).toEqual([])
})

const files = [
  ...['secret-key', 'audit-key', 'signing-keys.json', 'agent-authority.pem', 'backup-identity.txt'],
  ...['internal-secret', 'setup-secret', 'audit-head.container-stacks', 'restoring.json'],
  ...['dynamodb/access-key', 'installation', 'secret-keys', 'audit-keys'],
]

/**
 * Ways in which a file is damaged. An empty `config.yaml` is valid, and its content is checked
 * elsewhere.
 */
const damages: Record<string, (path: string) => void> = {
  empty: (path) => writeFileSync(path, ''),
  'cut short': (path) => writeFileSync(path, readFileSync(path).subarray(0, 7)),
  garbage: (path) => writeFileSync(path, '\u0000\u0001 not at all\n'),
  'a directory': (path) => {
    rmSync(path)
    mkdirSync(path)
  },
  'a dangling link': (path) => {
    rmSync(path)
    symlinkSync('/nowhere/at/all', path)
  },
}

test.each(files.flatMap((file) => Object.keys(damages).map((how) => [file, how] as const)))(
  'names the file and a remedy: %s is %s',
  (file, how) => {
    const path = file.endsWith('-keys') ? ringFile(file) : file
    present(damages[how])(at(path))
    const problems = checkData(directory, true)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^\/[^\n]+: [^\n]+\. [A-Z][^\n]{15,}$/)
    expect(problems[0]).toContain(at(path))
    // A full disk leaves an empty file, which is different from tampering.
    if (how === 'empty') expect(problems[0]).toContain(`${at(path)}: it is empty. `)
  },
)

test('finds a link to nowhere in place of the configuration', () => {
  present(damages['a dangling link'])(at('config.yaml'))
  expect(checkData(directory, true)[0]).toContain('config.yaml: it is a dangling link')
})

test('finds a key in a file of another name, and a certificate of another key', async () => {
  writeFileSync(at('secret-keys/000000000000001-0123456789abcdef'), readFileSync(at('secret-key')))
  const [mine, other] = [
    readFileSync(at('agent-authority.pem'), 'utf8'),
    await makeAuthority(systemClock),
  ]
  const certificate = mine.slice(mine.indexOf('-----BEGIN CERTIFICATE'))
  writeFileSync(at('agent-authority.pem'), other.replace(/-----BEGIN CERTIFICATE.*/s, certificate))
  expect(checkData(directory, true).map((line) => line.split(': ')[1]?.split('. ')[0])).toEqual([
    'its key and its certificate do not belong together',
    'it holds a different key than its name says',
  ])
})

test('finds a database whose access key is gone, which would look empty', () => {
  rmSync(at('dynamodb/access-key'))
  expect(checkData(directory, false)).toEqual([])
  expect(checkData(directory, true)[0]).toMatch(/access-key: it is missing, but a database exists/)
})

test('finds files in place of directories and reports all problems at once', () => {
  writeFileSync(at('backups'), '')
  writeFileSync(at('internal-secret'), '')
  expect(checkData(directory, true)).toHaveLength(2)
  expect(checkData(at('config.yaml'), true)[0]).toContain('it is not a directory')
})

// Only root can change the owner of a file.
test.runIf(process.geteuid?.() === 0)('finds a file that another user may change', () => {
  chownSync(at('internal-secret'), 12345, 12345)
  expect(checkData(directory, true)[0]).toContain('it belongs to another user (12345)')
})

test('sweeps what a killed process left, and nothing else', () => {
  const start = Date.now()
  const old = new Date(start - 120_000)
  const make = (path: string, time: Date) => {
    writeFileSync(at(path), '')
    utimesSync(at(path), time, time)
  }
  const ours = ['audit-head.container-stacks.0123456789ab', 'signing-keys.json.aaaaaaaaaaaa']
  for (const path of ours) make(path, old)
  const kept = ['audit-head.kept.0123456789ab', 'notes.txt.0123456789ab', 'config.yaml.0123456789a']
  for (const path of kept) make(path, old)
  // Another process may be writing this file now.
  make('audit-key.0123456789ab', new Date(start))
  const removed = sweepTemporaries(directory, { processStart: start, kept: present(kept[0]) })
  expect(removed.sort()).toEqual(ours.sort())
  expect(readdirSync(directory)).toEqual(
    expect.arrayContaining([...kept, 'audit-key.0123456789ab']),
  )
})
