import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostChecks } from './host-checks.ts'
import { type Mutation, one } from './mutation.ts'

const access = ['functions/core/access', 'functions/kit']
const unit = (file: string) => [file.replace(/\/[^/]+$/, '')]

/** The checks that stand in one place for all, each written down: a text that is no longer there fails the run. */
export const written: Mutation[] = [
  one(
    'no credential is asked for',
    'functions/kit/pipeline.ts',
    "if (facts.access !== 'public') {",
    'if (false) {',
    ['functions/me'],
  ),
  one(
    'the permission is not looked at',
    'functions/kit/pipeline.ts',
    'if (!allows(caller, access)) {',
    'if (false) {',
    ['functions/users'],
  ),
  one(
    'ports without scope',
    'functions/kit/pipeline.ts',
    'const scoped = caller ? scopePorts(ports, caller) : ports',
    'const scoped = ports',
    ['functions/hosts'],
  ),
  one(
    'a feed without its permission',
    'functions/kit/feed-opener.ts',
    'if (!allows(caller, facts.access)) {',
    'if (false) {',
    ['local/matrix'],
    'a feed',
  ),
  one(
    'a feed without scope',
    'functions/kit/feed-opener.ts',
    'notingHosts(scopePorts(ports, caller), hosts)',
    'notingHosts(ports, hosts)',
    ['local/matrix'],
    'a feed',
  ),
  one(
    'a caller that was not found',
    'functions/kit/authenticate.ts',
    "if (!caller) throw unauthenticated('the credential",
    "if (false) throw unauthenticated('the credential",
    access,
  ),
  one(
    'an expired access token',
    'functions/kit/authenticate.ts',
    'if (!claims || claims.expiresAt <= ports.clock.now()) return undefined',
    'if (!claims) return undefined',
    access,
  ),
  one(
    'an access token of another account',
    'functions/kit/authenticate.ts',
    'return caller?.account.id === claims.accountId ? caller : undefined',
    'return caller',
    access,
  ),
  one(
    'the checksum of an API token',
    'functions/core/access/api-token.ts',
    'form.test(token) && checksum(token.slice(4, 40)) === token.slice(40)',
    'form.test(token)',
    access,
  ),
  once(
    'a session of a disabled account',
    'functions/core/access/caller.ts',
    'bySession(credential.sessionId)\n  if (!found || !usable(found.account))',
    'bySession(credential.sessionId)\n  if (!found)',
  ),
  once(
    'an API token of a disabled account',
    'functions/core/access/caller.ts',
    'byApiToken(hash)\n  if (!found || !usable(found.account))',
    'byApiToken(hash)\n  if (!found)',
  ),
  once(
    'a session that is over',
    'functions/core/access/caller.ts',
    'if (over <= ports.clock.now()) return undefined',
    '',
  ),
  once(
    'an expired API token',
    'functions/core/access/caller.ts',
    'if (expiresAt !== null && expiresAt <= ports.clock.now()) return undefined',
    '',
  ),
  one(
    'the tags of an API token',
    'functions/core/access/caller.ts',
    'const scopeTags = narrowed(account.scopeTags, apiToken.scopeTags)',
    'const scopeTags = account.scopeTags',
    ['functions/api-tokens', 'functions/me'],
  ),
  one(
    'an API token that reaches past its account',
    'functions/core/access/caller.ts',
    'both.length > 0 ? both : nowhere',
    'both',
    ['functions/api-tokens', ...access],
  ),
  one(
    'an API token with tags its account lost',
    'functions/core/access/caller.ts',
    'token.filter((tag) => account.includes(tag))',
    'token',
    ['functions/api-tokens', ...access],
  ),
  one(
    'sessions from before a password change',
    'functions/core/access/session.ts',
    'if (session.createdAt < account.sessionsValidFrom && !kept) return 0',
    '',
    access,
  ),
  one(
    'the absolute end of a session',
    'functions/core/access/session.ts',
    'Math.min(session.expiresAt, now)',
    'Infinity',
    ['functions/auth', ...access],
  ),
  one(
    'the idle end of a session',
    'functions/core/access/session.ts',
    'return Math.min(end, idle)',
    'return end',
    ['functions/auth', ...access],
  ),
  once(
    'rights that are looked up again: the permission',
    'functions/core/access/recheck.ts',
    '|| !allows(now, access)',
    '',
  ),
  once(
    'rights that are looked up again: the host',
    'functions/core/access/recheck.ts',
    'host && inScope(now.scopeTags, host) ? now : undefined',
    'now',
  ),
  once(
    'a permission',
    'functions/core/access/grant.ts',
    "access === 'signed-in' || permissions.has(access)",
    'true',
    ['functions/users'],
  ),
  one(
    'rights beyond the own',
    'functions/core/access/grant.ts',
    'if (!caller.permissions.has(permission)) {',
    'if (false) {',
    access,
  ),
  one(
    'an account that reaches further',
    'functions/core/access/grant.ts',
    'if (!tagsWithin(caller, rights.scopeTags)) {',
    'if (false) {',
    ['functions/users'],
  ),
  one(
    'tags beyond the own',
    'functions/core/access/grant.ts',
    'if (!tagsWithin(caller, scopeTags))',
    'if (false)',
    access,
  ),
  once(
    'an API token where a session is needed',
    'functions/core/access/grant.ts',
    "if (caller.credential.kind !== 'session') {",
    'if (false) {',
  ),
  one(
    'what acts on every host',
    'functions/core/access/grant.ts',
    'if (caller.scopeTags.length > 0) {',
    'if (false) {',
    ['functions/settings'],
  ),
  once(
    'no tag is a tag of none',
    'functions/core/access/grant.ts',
    'return scopeTags.length > 0 && scopeTags.every',
    'return scopeTags.every',
  ),
  once(
    'hosts out of scope: one',
    'functions/core/access/scope.ts',
    'if (host && !inScope(caller.scopeTags, host)) {',
    'if (false) {',
  ),
  once(
    'hosts out of scope: all',
    'functions/core/access/scope.ts',
    'list: async () => (await hosts.list()).filter((host) => inScope(caller.scopeTags, host))',
    'list: () => hosts.list()',
  ),
  one(
    'stacks out of scope: one',
    'functions/core/access/scope.ts',
    'if (stack && !(await reaches(stack.hostId))) {',
    'if (false) {',
    ['local/matrix'],
    'GET /stacks',
  ),
  one(
    'stacks out of scope: all',
    'functions/core/access/scope.ts',
    '.filter((stack) => visible.has(stack.hostId))',
    '',
    ['local/matrix'],
    'GET /stacks',
  ),
  once(
    'Engines out of scope',
    'functions/core/access/scope.ts',
    'if (!(await reaches(hostId))) throw forbidden(',
    'if (false) throw forbidden(',
  ),
  once(
    'a tag in common',
    'functions/core/access/scope.ts',
    'host.tags.some((tag) => scopeTags.includes(tag))',
    'true',
  ),
  one(
    'a built-in role',
    'functions/core/access/role.ts',
    'if (isBuiltin(name)) throw conflict',
    'if (false) throw conflict',
    ['functions/roles'],
  ),
  once(
    'the permissions of a role that does not exist',
    'functions/core/access/role.ts',
    'custom ? known(custom.permissions) : []',
    'custom ? known(custom.permissions) : permissions',
  ),
  one(
    'the last admin',
    'functions/core/access/admins.ts',
    'if (!others.some(isActiveAdmin)) throw conflict',
    'if (false) throw conflict',
    ['functions/users'],
  ),
  one('a disabled admin counts', 'functions/core/access/admins.ts', '&& !account.disabled', '', [
    'functions/users',
  ]),
  one(
    'a limited admin counts',
    'functions/core/access/admins.ts',
    ' && account.scopeTags.length === 0',
    '',
    ['functions/users'],
  ),
  one(
    'one change of the admins at a time',
    'functions/core/access/admins.ts',
    "const lease = await ports.leases.take('admins', holder, rightTime)",
    'const lease = await ports.leases.take(holder, holder, rightTime)',
    access,
  ),
  one(
    'a process that was held up',
    'functions/core/access/admins.ts',
    'if (ports.clock.now() > lease.expiresAt - writeTime) throw tooLate()',
    '',
    access,
  ),
  one(
    'a login to a disabled account',
    'functions/auth/login.ts',
    '|| account.disabled) return undefined',
    ') return undefined',
    ['functions/auth'],
  ),
  one(
    'the lockout',
    'functions/core/access/lockout.ts',
    "if (until !== null) return { kind: 'locked', until }",
    '',
    ['functions/auth'],
  ),
  one(
    'reservations of attempts',
    'functions/core/access/lockout.ts',
    'if (failed + current.pending.length >= limits.failuresMax)',
    'if (false)',
    access,
  ),
  one(
    'the second factor',
    'functions/auth/login.ts',
    'if (!account.mfaEnabled) return',
    'if (true) return',
    ['functions/auth'],
  ),
  one(
    'a refresh token that never was good',
    'functions/core/access/sign-in.ts',
    'if (session?.familyHash !== presented.familyHash) return undefined',
    'if (!session) return undefined',
    ['functions/auth'],
  ),
  one(
    'a logout with a token that never was good',
    'functions/auth/logout.ts',
    'if (!session || session.familyHash !== presented.familyHash) {',
    'if (!session) {',
    ['functions/auth'],
  ),
  one(
    'a refresh of a disabled account',
    'functions/core/access/sign-in.ts',
    '!account || account.disabled ||',
    '!account ||',
    ['functions/auth'],
  ),
  one(
    'a login during a password change',
    'functions/core/access/sign-in.ts',
    'if (!(await stillHolds(account, signIn.at, ports))) {',
    'if (false) {',
    ['functions/auth'],
  ),
  one(
    'the own password',
    'functions/users/update.ts',
    'if (body.password !== undefined && account.id === caller.account.id) {',
    'if (false) {',
    ['functions/users'],
  ),
  one(
    'the own second factor',
    'functions/users/mfa/remove.ts',
    'if (path.id === caller.account.id) {',
    'if (false) {',
    ['functions/users'],
  ),
  one(
    'a session of somebody else',
    'functions/me/sessions/remove.ts',
    'if (session?.accountId !== caller.account.id) throw',
    'if (!session) throw',
    ['functions/me'],
  ),
  one(
    'an API token of somebody else',
    'functions/api-tokens/remove.ts',
    'if (!token || !isSeenBy(caller, token)) throw',
    'if (!token) throw',
    ['functions/api-tokens'],
  ),
  one(
    'API tokens of everybody',
    'functions/api-tokens/list.ts',
    "const all = caller.permissions.has('users:manage')",
    'const all = true',
    ['functions/api-tokens'],
  ),
  one(
    'an adoption of somebody else',
    'functions/core/adopt/locate.ts',
    'adoption.accountId !== caller.account.id',
    'false',
    ['functions/stacks/adopt'],
  ),
  one(
    'the set-up secret',
    'functions/setup/create.ts',
    'if (!(await ports.setup.matches(body.secret))) throw',
    'if (false) throw',
    ['functions/setup'],
  ),
  one(
    'a second set-up',
    'functions/setup/create.ts',
    'if (!(await ports.setup.open()) || (await ports.accounts.any())) throw',
    'if (false) throw',
    ['functions/setup'],
  ),
  one(
    'secrets of a stack',
    'functions/stacks/get.ts',
    "caller.permissions.has('stacks:secrets') ? texts.env : null",
    'texts.env',
    ['functions/stacks'],
  ),
  one(
    'secrets of a container',
    'functions/containers/get.ts',
    "const mayReadSecrets = caller.permissions.has('containers:secrets')",
    'const mayReadSecrets = true',
    ['functions/containers'],
  ),
  one(
    'what a stack may reach',
    'functions/core/stacks/reach.ts',
    "permissions.has('stacks:privileged') ? 'host' : 'stack'",
    "permissions.size > 0 ? 'host' : 'stack'",
    ['functions/stacks'],
  ),
  one(
    'a setting that is pinned',
    'functions/settings/update.ts',
    'if (pinned.length > 0) {',
    'if (false) {',
    ['functions/settings'],
  ),
  one('the algorithm of a JWT', 'adapters/node/access-tokens.ts', "algorithms: ['EdDSA'],", '', [
    'adapters/node/access-tokens',
  ]),
  one(
    'the type of a JWT',
    'adapters/node/access-tokens.ts',
    'typ: type,\n        issuer',
    'issuer',
    ['adapters/node/access-tokens'],
  ),
  one('the issuer of a JWT', 'adapters/node/access-tokens.ts', '        issuer,\n', '', [
    'adapters/node/access-tokens',
  ]),
  one('the audience of a JWT', 'adapters/node/access-tokens.ts', '        audience,\n', '', [
    'adapters/node/access-tokens',
  ]),
  one(
    'a JWT with another spelling',
    'adapters/node/access-tokens.ts',
    'if (!isCanonical(token)) return undefined',
    '',
    ['adapters/node/access-tokens'],
  ),
  one(
    'a JWT that is remembered too long',
    'adapters/node/access-tokens.ts',
    '|| found.claims.expiresAt <= clock.now() ||',
    '||',
    ['adapters/node/access-tokens'],
  ),
  one(
    'a JWT whose key is gone',
    'adapters/node/access-tokens.ts',
    ' || !(await keys.find(found.keyId))',
    '',
    ['adapters/node/access-tokens'],
  ),
  ...hostChecks,
]

