import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientWorld, stackOf } from '../../local/harness/client.ts'
import type { Estate, EstatePlan } from '../api/types.ts'
import { changedUses, missingSecrets } from '../estate/needed-secrets.ts'
import { secretUses } from '../estate/secret-uses.ts'

const compose = 'services:\n  a:\n    image: busybox:latest\n'

/** A service with a stack and a registry. */
async function furnished() {
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  const words = 'registries create registry.example.org --user puller'
  const added = await world.cli(words, { stdin: 'hidden\n' })
  expect([added.code, added.err]).toEqual([0, expect.any(String)])
  return world
}

test('0: what was exported is as the service is, and asks for no secret', async () => {
  await using world = await furnished()
  const file = join(world.home, 'estate.yaml')
  const written = await world.cli('export -o estate.yaml --name home')
  expect([written.code, written.out]).toEqual([0, 'written to estate.yaml\n'])
  expect(written.err).toContain('REGISTRY_REGISTRY_EXAMPLE_ORG_PASSWORD_754C9466522D')
  const text = await readFile(file, 'utf8')
  expect(text).not.toContain('hidden')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await world.cli('export --name home')).out).toBe(text)
  const same = await world.cli('apply -f estate.yaml --dry-run')
  expect([same.code, same.out.split('\n').map((line) => line.split(/ +/))]).toEqual([
    0,
    [
      ['SECTION', 'NAME', 'ACTION', 'FIELDS'],
      ['registries', 'registry.example.org', 'nothing', '-'],
      ['stacks', 'shop', 'nothing', '-'],
      [''],
    ],
  ])
  expect(same.err).toBe('0 to create, 0 to change, 2 unchanged\n')
})

test('0 and 1: an empty service needs all of it, with the secrets', async () => {
  await using full = await furnished()
  const { out: text } = await full.cli('export')
  await using empty = await clientWorld()
  await empty.login()
  const missing = await empty.cli('apply -f - --dry-run', { stdin: text })
  expect(missing.code).toBe(1)
  expect(missing.err).toContain(
    'the secret REGISTRY_REGISTRY_EXAMPLE_ORG_PASSWORD_754C9466522D is missing',
  )
  await writeFile(join(empty.home, 'estate.yaml'), text)
  await writeFile(
    join(empty.home, 'estate.env'),
    '# of the registry\nREGISTRY_REGISTRY_EXAMPLE_ORG_PASSWORD_754C9466522D="a secret"\n',
  )
  const found = await empty.cli('apply -f estate.yaml --secrets estate.env --dry-run')
  expect([found.code, found.err]).toEqual([
    0,
    '2 to create, 0 to change, 0 unchanged\nsecret REGISTRY_REGISTRY_EXAMPLE_ORG_PASSWORD_754C9466522D from estate.env: registries registry.example.org, password, for registry.example.org\n',
  ])
  const env = { REGISTRY_REGISTRY_EXAMPLE_ORG_PASSWORD_754C9466522D: 'a secret' }
  const words = 'apply -f estate.yaml --dry-run --output json'
  const unread = await empty.cli(words, { env })
  expect([unread.code, unread.err]).toEqual([1, expect.stringContaining('--secrets-from-env')])
  const inherited = await empty.cli(`${words} --secrets-from-env`, { env })
  expect([inherited.code, JSON.parse(inherited.out).steps.length]).toEqual([0, 2])
  expect(inherited.err).toContain('from the environment: registries registry.example.org')
  expect(await empty.ports.registries.list()).toEqual([])
})

