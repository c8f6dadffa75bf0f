import { expect, test } from 'vitest'
import { admin, clientWorld, stackOf } from '../../local/harness/client.ts'
import { givenPasskey } from '../../local/harness/passkeys.ts'
import { codeAt } from '../../local/harness/second-factor.ts'

async function loggedIn() {
  const world = await clientWorld()
  await world.login()
  const done = async (words: string | string[], stdin?: string) => {
    const { code, out, err } = await world.cli(words, { stdin })
    expect({ words, code, err: code === 0 ? '' : err }).toEqual({ words, code: 0, err: '' })
    return out
  }
  return { world, done }
}

const compose = `services:
  web:
    image: busybox:latest
    command: [sleep, "60"]
    environment: { MODE: "a\\u001b[2Jb" }
    volumes: [data:/data]
volumes: { data: {} }
`

test('0: gets a container, an image, a volume and a network, also as inspect', async () => {
  const { world, done } = await loggedIn()
  await using _ = world
  await stackOf(world, 'shop', compose)
  const container = await done('containers get shop-web-1')
  expect(container).toMatch(/^image +busybox:latest$/m)
  expect(container).toMatch(/^restart policy +no$/m)
  expect(container).toMatch(/^MODE=a\\u001b\[2Jb$/m)
  expect(container).not.toContain('\u001b')
  expect(await done('container inspect shop-web-1 --jq .name')).toBe('shop-web-1\n')
  for (const name of ['busybox', 'busybox:latest'])
    expect(await done(`images get ${name}`)).toMatch(/^tags +busybox:latest$/m)
  const id = (await done('images list --jq .[0].id')).trim()
  expect(await done(['images', 'inspect', id.slice(0, 19)])).toContain(id)
  expect(await done('volume get shop_data')).toMatch(/^stack +shop$/m)
  expect(await done('network get shop_default --output name')).toBe('shop_default\n')
  for (const words of ['images inspect bsybox', 'volumes inspect shop_dat', 'networks inspect x'])
    expect((await world.cli(words)).code).toBe(1)
  expect((await world.cli('volumes inspect shop_dat')).err).toContain('did you mean shop_data?')
  expect((await world.cli('containers inspect shop-web-1 --host all')).code).toBe(2)
})

test('0: lists and revokes sessions', async () => {
  const { world, done } = await loggedIn()
  await using _ = world
  const first = (await world.config()).token
  await world.login()
  const sessions = JSON.parse(await done('sessions list --output json'))
  expect(sessions).toHaveLength(2)
  const other = sessions.find(({ current }: { current: boolean }) => !current)
  expect((await world.cli(['sessions', 'revoke', other.id])).code).toBe(2)
  expect(await done(['sessions', 'revoke', other.id, '--yes'])).toBe('the session is ended\n')
  const env = { CLI_SERVER: world.server, CLI_TOKEN: first }
  expect((await world.cli('whoami', { env })).code).toBe(3)
  expect((await world.cli('sessions revoke 00000000 --yes')).code).toBe(1)
  const token = (await done('tokens create ci')).trim()
  expect((await world.cli(['sessions', 'list', '--token', token])).code).toBe(4)
})

test('0: ends all other sessions, and API tokens if asked; 2: neither or both are named', async () => {
  const { world, done } = await loggedIn()
  await using _ = world
  const first = (await world.config()).token
  await world.login()
  const token = (await done('tokens create ci')).trim()
  const use = async (one: string) =>
    (await world.cli('whoami', { env: { CLI_SERVER: world.server, CLI_TOKEN: one } })).code
  for (const wrong of ['', ' 00000000 --others', ' 00000000 --end-tokens']) {
    expect((await world.cli(`sessions revoke${wrong} --yes`)).code).toBe(2)
  }
  expect(await done('sessions revoke --others --yes')).toBe('all your other sessions are ended\n')
  expect([await use(first), await use(token)]).toEqual([3, 0])
  await done('sessions revoke --others --end-tokens --yes')
  expect([await use(token), (await world.cli('whoami')).code]).toEqual([3, 0])
})

test('0: changes the password; 1: the current one is wrong', async () => {
  const { world, done } = await loggedIn()
  await using _ = world
  const wrong = await world.cli('password', { stdin: 'wrong password\nanother password\n' })
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('is not your password') })
  await done('password', `${admin.password}\nanother password\n`)
  const login = ['login', world.server, '--user', 'ada']
  expect((await world.cli(login, { stdin: 'another password' })).code).toBe(0)
})

