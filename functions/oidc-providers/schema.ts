import { z } from 'zod'
import { RoleName } from '../core/access/role.ts'
import type { Site } from '../core/ports/site.ts'
import type { IdentityProvider } from '../core/records/identity-provider.ts'
import { acceptResponse } from '../kit/read-only.ts'
import { issuerProblem } from './issuer.ts'

/** The maximum number of providers that a list returns. */
export const providersMax = 200

const text = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}]*$/u, 'must not contain control characters')

const IssuerUrl = z
  .url()
  .max(512)
  .check((context) => {
    const problem = issuerProblem(context.value)
    if (problem) context.issues.push({ code: 'custom', input: context.value, message: problem })
  })
  .meta({ examples: ['https://login.example.org/realms/main'] })
  .describe('HTTPS, or plain HTTP to the service’s own machine')

const scopes = z
  .array(
    z
      .string()
      .regex(
        /^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/,
        'must be a scope: 1 to 100 visible ASCII characters without spaces, " and \\',
      ),
  )
  .overwrite((given) => [...new Set(['openid', ...given])])
  .max(21)

const fields = {
  name: text(64).describe('Name to show on the button of the provider'),
  issuer_url: IssuerUrl,
  client_id: text(256).describe('Id of the service at the provider'),
  client_secret: z
    .string()
    .min(1)
    .max(1024)
    .describe('Secret of the service at the provider; never returned'),
  scopes: scopes.describe('The requested scopes; `openid` is always requested'),
  role_claim: text(128)
    .nullable()
    .describe(
      'The claim that `role_map` is matched against: a string, a list of strings, or an object, of which the keys count; a dot selects a field of an object',
    ),
  role_map: z
    .record(z.string().max(256), RoleName)
    .refine((map) => Object.keys(map).length <= 100, 'must have at most 100 values')
    .describe(
      'Maps values of the claim to roles. If not empty, the provider determines the role at each sign-in',
    ),
  default_role: RoleName.nullable().describe(
    'The role of users to whom `role_map` gives none; null rejects them',
  ),
}

export const OidcProviderBody = z
  .strictObject({
    ...fields,
    scopes: fields.scopes.default(['openid', 'profile', 'email']),
    role_claim: fields.role_claim.default(null),
    role_map: fields.role_map.default({}),
    default_role: fields.default_role.default(null),
  })
  .meta({ id: 'OidcProviderBody' })

export const OidcProvider = z
  .object({
    id: z.string().describe('Id of the provider, which is part of its callback address'),
    name: z.string().describe('Name that is shown on the button of the provider'),
    issuer_url: z.string().describe('URL of the provider'),
    client_id: z.string().describe('Id of the service at the provider'),
    scopes: z.array(z.string()).max(21).describe('Scopes that are requested'),
    role_claim: z
      .string()
      .nullable()
      .describe('Claim that `role_map` is matched against; `null` for none'),
    role_map: z.record(z.string(), z.string()).describe('Roles by values of the claim'),
    default_role: z
      .string()
      .nullable()
      .describe('Role of users to whom `role_map` gives none; `null` rejects them'),
    callback_url: z
      .string()
      .nullable()
      .describe('The redirect address to register at the provider; null without SERVICE_BASE_URL'),
  })
  .meta({ id: 'OidcProvider' })

export const OidcProviderChange = acceptResponse(
  z.strictObject(fields).partial(),
  OidcProvider,
).meta({ id: 'OidcProviderChange' })

/** Returns a provider in the API's form, without its secret. */
export function showProvider(provider: IdentityProvider, { baseUrl }: Site) {
  return {
    id: provider.id,
    name: provider.name,
    issuer_url: provider.issuerUrl,
    client_id: provider.clientId,
    scopes: provider.scopes,
    role_claim: provider.roleClaim,
    role_map: provider.roleMap,
    default_role: provider.defaultRole,
    callback_url: baseUrl && `${baseUrl}/api/v1/auth/oidc/${provider.id}/callback`,
  }
}

export const ProviderPath = z.object({
  id: z.string().max(64).describe('Id of the identity provider'),
})

export const providerExample = {
  id: 'keycloak',
  name: 'Keycloak',
  issuer_url: 'https://login.example.org/realms/main',
  client_id: 'container-stacks',
  scopes: ['openid', 'profile', 'email'],
  role_claim: 'groups',
  role_map: { 'stack-admins': 'admin', developers: 'operator' },
  default_role: 'viewer',
  callback_url: 'https://stacks.example.org/api/v1/auth/oidc/keycloak/callback',
}
