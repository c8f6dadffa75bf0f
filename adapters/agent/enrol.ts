import { createHash, X509Certificate } from 'node:crypto'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { hostname } from 'node:os'
import { z } from 'zod'
import { boundedText } from '../../functions/core/bounded-text.ts'
import { fingerprintOf } from '../../functions/core/hosts/enrolment-token.ts'
import { readCredentials, writeCredentials } from './credentials.ts'
import { isClockFinding } from './server-identity.ts'

const Enrolled = z.object({
  host_id: z.string(),
  certificate: z.string(),
  ca: z.string(),
  endpoint: z.string(),
})

const deadline = 30_000
/** Bytes of the service's response: a certificate and an authority, a few kilobytes. */
const responseMax = 256 * 1024

/**
 * Enrols this machine: makes a key, exchanges the one-time token for a certificate, and stores
 * both. The token carries the fingerprint of the authority that the service must prove. Rejects
 * with the service's message if it refuses; nothing is stored then.
 */
export async function enrol(options: {
  server: string
  token: string
  directory: string
  version: string
}): Promise<{ hostId: string; endpoint: string }> {
  const fingerprint = fingerprintOf(options.token)
  if (!fingerprint) throw new Error('this is not an enrolment token')
  const { makeRequest } = await import('./csr.ts')
  const { key, request } = await makeRequest()
  const answer = await post(new URL('/api/v1/agents/enroll', options.server), {
    token: options.token,
    csr: request,
    agent_version: options.version,
    hostname: hostname(),
  })
  const enrolled = Enrolled.parse(answer)
  const authority = new X509Certificate(enrolled.ca)
  if (createHash('sha256').update(authority.raw).digest('hex') !== fingerprint) {
    throw new Error('the server is not the service that issued this token; nothing was saved')
  }
  if (!new X509Certificate(enrolled.certificate).verify(authority.publicKey)) {
    throw new Error('the certificate was not issued by the expected authority; nothing was saved')
  }
  const { host_id: hostId, certificate, ca, endpoint } = enrolled
  const used = digestOf(options.token)
  await writeCredentials(options.directory, { hostId, endpoint, ca, certificate, key, token: used })
  return { hostId, endpoint }
}

const digestOf = (token: string) => createHash('sha256').update(token).digest('hex')

/**
 * Returns whether an agent with this directory has yet to enrol with a token. A container keeps its
 * environment, so the token is there at each start.
 */
export const isUnused = async (token: string, directory: string): Promise<boolean> =>
  (await readCredentials(directory))?.token !== digestOf(token)

function post(url: URL, body: object): Promise<unknown> {
  const request = url.protocol === 'https:' ? requestSecure : requestPlain
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body)
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }
    const call = request(url, { method: 'POST', headers, timeout: deadline }, (response) => {
      const tooLong = `${url.host} is not the service: its response is too large`
      boundedText(response, responseMax, tooLong).then((said) => {
        if (response.statusCode !== 200 && response.statusCode !== 201) {
          return reject(
            new Error(parseErrorText(said) ?? `the service responded with ${response.statusCode}`),
          )
        }
        try {
          resolve(JSON.parse(said))
        } catch {
          reject(new Error(`${url.host} is not the service: its response is not JSON`))
        }
      }, reject)
    })
    call.once('timeout', () => call.destroy(new Error(`${url.host}: no response`)))
    call.once('error', (error) => reject(explained(error)))
    call.end(text)
  })
}

/** Adds the time of this machine to an error that may be due to it. */
function explained(error: NodeJS.ErrnoException): Error {
  if (!isClockFinding(error.code)) return error
  const now = new Date().toISOString()
  return new Error(`${error.message}: set the clock of this machine, which says ${now}`)
}

function parseErrorText(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { error?: string }).error
  } catch {
    return undefined
  }
}