test('0: a new password keeps API tokens, or ends them with --end-tokens', async () => {
  const { world, done } = await loggedIn()
  await using _ = world
  const use = async (token: string) =>
    (await world.cli('whoami', { env: { CLI_SERVER: world.server, CLI_TOKEN: token } })).code
  const token = (await done('tokens create ci')).trim()
  await done('password', `${admin.password}\nanother password\n`)
  expect(await use(token)).toBe(0)
  await done('password --end-tokens', 'another password\na third password\n')
  expect(await use(token)).toBe(3)
})

test('0: a new password keeps passkeys, or deletes them with --end-passkeys', async () => {
  const { world, done } = await loggedIn()
  await using _ = world
  await givenPasskey(world.ports, { username: 'ada' })
  const names = () => done('mfa passkeys --output name')
  await done('password', `${admin.password}\nanother password\n`)
  expect(await names()).toBe('laptop\n')
  await done('password --end-passkeys', 'another password\na third password\n')
  expect(await names()).toBe('')
})

test('0: an admin disables the second factor of another user', async () => {
  const { world, done } = await loggedIn()
  await using _ = world
  await done('users create olga', 'correct horse battery\n')
  const login = ['login', world.server, '--user', 'olga', '--context', 'olga']
  await done(login, 'correct horse battery\n')
  const made = await done('mfa enable --context olga', 'correct horse battery\n')
  const secret = /^secret: (\S+)$/m.exec(made)?.[1] ?? ''
  await done('mfa verify --context olga', `${codeAt(secret, world.ports.clock.now())}\n`)
  expect((await world.cli(login, { stdin: 'correct horse battery\n' })).code).toBe(2)
  expect((await world.cli('users reset-mfa ada --yes --context default')).code).toBe(4)
  await done('users reset-mfa olga --yes --context default')
  await done(login, 'correct horse battery\n')
})

test('0: creates, updates, mutes and deletes an alert rule', async () => {
  const { world, done } = await loggedIn()
  await using _ = world
  await done('alerts channels create ops --kind webhook', 'https://hooks.example.org/x\na secret\n')
  const words = 'alerts rules create busy --metric cpu_percent --threshold 80 --match-stack shop*'
  expect(await done(`${words} --channel ops --for 120`)).toBe('busy is created\n')
  expect(await done('alerts rules busy')).toMatch(/^condition +cpu_percent > 80 for 120 s$/m)
  expect(await done('alerts rules busy')).toMatch(/^channels +ops$/m)
  await done(
    'alert rule update busy --threshold 90 --severity critical --mute-for 8h --no-channels',
  )
  const [rule] = JSON.parse(await done('alerts rules --output json'))
  expect(rule).toMatchObject({
    threshold: 90,
    severity: 'critical',
    channels: [],
    for_seconds: 120,
  })
  expect(Date.parse(rule.muted_until)).toBeGreaterThan(Date.now() + 7.9 * 3_600_000)
  await done('alerts rules update busy --unmute --disable --name idle --match-everything')
  expect(await done('alerts rules idle')).toMatch(/^state +off$/m)
  for (const [wrong, code] of [
    ['alerts rules create x', 2],
    ['alerts rules create x --metric cpu_percent --threshold many', 2],
    ['alerts rules create x --metric nonsense', 1],
    ['alerts rules update idle', 2],
    ['alerts rules update idle --mute-for soon', 2],
    ['alerts rules update idle --channel nope', 1],
    ['alerts rules delete busy --yes', 1],
  ] as const)
    expect([wrong, (await world.cli(wrong)).code]).toEqual([wrong, code])
  expect(await done('alerts rules rm idle --yes')).toBe('idle is deleted\n')
})

