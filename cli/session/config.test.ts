import { lstat, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configPath, readConfig, writeConfig } from './config.ts'

async function place() {
  const directory = await mkdtemp(join(tmpdir(), 'config-'))
  return {
    directory,
    file: join(directory, 'config.json'),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  }
}

test.each([
  ['linux', { HOME: '/home/ada', XDG_CONFIG_HOME: '/x' }, '/home/ada/.config/cli/config.json'],
  ['darwin', { HOME: '/Users/ada' }, '/Users/ada/Library/Application Support/cli/config.json'],
  ['win32', { APPDATA: 'C:\\Data' }, 'C:\\Data\\cli\\config.json'],
  ['win32', { USERPROFILE: 'C:\\Ada' }, 'C:\\Ada\\AppData\\Roaming\\cli\\config.json'],
])('finds the path of the configuration on %s', (platform, env, path) => {
  expect(configPath({ platform, env })).toBe(path)
})

test('1: no home directory', () => {
  expect(() => configPath({ platform: 'linux', env: {} })).toThrow('no home directory')
})

test.each(['', '{', '[]', 'null', '7', '{"token":7}', '{"insecure":"yes"}'])(
  '1: %j is not a configuration',
  async (text) => {
    await using at = await place()
    await writeFile(at.file, text)
    await expect(readConfig(at.file)).rejects.toMatchObject({ exitCode: 1 })
  },
)

test('a missing file is an empty configuration', async () => {
  await using at = await place()
  expect(await readConfig(join(at.directory, 'none', 'config.json'))).toEqual({})
})

test('a reader never sees a partly written file during concurrent writes', async () => {
  await using at = await place()
  const token = 'x'.repeat(100_000)
  await writeConfig(at.file, { token })
  const writes = Array.from({ length: 20 }, (_, n) => writeConfig(at.file, { token: token + n }))
  const reads = Array.from({ length: 50 }, () => readConfig(at.file))
  for (const config of await Promise.all(reads)) expect(config.token).toMatch(/^x{100000}/)
  await Promise.all(writes)
  expect(await readdir(at.directory)).toEqual(['config.json'])
})

test('keeps a symbolic link to the file', async () => {
  await using at = await place()
  const kept = join(at.directory, 'kept.json')
  await writeFile(kept, '{}')
  await symlink(kept, at.file)
  await writeConfig(at.file, { server: 'http://localhost' })
  expect((await lstat(at.file)).isSymbolicLink()).toBe(true)
  expect(JSON.parse(await readFile(kept, 'utf8'))).toEqual({ server: 'http://localhost' })
})

test('removes drafts that a killed client left behind, and nothing else', async () => {
  await using at = await place()
  const past = new Date(Date.now() - 120_000)
  const [old, fresh, other] = ['0123456789ab', 'ba9876543210', 'backup']
  const right = 'lock.0123456789abcdef'
  for (const end of [old, fresh, other, right])
    await writeFile(`${at.file}.${end}`, '{"token":"x"}')
  for (const end of [old, other, right]) await utimes(`${at.file}.${end}`, past, past)
  await writeConfig(at.file, { server: 'http://localhost' })
  const files = ['config.json', `config.json.${other}`, `config.json.${fresh}`]
  expect((await readdir(at.directory)).toSorted()).toEqual(files.toSorted())
})
