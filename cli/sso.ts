import { createHash, randomBytes } from 'node:crypto'
import { accept } from './answer.ts'
import { failed, wrongUsage } from './failure.ts'
import { send, type Target } from './http.ts'
import type { Io } from './io.ts'
import { openLoopback } from './loopback.ts'
import { openBrowser } from './open-browser.ts'
import type { Printer } from './print.ts'
import type { SignInProvider } from './records.ts'
import { type Credential, credentialOf } from './sign-in.ts'
import { clean } from './text.ts'

/** How long the user has to sign in. The service has the same limit. Milliseconds. */
const patience = 10 * 60_000

/**
 * Starts a session with an identity provider, chosen by name or id, or the only one. The user signs
 * in in a browser.
 */
export async function signInWithProvider(
  target: Target,
  wanted: string | undefined,
  { io, print }: { io: Io; print: Printer },
): Promise<Credential> {
  const provider = await choose(target, wanted)
  const text = () => randomBytes(32).toString('base64url')
  const verifier = text()
  const loopback = await openLoopback(text(), patience)
  const release = io.onInterrupt?.(loopback.interrupt)
  try {
    const query = new URLSearchParams({
      redirect_uri: loopback.redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      errors: 'redirect',
    })
    const id = encodeURIComponent(provider.id)
    const address = `${target.server}/api/v1/auth/oidc/${id}/login?${query}`
    print.note(
      `sign in with ${clean(provider.name)} in a browser on this machine:\n\n  ${address}\n`,
    )
    openBrowser(address, io)
    const code = await loopback.code
    const body = { code, code_verifier: verifier, remember_me: true }
    const request = { method: 'POST', path: '/auth/oidc/exchange', body } as const
    return credentialOf(await send(target, request), target)
  } finally {
    release?.()
    loopback.close()
  }
}

async function choose(target: Target, wanted: string | undefined): Promise<SignInProvider> {
  const answer = await send(target, { method: 'GET', path: '/auth/oidc/providers' })
  const all = accept(answer, target) as SignInProvider[]
  if (all.length === 0) throw failed(`${target.server} has no identity provider`)
  const list = all.map(({ id }) => clean(id)).join(', ')
  if (wanted === undefined) {
    if (all.length > 1) throw wrongUsage(`which identity provider? available: ${list}`)
    return all[0]!
  }
  const found = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => name === wanted)
  if (!found) throw wrongUsage(`there is no identity provider ${wanted}; available: ${list}`)
  return found
}