test('0: applies a file, and nothing the second time', async () => {
  await using full = await furnished()
  await full.cli('export -o estate.yaml')
  const text = await readFile(join(full.home, 'estate.yaml'), 'utf8')
  await using empty = await clientWorld()
  await empty.login()
  await writeFile(join(empty.home, 'estate.yaml'), text)
  const env = { REGISTRY_REGISTRY_EXAMPLE_ORG_PASSWORD_754C9466522D: 'a secret', OTHER: 'not sent' }
  const words = 'apply -f estate.yaml --yes'
  const missing = await empty.cli(words)
  expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('nothing was done')])
  expect(await empty.ports.registries.list()).toEqual([])
  expect((await empty.cli(words, { env })).code).toBe(1)
  const made = await empty.cli(`${words} --secrets-from-env`, { env })
  expect([made.code, made.out]).toEqual([0, expect.stringMatching(/stacks +shop +create +done/)])
  expect((await empty.ports.registries.list())[0]?.password).toBe('a secret')
  expect(made.out + made.err).not.toMatch(/a secret|not sent/)
  expect((await empty.cli('export')).out).toBe(text)
  const again = await empty.cli(words)
  expect([again.code, again.out]).toEqual([
    0,
    expect.stringMatching(/stacks +shop +nothing +unchanged/),
  ])
})

test('0 and 1: asks before it applies', async () => {
  await using world = await clientWorld()
  await world.login()
  const text = 'version: 1\nname: home\nroles:\n  - name: keeper\n    permissions: []\n'
  await writeFile(join(world.home, 'estate.yaml'), text)
  const refused = await world.cli('apply -f estate.yaml', { keys: 'n' })
  expect([refused.code, await world.ports.roles.list()]).toEqual([1, []])
  const accepted = await world.cli('apply -f estate.yaml', { keys: 'y' })
  expect([accepted.code, (await world.ports.roles.list()).length]).toEqual([0, 1])
  expect((await world.cli('apply -f estate.yaml')).code).toBe(2)
})

const keeper = 'roles:\n  - name: keeper\n    permissions: []\n'

test('0: --prune deletes what the file no longer declares, after it asked', async () => {
  await using world = await clientWorld()
  await world.login()
  const file = join(world.home, 'estate.yaml')
  await writeFile(file, `version: 1\nname: home\n${keeper}`)
  expect((await world.cli('apply -f estate.yaml --yes')).code).toBe(0)
  await writeFile(file, 'version: 1\nname: home\nroles:\n  - name: other\n    permissions: []\n')
  const kept = await world.cli('apply -f estate.yaml --yes')
  expect([kept.code, kept.err]).toEqual([
    0,
    expect.stringContaining('left from an earlier file: 1.'),
  ])
  expect(kept.out).not.toContain('keeper')
  const shown = await world.cli('apply -f estate.yaml --prune --dry-run')
  expect(shown.code).toBe(0)
  expect(shown.out.split('\n').map((line) => line.split(/ +/))).toEqual([
    ['SECTION', 'NAME', 'ACTION', 'FIELDS'],
    ['roles', 'keeper', 'delete', '-'],
    ['roles', 'other', 'nothing', '-'],
    [''],
  ])
  expect(shown.err).toBe(
    'delete roles keeper: the role is deleted\n0 to create, 0 to change, 1 unchanged, 1 to delete\n',
  )
  const names = async () => (await world.ports.roles.list()).map(({ id }) => id)
  expect((await world.cli('apply -f estate.yaml --prune')).code).toBe(2)
  const refused = await world.cli('apply -f estate.yaml --prune', { keys: 'n' })
  expect([refused.code, await names()]).toEqual([1, ['keeper', 'other']])
  const pruned = await world.cli('apply -f estate.yaml --prune', { keys: 'y' })
  expect([pruned.code, await names()]).toEqual([0, ['other']])
  expect(pruned.out).toMatch(/roles +keeper +delete +done/)
})

test('0: a file with another name deletes nothing, not even with --prune and --yes', async () => {
  await using world = await clientWorld()
  await world.login()
  const apply = (name: string, rest: string, flags: string) =>
    world.cli(`apply -f - ${flags}`, { stdin: `version: 1\nname: ${name}\n${rest}` })
  expect((await apply('home', keeper, '--yes')).code).toBe(0)
  expect((await apply('other', '', '--prune --yes')).code).toBe(0)
  expect(await world.ports.roles.list()).toHaveLength(1)
  expect((await apply('home', '', '--prune --yes')).code).toBe(0)
  expect(await world.ports.roles.list()).toEqual([])
})

