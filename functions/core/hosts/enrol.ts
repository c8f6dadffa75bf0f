import { createHash } from 'node:crypto'
import type { Stored } from '../collection.ts'
import { conflict, invalid, unauthenticated } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { fingerprintOf, makeEnrolmentToken } from './enrolment-token.ts'
import type { Host } from './ports.ts'
import { getHost } from './target.ts'

/** How long an enrolment token is good. Milliseconds. */
export const enrolmentLife = 30 * 60 * 1000

const triesMax = 8
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Makes a one-time token with which the agent of that host can be enrolled. Times in milliseconds since the epoch. */
export async function offerEnrolment(
  hostId: string,
  ports: Needs<'enrolments' | 'authority' | 'random' | 'clock'>,
): Promise<{ token: string; expiresAt: number }> {
  const token = makeEnrolmentToken(ports.random.bytes(32), await ports.authority.fingerprint())
  const expiresAt = ports.clock.now() + enrolmentLife
  await ports.enrolments.create(hashOf(token), { hostId, expiresAt })
  return { token, expiresAt }
}

/**
 * Certifies the key of an agent that presents a token. The certificates of the same host from before are good no longer.
 * Throws a `Failure`: 400 for a request that is none, 401 for a token that is unknown, used or over, 409 for a host that was
 * revoked meanwhile. A bad request does not use the token up.
 */
export async function enrolAgent(
  token: string,
  request: string,
  ports: Needs<'enrolments' | 'authority' | 'hosts'>,
): Promise<{ host: Host; certificate: string }> {
  if (!fingerprintOf(token)) throw unauthenticated('the enrolment token is not good')
  // Tried before the token is used: the name in the certificate is set below.
  await ports.authority.sign(request, 'trial')
  const enrolment = await ports.enrolments.take(hashOf(token))
  if (!enrolment) throw unauthenticated('the enrolment token is not good: unknown, used or over')
  const { hostId } = enrolment
  const { certificate, serial, expiresAt } = await ports.authority.sign(request, hostId)
  const host = await changeHost(hostId, ports, (before) => {
    if (before.agent?.state === 'revoked') throw conflict(`host ${before.name} was revoked`)
    return {
      ...before,
      agent: { state: 'enrolled', serial, nextSerial: null, certificateExpiresAt: expiresAt },
    }
  })
  return { host, certificate }
}

/**
 * Changes a host as it is now, again when somebody was faster. Gives it as it was written. Throws a `Failure` 404 when it
 * is gone, 409 when its new name is taken or others never stop.
 */
export async function changeHost(
  id: string,
  { hosts }: Needs<'hosts'>,
  change: (host: Stored<Host>) => Stored<Host>,
): Promise<Host> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const next = change(await getHost(id, { hosts }))
    if (await hosts.replace(next)) return next
    const name = next.name.toLowerCase()
    const holder = (await hosts.list()).find((host) => host.name.toLowerCase() === name)
    if (holder && holder.id !== id) throw hostNameTaken(next.name)
  }
  throw conflict('the host is being changed by others: try again')
}

/** 409: another host has the name. */
export const hostNameTaken = (name: string) => conflict(`the host name ${name} is taken`)

/** Throws a `Failure` 400 for the local host, which has no agent. */
export function requireAgent(host: Host): asserts host is Host & { agent: object } {
  if (!host.agent) throw invalid(`host ${host.id}: the local host has no agent`)
}
