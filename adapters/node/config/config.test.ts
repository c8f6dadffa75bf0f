import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

test.each([
  ['auth:\n  lockout_max_attempts: lots\n', 'auth.lockout_max_attempts: expected a number'],
  ['port: nope\n', 'SERVICE_PORT: expected a number'],
  ['agent_endpoint: a b\n', 'SERVICE_AGENT_ENDPOINT: expected host:port'],
  ['auth: { lockout_max: 3 }\n', 'configuration file: unknown key auth.lockout_max'],
  ['- port\n', 'expected a mapping'],
])('rejects a file with %j and names the key', (text, message) => {
  const directory = mkdtempSync(join(tmpdir(), 'config-'))
  try {
    writeFileSync(join(directory, 'config.yaml'), text)
    expect(() => readConfig({ SERVICE_DATA_DIR: directory })).toThrow(message)
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('rejects an unknown variable by name', () => {
  expect(() => readConfig({ SERVICE_PROT: '1' })).toThrow('environment: unknown key SERVICE_PROT')
})

test('reads the proxies, and says which variable is wrong', () => {
  const given = { SERVICE_DATA_DIR: '/nowhere', HTTPS_PROXY: 'http://proxy.lan:3128' }
  expect(readConfig(given).proxies.https?.host).toBe('proxy.lan:3128')
  expect(readConfig({ SERVICE_DATA_DIR: '/nowhere' }).proxies.https).toBeNull()
  const wrong = { ...given, HTTPS_PROXY: 'socks5://proxy.lan' }
  expect(() => readConfig(wrong)).toThrow('HTTPS_PROXY: expected http://host:port')
})

test('reads the DynamoDB Local directory from a variable or the file', () => {
  const given = { SERVICE_DATA_DIR: '/nowhere', SERVICE_DYNAMODB_LOCAL_DIR: '/opt/dynamodb' }
  expect(readConfig(given).store.program).toBe('/opt/dynamodb')
  const file = readConfig({ SERVICE_DATA_DIR: '/nowhere' }, 'dynamodb_local_dir: /srv/dynamodb\n')
  expect(file.store.program).toBe('/srv/dynamodb')
})

test('the file pins settings, and the environment overrides the file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'config-'))
  try {
    const text = 'auth:\n  lockout_max_attempts: "3"\n  session_idle_minutes: 10\n'
    writeFileSync(join(directory, 'config.yaml'), text)
    const given = { SERVICE_DATA_DIR: directory, SERVICE_AUTH_LOCKOUT_MAX_ATTEMPTS: '7' }
    expect(readConfig(given).pinned).toEqual({
      'auth.lockout_max_attempts': 7,
      'auth.session_idle_minutes': 10,
    })
    const wrong = { SERVICE_DATA_DIR: directory, SERVICE_AUTH_LOCKOUT_MAX_ATTEMPTS: '0' }
    expect(() => readConfig(wrong)).toThrow('auth.lockout_max_attempts')
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test('pins a list given as a comma- or space-separated text or as a YAML list', () => {
  const given = { SERVICE_DATA_DIR: '/nowhere', SERVICE_REGISTRY_ALLOW: 'LOCALHOST:5000, nas' }
  const wanted = { 'registry.allow': ['localhost:5000', 'nas'] }
  expect(readConfig(given).pinned).toEqual(wanted)
  const file = (text: string) => readConfig({ SERVICE_DATA_DIR: '/nowhere' }, text).pinned
  expect(file('registry:\n  allow: ["localhost:5000", nas]\n')).toEqual(wanted)
  expect(file('registry.allow: localhost:5000 nas\n')).toEqual(wanted)
  expect(() => file('registry.allow: ["a/b"]\n')).toThrow(
    'registry.allow.0: must be a host or host:port',
  )
})

test('pins a boolean given as a text', () => {
  const given = { SERVICE_DATA_DIR: '/nowhere', SERVICE_STACKS_LISTS_FILLED: 'true' }
  expect(readConfig(given).pinned).toEqual({ 'stacks.lists_filled': true })
})

test('reads allowed addresses from a text or a list and names an invalid part', () => {
  const directory = mkdtempSync(join(tmpdir(), 'config-'))
  try {
    writeFileSync(join(directory, 'config.yaml'), 'outbound_allow: ["127.0.0.1:25", nas.lan]\n')
    expect(readConfig({ SERVICE_DATA_DIR: directory }).outboundAllow).toMatchObject([
      { port: 25 },
      { host: 'nas.lan', port: null },
    ])
  } finally {
    rmSync(directory, { recursive: true })
  }
  expect(() => readConfig({ SERVICE_OUTBOUND_ALLOW: '10.0.0.1/99' })).toThrow(
    'SERVICE_OUTBOUND_ALLOW: "10.0.0.1/99" is not an address, range or name',
  )
  expect(() => readConfig({ SERVICE_TRUSTED_PROXIES: '10.0.0.1, proxy' })).toThrow(
    'SERVICE_TRUSTED_PROXIES: "proxy" is not an address or range',
  )
})

test('rejects a key of a wrong length or form by its variable, without showing it', () => {
  const wrong: [string, string][] = [
    ['ab'.repeat(16), 'and it has 16 bytes'],
    [Buffer.alloc(33, 7).toString('base64'), 'and it has 33 bytes'],
    [`${'ab'.repeat(32)},hunter2!`, 'and it is neither'],
    [`${'ab'.repeat(32)},`, 'and it is neither'],
  ]
  for (const variable of ['SERVICE_SECRET_KEY', 'SERVICE_AUDIT_KEY']) {
    for (const [value, reason] of wrong) {
      const read = () => readConfig({ SERVICE_DATA_DIR: '/nowhere', [variable]: value })
      expect(read).toThrow(`${variable}: it is not a key: must be 32 random bytes`)
      expect(read).toThrow(reason)
      expect(read).not.toThrow('hunter2')
    }
  }
})

test('the keys are files unless the store is named, which needs a key to seal them', () => {
  const read = (env: Record<string, string>) => readConfig({ SERVICE_DATA_DIR: '/nowhere', ...env })
  const SERVICE_SECRET_KEY = 'ab'.repeat(32)
  expect(read({ SERVICE_SECRET_KEY }).keyPlace).toBe('files')
  expect(read({ SERVICE_SECRET_KEY, SERVICE_KEYS: 'store' }).keyPlace).toBe('store')
  expect(() => read({ SERVICE_KEYS: 'store' })).toThrow(
    'SERVICE_KEYS: store requires SERVICE_SECRET_KEY',
  )
  expect(() => read({ SERVICE_KEYS: 'vault' })).toThrow('SERVICE_KEYS')
})
