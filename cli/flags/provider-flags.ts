import type { OidcProviderChange } from '../api/types.ts'
import { wrongUsage } from '../failure.ts'

/** Flags that set what an identity provider does. Its secret is asked for. */
export const providerFlags = {
  '--issuer-url <url>': 'The URL of the provider',
  '--client-id <id>': 'The id of the service at the provider',
  '--scope <...scope>': 'A scope to request besides openid; repeatable',
  '--role-claim <claim>': 'The claim that --map is about; "" for none',
  '--map <...value=role>': 'The role for a value of the claim; repeatable',
  '--default-role <role>': 'The role of users without one; "" rejects them',
} as const

/** What those flags set, where the API calls it otherwise. */
export const providerFields = { scopes: '--scope', role_map: '--map' } as const

interface Values {
  issuerUrl: string | undefined
  clientId: string | undefined
  scope: string[]
  roleClaim: string | undefined
  map: string[]
  defaultRole: string | undefined
}

/** Returns the fields of a provider that the flags set. */
export function readProviderFlags(flags: Values): OidcProviderChange {
  const { issuerUrl, clientId, scope, roleClaim, map, defaultRole } = flags
  return {
    ...(issuerUrl !== undefined && { issuer_url: issuerUrl }),
    ...(clientId !== undefined && { client_id: clientId }),
    ...(scope.length > 0 && { scopes: scope }),
    ...(roleClaim !== undefined && { role_claim: roleClaim || null }),
    ...(map.length > 0 && { role_map: Object.fromEntries(map.map(pairOf)) }),
    ...(defaultRole !== undefined && { default_role: defaultRole || null }),
  }
}

/** The value of a claim may contain `=`, a role cannot. */
function pairOf(text: string): [string, string] {
  const at = text.lastIndexOf('=')
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)]
  throw wrongUsage(
    `--map ${JSON.stringify(text)}: must be a value and a role, such as devs=operator`,
  )
}