test('0: creates, updates and deletes an alert channel, whose secrets are never shown', async () => {
  const { world, done } = await loggedIn()
  await using _ = world
  await done('alerts channels create chat --kind slack', 'https://hooks.example.org/T0/SECRET\n')
  const smtp =
    'alerts channels create mail --kind smtp --mail-server mx.example.org:25 --username me'
  await done(`${smtp} --from a@example.org --to b@example.org`, 'a password\n')
  await done('alerts channels create push --kind ntfy --with-token', 'a-topic\ntk_1\n')
  const listed = await done('alerts channels --output json')
  expect(listed).not.toMatch(/SECRET|a password|a-topic|tk_1/)
  expect(JSON.parse(listed)).toHaveLength(3)
  const added = await world.cli('alerts channels update mail --to b@example.org --to c@example.org')
  expect([added.code, added.err]).toEqual([
    1,
    expect.stringContaining('--secret: is required to change "to"'),
  ])
  await done('alerts channels update mail --to c@example.org --name post --secret', 'a password\n')
  expect(await done(['alerts', 'channels', '--jq', '.[] | select(.name=="post").to[0]'])).toBe(
    'c@example.org\n',
  )
  const moved = await world.cli('alerts channels update post --mail-server other.example')
  expect([moved.code, moved.err]).toEqual([
    1,
    expect.stringContaining('--secret: is required to change "host"'),
  ])
  await done('alerts channels update post --mail-server other.example --secrets', 'another\n')
  expect((await world.cli('alerts channels create x --kind slack --to a@b.example')).err).toContain(
    '--to: only for channels of kind smtp',
  )
  expect((await world.cli('alerts channels create x')).code).toBe(2)
  expect(await done('alerts channels delete post --yes')).toBe('post is deleted\n')
})

