import { createHash, randomBytes } from 'node:crypto'
import type { Target } from '../api/http.ts'
import { accept } from '../api/read-response.ts'
import { request, urlOf } from '../api/request.ts'
import type { SignInProvider } from '../api/types.ts'
import { failed, wrongUsage } from '../failure.ts'
import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { clean } from '../output/text.ts'
import { openLoopback } from './loopback.ts'
import { openBrowser } from './open-browser.ts'
import { type Credential, credentialOf } from './sign-in.ts'

/** How long the user has to sign in. The service has the same limit. Milliseconds. */
const timeout = 10 * 60_000

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
  const loopback = await openLoopback(text(), timeout)
  const release = io.onInterrupt?.(loopback.interrupt)
  try {
    const address = urlOf(target, '/auth/oidc/{id}/login', {
      path: { id: provider.id },
      query: {
        redirect_uri: loopback.redirectUri,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        errors: 'redirect',
      },
    })
    print.note(
      `sign in with ${clean(provider.name)} in a browser on this machine:\n\n  ${address}\n`,
    )
    openBrowser(address, io)
    const code = await loopback.code
    const body = { code, code_verifier: verifier, remember_me: true }
    return credentialOf(await request(target, 'POST', '/auth/oidc/exchange', { body }), target)
  } finally {
    release?.()
    loopback.close()
  }
}

async function choose(target: Target, wanted: string | undefined): Promise<SignInProvider> {
  const all = accept(await request(target, 'GET', '/auth/oidc/providers', {}), target)
  const [first] = all
  if (first === undefined) throw failed(`${target.server} has no identity provider`)
  const list = all.map(({ id }) => clean(id)).join(', ')
  if (wanted === undefined) {
    if (all.length > 1) throw wrongUsage(`which identity provider? available: ${list}`)
    return first
  }
  const found = all.find(({ id }) => id === wanted) ?? all.find(({ name }) => name === wanted)
  if (!found) throw wrongUsage(`there is no identity provider ${wanted}; available: ${list}`)
  return found
}
