import 'reflect-metadata'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createSecure } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import {
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeEnrolmentToken } from '../../../functions/core/hosts/enrolment-token.ts'
import { agentProtocol } from '../../../functions/core/records/agent-protocol.ts'
import { makeRequest } from '../../agent/csr.ts'
import { dial } from '../../agent/dial.ts'
import { enrol } from '../../agent/enrol.ts'
import { fileAuthority } from '../keys/authority.ts'
import { systemClock } from '../process/clock.ts'

const day = 86_400_000
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const directories = ['own', 'foreign'].map((name) =>
  mkdtempSync(join(tmpdir(), `container-stacks-${name}-`)),
)
const [own = '', foreign = ''] = directories
let credentials: Parameters<typeof dial>[1]

beforeAll(async () => {
  const authority = fileAuthority(own, systemClock)
  const { key, request } = await makeRequest()
  const { certificate } = await authority.sign(request, 'nas')
  const ca = await authority.certificate()
  credentials = { hostId: 'nas', endpoint: '', ca, certificate, key }
})
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true })
})

/** The clock of a service whose certificates the agent sees as this many days old. */
const clockDaysAgo = (days: number) => ({ ...systemClock, now: () => Date.now() - days * day })

const identityOf = (directory: string, age: number) =>
  fileAuthority(directory, clockDaysAgo(age)).serverIdentity()

interface Crafted {
  age: number
  name?: string
  usage?: ExtendedKeyUsage
  /** Signs with a new key in place of that of the authority. */
  forged?: boolean
}

/** Makes a certificate in the name of the authority. */
async function crafted({ age, name = agentProtocol.serverName, usage, forged }: Crafted) {
  const [keyPem = '', pem = ''] =
    readFileSync(join(own, 'agent-authority.pem'), 'utf8').match(
      /-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g,
    ) ?? []
  const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const der = PemConverter.decodeFirst(keyPem)
  const real = await crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
  const keys = await newKeys()
  const made = await X509CertificateGenerator.create({
    serialNumber: '41',
    subject: `CN=${name}`,
    issuer: new X509Certificate(pem).subject,
    notBefore: new Date(Date.now() - (age + 1) * day),
    notAfter: new Date(Date.now() - (age - 1) * day),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: forged ? (await newKeys()).privateKey : real,
    extensions: [
      new ExtendedKeyUsageExtension([usage ?? ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
    ],
  })
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { key: PemConverter.encode(pkcs8, 'PRIVATE KEY'), certificate: made.toString('pem') }
}

/** Returns what the agent says of a server: why it refuses it, or `connected`. */
async function verdict(
  { key, certificate }: { key: string; certificate: string },
  protocol: string = agentProtocol.alpn,
): Promise<string> {
  const options = { key, cert: certificate, ALPNProtocols: [protocol], requestCert: true }
  const server = createServer({ ...options, rejectUnauthorized: false }, (socket) =>
    socket.on('error', () => {}),
  )
  server.on('tlsClientError', () => {})
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return dial({ host: '127.0.0.1', port }, credentials).then(
    (socket) => {
      socket.destroy()
      return 'connected'
    },
    (error) => error.message,
  )
}

const ages = [
  ['valid', 0],
  ['expired', 400],
  ['not valid yet', -400],
] as const

test.each(ages)(
  'accepts the service while the clock shows its certificate as %s',
  async (...row) => {
    const [, age] = row
    expect(await verdict(await identityOf(own, age))).toBe('connected')
    expect(await verdict(await crafted({ age }))).toBe('connected')
  },
)

test.each(ages)('refuses impostors whose certificate is %s', async (_, age) => {
  const { key, request } = await makeRequest()
  const ofAgent = await fileAuthority(own, clockDaysAgo(age)).sign(
    request,
    agentProtocol.serverName,
  )
  const impostors = {
    'another authority': await identityOf(foreign, age),
    'the name of the authority, but another key': await crafted({ age, forged: true }),
    'another name': await crafted({ age, name: 'other.internal' }),
    'another usage': await crafted({ age, usage: ExtendedKeyUsage.clientAuth }),
    'the certificate of an agent': { key, certificate: ofAgent.certificate },
  }
  for (const [name, identity] of Object.entries(impostors)) {
    expect(`${name}: ${await verdict(identity)}`).toMatch(
      /: 127\.0\.0\.1:\d+: the server is not the service that this host belongs to/,
    )
  }
})

test.each(ages)('refuses a server of another protocol whose certificate is %s', async (_, age) => {
  const said = await verdict(await identityOf(own, age), 'h2')
  expect(said).not.toBe('connected')
})

test.each([400, -400])(
  'enrolment names the clock if the server’s certificate is %i days old',
  async (age) => {
    const { key, certificate } = await identityOf(own, age)
    const server = createSecure({ key, cert: certificate }, (_asked, answer) => answer.end('{}'))
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const token = makeEnrolmentToken(new Uint8Array(32), 'ab'.repeat(32))
    const enrolling = enrol({
      server: `https://127.0.0.1:${port}`,
      token,
      version: '1.0.0',
      directory: join(own, 'agent'),
    })
    await expect(enrolling).rejects.toThrow(/: set the clock of this machine, which says 20\d\d-/)
  },
)