function once(name: string, file: string, text: string, without: string, tests = access): Mutation {
  return { name, file, text, without, tests }
}

const guard =
  /^ *(?:if \(.*\) )?(?:await )?(?:refuse|requireWithin|requirePermissions|requireEveryHost|requireTagsWithin|requireRole|requireJob|refuseLastAdmin|requireSession|stillOurs)(?:\?\.)?\(.*\)$/gm

/** Each call of a guard in an endpoint, found by its name. */
export function calls(root: string): Mutation[] {
  return sources(root).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const found = [...text.matchAll(guard)].map(([line]) => line)
    const removed = found.map((line) => ({
      name: line.trim(),
      file,
      // With the lines' ends: a longer line may hold the same.
      text: `\n${line}\n`,
      without: '\n\n',
      tests: unit(file),
    }))
    const replaced = [...text.matchAll(/const \w+ = requireSession\(caller\)/g)].map(([line]) => ({
      name: line,
      file,
      text: line,
      without: line.replace('requireSession(caller)', '(caller.credential as any).sessionId'),
      tests: unit(file),
    }))
    return [...removed, ...replaced]
  })
}

/** What each endpoint declares, one step weaker: for its permission a good credential, for that nothing. */
export function declared(root: string): (Mutation & { route: string })[] {
  const manifest = readFileSync(join(root, 'serverless.ts'), 'utf8')
  const lines = manifest.matchAll(/'([^']+)': \(\) => import\('\.\/(functions\/[^']+)'\)/g)
  return [...lines].flatMap(([, route = '', file = '']) => {
    const text = readFileSync(join(root, file), 'utf8')
    const [line, access] = /^ {2}access: '([a-z:-]+)',$/m.exec(text) ?? []
    if (!line || access === 'public') return []
    const without = `  access: '${access === 'signed-in' ? 'public' : 'signed-in'}',`
    const name = `access: ${access}`
    const shown = route.replace(/ +/g, ' ')
    return [{ name, file, text: line, without, tests: ['local/matrix/declared'], route: shown }]
  })
}

function sources(root: string): string[] {
  return readdirSync(join(root, 'functions'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => `functions/${file}`)
    .filter((file) => !file.startsWith('functions/core/') && !file.startsWith('functions/kit/'))
    .sort()
}
