import { permissions } from '../../../functions/core/records/permissions.ts'
import { admin, data, having, type Judgement, later, nothing, outage, root } from './judgement.ts'

const attempts = 'functions/core/access/attempt.ts'
const grant = 'functions/core/access/grant.ts'
const grants = 'functions/oidc-providers/grants.ts'
const session = 'functions/core/access/session.ts'

const ofIssuer = nothing('reaches only accounts with no more rights than the caller', grants)
const opens = nothing('is the same for everyone and names nothing of the installation')
const ownAccount = nothing('changes the account of the caller alone', grant)
const showsProviders = nothing('shows providers without their secrets')
const showsTokens = nothing(
  'shows names and owners of tokens, not the tokens',
  'functions/api-tokens/schema.ts',
)
const signsIn = nothing('needs credentials, and gives the rights of their account', attempts)

/** Routes that need no permission, and those about accounts, roles and settings. */
export const access: Readonly<Record<string, Judgement>> = {
  'GET /health': opens,
  'GET /version': opens,
  'GET /openapi.json': opens,
  'GET /openapi.yaml': opens,
  'GET /docs': opens,
  'GET /docs/{file}': opens,
  'GET /agents/install.sh': opens,
  'GET /agents/agent.mjs': opens,
  'GET /setup': opens,
  'POST /setup': nothing('is closed once an account exists', 'functions/setup/create.ts'),
  'POST /agents/enroll': nothing(
    'needs the one-time token of the host',
    'functions/core/hosts/enrol.ts',
  ),

  'POST /hooks/{id}': nothing(
    'needs the secret of the hook, and deploys with the rights of the account that made it',
    'functions/core/hooks/receive-request.ts',
  ),

  'POST /auth/login': nothing('locks a name for a while, but ends no session', attempts),
  'POST /auth/refresh': signsIn,
  'POST /auth/logout': signsIn,
  'POST /auth/browser/login': nothing('locks a name for a while, but ends no session', attempts),
  'POST /auth/browser/refresh': signsIn,
  'POST /auth/browser/logout': signsIn,
  'POST /auth/browser/passkey': nothing('locks a name for a while, but ends no session', attempts),
  'POST /auth/browser/exchange': signsIn,
  'GET /auth/passkeys': nothing(
    'is the same for everyone and leaves no record',
    'functions/core/access/passkey-challenge.ts',
  ),
  'GET /auth/oidc/providers': nothing('names the providers, as the page to sign in shows them'),
  'GET /auth/oidc/{id}/login': nothing('leaves no record', 'functions/core/sso/one-time.ts'),
  'GET /auth/oidc/{id}/callback': nothing(
    'gives the role that the provider’s claims map to',
    'functions/core/sso/account.ts',
  ),
  'POST /auth/oidc/exchange': signsIn,

  'GET /me': ownAccount,
  'PUT /me/password': ownAccount,
  'POST /me/mfa': ownAccount,
  'POST /me/mfa/verify': ownAccount,
  'POST /me/mfa/disable': ownAccount,
  'GET /me/passkeys': ownAccount,
  'POST /me/passkeys': ownAccount,
  'POST /me/passkeys/options': ownAccount,
  'PUT /me/passkeys/{id}': ownAccount,
  'DELETE /me/passkeys/{id}': ownAccount,
  'GET /me/sessions': ownAccount,
  'GET /me/sessions/{id}': ownAccount,
  'DELETE /me/sessions': ownAccount,
  'DELETE /me/sessions/{id}': ownAccount,
  'POST /ws/ticket': nothing('has the rights of the credential that asks for it', session),
  'GET /api-tokens': showsTokens,
  'GET /api-tokens/{id}': showsTokens,
  'POST /api-tokens': nothing(
    'never has more rights than the account has, or had',
    'functions/core/access/caller.ts',
  ),
  'DELETE /api-tokens/{id}': nothing('ends tokens of accounts with no more rights', grant),

  'GET /users': nothing('lists accounts without their credentials'),
  'GET /users/{id}': nothing('shows an account without its credentials'),
  'POST /users': [
    nothing('gives only rights that the caller has', grant),
    admin('an account whose password the caller set gets more rights', grant, later),
    admin('an account with every right', undefined, having(...permissions)),
  ],
  'PUT /users/{id}': [
    nothing('reaches only accounts with no more rights than the caller', grant),
    admin('an account whose password the caller set gets more rights', grant, later),
  ],
  'DELETE /users/{id}': nothing('reaches only accounts with no more rights than the caller', grant),
  'POST /users/{id}/unlock': nothing(
    'allows further attempts at accounts with no more rights',
    grant,
  ),
  'DELETE /users/{id}/mfa': nothing('reaches only accounts with no more rights', grant),

  'GET /roles': nothing('lists the roles'),
  'GET /roles/{name}': nothing('shows a role'),
  'POST /roles': nothing('has only permissions that the caller has', grant),
  'PUT /roles/{name}': nothing('has and had only permissions that the caller has', grant),
  'DELETE /roles/{name}': nothing('is refused while an account or provider uses it', grant),

  'GET /settings': nothing('has no secrets'),
  'GET /settings/sources': nothing('has no secrets'),
  'GET /service/upgrade': nothing('shows the container of the service, no variables of it'),
  'POST /service/pause': outage(
    'deployments, backups and restores of others do not begin',
    'functions/core/leases/pause.ts',
  ),
  'POST /service/upgrade': root(
    'runs an image of the caller, on the host of the service, with the socket of its Engine',
    'functions/service/upgrade/create.ts',
    having('stacks:privileged'),
  ),
  'POST /service/upgrade/check': nothing('reads labels of an image'),
  'PUT /settings': data(
    'a short `retention.*` deletes deployments and the backups of deleted jobs',
    'functions/settings/update.ts',
  ),
  'GET /oidc-providers': showsProviders,
  'GET /oidc-providers/{id}': showsProviders,
  'POST /oidc-providers': nothing('grants only rights that the caller has, on every host', grants),
  'PUT /oidc-providers/{id}': ofIssuer,
  'DELETE /oidc-providers/{id}': ofIssuer,
  'GET /secret-keys': nothing('shows ids of keys'),
  'GET /secret-keys/{id}': nothing('shows the id of a key'),
  'POST /secret-keys': nothing('adds a key; values are encrypted again in the background'),
  'DELETE /secret-keys/{id}': data(
    'backups of the state of the service that were made with the key cannot be read any more',
    'functions/secret-keys/remove.ts',
  ),
}