test('0: shows the plan before it asks, also with an output for programs', async () => {
  await using world = await clientWorld()
  await world.login()
  const text = 'version: 1\nname: home\nroles:\n  - name: keeper\n    permissions: []\n'
  await writeFile(join(world.home, 'estate.yaml'), text)
  const made = await world.cli('apply -f estate.yaml --output json', { keys: 'y' })
  expect([made.code, JSON.parse(made.out).steps.length]).toEqual([0, 1])
  expect(made.err).toMatch(/roles +keeper +create[\s\S]*Apply it\?/)
})

test('1: variables of the client itself are never sent', async () => {
  await using world = await clientWorld()
  await world.login()
  const env = { CLI_SOMETHING: 'of the client' }
  const text =
    'version: 1\nname: home\nstacks:\n  - name: shop\n    compose: "services: {}"\n    env: {from: CLI_SOMETHING}\n'
  const words = 'apply -f - --secrets-from-env --yes'
  const refused = await world.cli(words, { env, stdin: text })
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('the secret CLI_SOMETHING is missing'),
  ])
  expect(await world.ports.stacks.list()).toEqual([])
})

test('the names of secrets are those of the file, whatever a service asks for', () => {
  const estate = {
    version: 1,
    name: 'home',
    sources: [{ name: 'a', url: 'https://forge.example.org/a.git', password: { from: 'A' } }],
    stacks: [
      {
        name: 'shop',
        env: { from: 'B' },
        overlays: { from: 'services: {}' },
        files: { 'pin.txt': { content: { from: 'C' } } },
      },
    ],
    backup_jobs: [
      { name: 'n', target: { kind: 's3', bucket: 'b', secret_access_key: { from: 'D' } } },
    ],
  } as unknown as Estate
  const uses = secretUses(estate)
  expect(uses.map((use) => Object.values(use).join(' '))).toEqual([
    'sources a password A https://forge.example.org/a.git',
    'stacks shop env B',
    'stacks shop files.pin.txt.content C',
    'backup_jobs n target.secret_access_key D the bucket b of Amazon S3',
  ])
  const step = { section: 'stacks', name: 'shop', action: 'create', secrets: ['B', 'HOME'] }
  const plan = { name: 'home', steps: [step] } as unknown as EstatePlan
  expect(missingSecrets(plan, uses, new Map())).toEqual(['B', 'C'])
  expect(changedUses(plan, uses).map(({ secret }) => secret)).toEqual(['B', 'C'])
})

test('1: a step that would be refused says why', async () => {
  await using world = await furnished()
  const text = 'version: 1\nname: home\nroles:\n  - name: admin\n    permissions: []\n'
  const refused = await world.cli('apply -f - --dry-run', { stdin: text })
  expect([refused.code, refused.out]).toEqual([1, expect.stringMatching(/roles +admin +refused/)])
  expect(refused.err).toContain('roles admin: the role admin is built in')
})

test.each([
  ['', 'is empty'],
  ['a: [', 'standard input: '],
  ['a: 1\n---\nb: 1\n', 'must be one YAML document'],
  ['- a\n', 'must have fields'],
  ['a: *b\n', 'standard input: '],
  ['version: 1\nname: home\nstack: []\n', 'unknown field "stack"'],
])('1: a file that is none: %j', async (stdin, problem) => {
  await using world = await clientWorld()
  await world.login()
  const { code, err } = await world.cli('apply -f - --dry-run', { stdin })
  expect([code, err]).toEqual([1, expect.stringContaining(problem)])
})

test('1 and 2: files that are not there, and flags that are missing', async () => {
  await using world = await clientWorld()
  await world.login()
  expect((await world.cli('apply --dry-run')).code).toBe(2)
  expect((await world.cli('apply -f estate.yaml')).err).toContain('--yes')
  const { code, err } = await world.cli('apply -f none.yaml --dry-run')
  expect([code, err]).toEqual([1, expect.stringContaining('"none.yaml" cannot be read')])
  expect((await world.cli('export -o none/estate.yaml')).code).toBe(1)
})