test('0: creates and updates channels of services with a form of their own', async () => {
  const { world, done } = await loggedIn()
  await using _ = world
  const add = (name: string, flags: string, secrets: string) =>
    done(`alerts channels create ${name} ${flags}`, secrets)
  const keys = ['a'.repeat(30), 'u'.repeat(30)]
  await add('chat', '--kind telegram --chat @ops --thread 7', '1:AA\n')
  await add('push', '--kind gotify --gotify-server https://gotify.example.org', 'SECRET\n')
  await add('phone', '--kind pushover --device tablet', `${keys.join('\n')}\n`)
  await add('room', '--kind matrix --matrix-server https://m.example.org --room !a:b', 'SECRET\n')
  await add('team', '--kind teams', 'https://example.logic.azure.com/w?sig=SECRET\n')
  const apprise = '--kind apprise --apprise-server https://apprise.example.org'
  await add('keyed', `${apprise} --apprise-tag ops`, 'SECRET\n')
  await add('stateless', `${apprise} --with-urls`, 'tgram://1:SECRET/2\n')
  const listed = await done('alerts channels --output json')
  expect(listed).not.toMatch(/SECRET|1:AA|aaaa|uuuu/)
  const secretsOf = Object.fromEntries(
    JSON.parse(listed).map((one: { name: string; secrets: string[] }) => [one.name, one.secrets]),
  )
  expect(secretsOf).toMatchObject({ keyed: ['key'], stateless: ['urls'], phone: ['token', 'user'] })
  expect(await done('alerts channels get chat')).toMatch(/^chat +@ops$/m)
  const moved = await world.cli('alerts channels update chat --chat @other')
  expect([moved.code, moved.err]).toEqual([
    1,
    expect.stringContaining('--secret: is required to change "chat"'),
  ])
  await done('alerts channels update chat --chat @other --thread none --secret', '1:AA\n')
  await done('alerts channels update keyed --with-urls', 'tgram://1:SECRET/2\n')
  expect(await done('alerts channels get keyed')).toMatch(/^secrets +urls$/m)
  for (const [flags, words] of [
    ['--kind slack --room !a:b', '--room: only for channels of kind matrix'],
    ['--kind telegram --chat @ops --thread x', '--thread: must be a number, or none'],
  ] as const)
    expect(await world.cli(`alerts channels create x ${flags}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining(words),
    })
})

test('1: only a dead delivery can be sent again', async () => {
  const { world } = await loggedIn()
  await using _ = world
  expect((await world.cli('alerts deliveries retry 00000000')).err).toContain('no delivery')
})

test('0: creates, updates and deletes an identity provider', async () => {
  const { world, done } = await loggedIn()
  await using _ = world
  const words =
    'providers create Keycloak --issuer-url https://login.example.org --client-id stacks'
  const made = await done(
    `${words} --map devs=operator --map a=b=viewer --role-claim groups`,
    'x\n',
  )
  expect(made).toBe('Keycloak is created with the id keycloak\n')
  const [provider] = JSON.parse(await done('providers list --output json'))
  expect(provider.role_map).toEqual({ devs: 'operator', 'a=b': 'viewer' })
  await done(['provider', 'update', 'Keycloak', '--default-role', 'viewer', '--role-claim', ''])
  expect(await done('providers list')).toMatch(/^keycloak +Keycloak +\S+ +stacks +viewer/m)
  expect((await world.cli('providers update keycloak')).code).toBe(2)
  expect((await world.cli('providers create X --map nonsense')).code).toBe(2)
  const moved = 'providers update keycloak --issuer-url https://other.example.org'
  expect((await world.cli(moved)).err).toContain('required to change issuer_url')
  await done(`${moved} --secret`, 'another\n')
  expect(await done('providers delete keycloak --yes')).toBe('Keycloak is deleted\n')
})

test('0: gets each kind by name or id, as JSON exactly as the API has it', async () => {
  const { world, done } = await loggedIn()
  await using _ = world
  await stackOf(world, 'shop', compose)
  await done('tokens create ci')
  await done('registries create registry.example.org --username puller', 'secret\n')
  await done('alerts channels create ops --kind slack', 'https://hooks.example.org/T0/B0/z\n')
  await done('alerts rules create away --metric host_down')
  const api = async (path: string) => JSON.parse(await done(['api', path]))
  const idOf = async (list: string) => (await api(list))[0].id
  const [user, token] = [await idOf('/users'), await idOf('/api-tokens')]
  const [channel, rule] = [await idOf('/alert-channels'), await idOf('/alert-rules')]
  const [key, session] = [await idOf('/secret-keys'), await idOf('/me/sessions')]
  const deployment = await idOf('/stacks/shop/deployments')
  const kinds: [words: string, path: string][] = [
    ['hosts get local', '/hosts/local'],
    [`users get ${admin.username}`, `/users/${user}`],
    ['tokens get ci', `/api-tokens/${token}`],
    ['roles get viewer', '/roles/viewer'],
    ['registries get registry.example.org', '/registries/registry.example.org'],
    [`keys get ${key}`, `/secret-keys/${key}`],
    [`sessions get ${session}`, `/me/sessions/${session}`],
    ['alerts channels get ops', `/alert-channels/${channel}`],
    ['alerts channel ops', `/alert-channels/${channel}`],
    ['alerts rules get away', `/alert-rules/${rule}`],
    [`stacks deployments get shop ${deployment}`, `/stacks/shop/deployments/${deployment}`],
    ['images get busybox', '/images/busybox'],
    ['volumes get shop_data', '/volumes/shop_data'],
    ['networks inspect shop_default', '/networks/shop_default'],
  ]
  for (const [words, path] of kinds) {
    expect(JSON.parse(await done(`${words} --output json`)), words).toEqual(await api(path))
    expect(await done(words), words).toMatch(/^\w+ +\S/)
  }
  for (const words of ['users get none', 'tokens get cx', 'roles get none', 'keys get none']) {
    expect((await world.cli(words)).code, words).toBe(1)
  }
  expect((await world.cli('tokens get cx')).err).toContain('did you mean ci?')
})
