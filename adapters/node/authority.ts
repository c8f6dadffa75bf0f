import {
  createHash,
  createPublicKey,
  randomBytes,
  type webcrypto,
  X509Certificate,
} from 'node:crypto'
import { join } from 'node:path'
import { invalid } from '../../functions/core/errors.ts'
import { agentProtocol } from '../../functions/core/hosts/agent-protocol.ts'
import type { Authority, SignedCertificate } from '../../functions/core/hosts/ports.ts'
import { backDated, certificateLife } from '../../functions/core/hosts/renewal.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { readOrMakePrivate } from './private-file.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const authorityLife = 20 * 365 * 24 * 60 * 60 * 1000

/** The authority with what only the listener for agents may have. */
export interface OpenAuthority extends Authority {
  /** A key of its own with a certificate for the listener, good for a year. PEM. */
  serverIdentity(): Promise<{ key: string; certificate: string; ca: string }>
}

/**
 * The authority that certifies agents: a P-256 key and a certificate in one file of mode 0400 in the data directory, made
 * at the first need and shared by all processes of it.
 */
export function fileAuthority(dataDirectory: string, clock: Clock): OpenAuthority {
  let opened: Promise<Keeper> | undefined
  const open = () => {
    opened ??= openKeeper(join(dataDirectory, 'agent-authority.pem'), clock).catch((error) => {
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    certificate: async () => (await open()).pem,
    fingerprint: async () => (await open()).fingerprint,
    async sign(request, hostId) {
      const keeper = await open()
      const publicKey = await requestedKey(request)
      return keeper.issue(publicKey, `CN=${hostId}`, 'client', certificateLife)
    },
    async serverIdentity() {
      const keeper = await open()
      const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
      const name = agentProtocol.serverName
      const year = 365 * 24 * 60 * 60 * 1000
      const { certificate } = await keeper.issue(keys.publicKey, `CN=${name}`, 'server', year)
      return { key: await privatePem(keys.privateKey), certificate, ca: keeper.pem }
    },
  }
}

interface Keeper {
  pem: string
  fingerprint: string
  issue(
    publicKey: webcrypto.CryptoKey,
    subject: string,
    usage: 'client' | 'server',
    life: number,
  ): Promise<SignedCertificate>
}

async function openKeeper(path: string, clock: Clock): Promise<Keeper> {
  const made = await makeAuthority(clock)
  const text = await readOrMakePrivate(path, () => made, 0o400)
  const [keyPem, pem] = partsOf(text)
  if (!keyPem || !pem) throw new Error('agent-authority.pem holds no key and certificate')
  const x509 = await library()
  const authority = new x509.X509Certificate(pem)
  const signingKey = await crypto.subtle.importKey('pkcs8', derOf(keyPem), algorithm, false, [
    'sign',
  ])
  return {
    pem,
    fingerprint: createHash('sha256').update(new X509Certificate(pem).raw).digest('hex'),
    async issue(publicKey, subject, usage, life) {
      const now = clock.now()
      const expiresAt = Math.floor((now + life) / 1000) * 1000
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: serialNumber(),
        subject,
        issuer: authority.subject,
        notBefore: new Date(now - backDated),
        notAfter: new Date(expiresAt),
        signingAlgorithm: algorithm,
        publicKey,
        signingKey,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage[`${usage}Auth`]], true),
          ...(usage === 'server'
            ? [
                new x509.SubjectAlternativeNameExtension([
                  { type: 'dns', value: agentProtocol.serverName },
                ]),
              ]
            : []),
          await x509.SubjectKeyIdentifierExtension.create(publicKey),
          await x509.AuthorityKeyIdentifierExtension.create(authority, false),
        ],
      })
      return {
        certificate: `${certificate.toString('pem')}\n`,
        serial: certificate.serialNumber.toUpperCase(),
        expiresAt,
      }
    },
  }
}

async function makeAuthority(clock: Clock): Promise<string> {
  const x509 = await library()
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const now = clock.now()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=Container Stacks agents',
    notBefore: new Date(now - backDated),
    notAfter: new Date(now + authorityLife),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return `${await privatePem(keys.privateKey)}${certificate.toString('pem')}\n`
}

/** The key that a request asks to have certified. Throws a `Failure` 400 for anything but a P-256 key that signed its own request. */
async function requestedKey(request: string): Promise<webcrypto.CryptoKey> {
  const x509 = await library()
  try {
    const parsed = new x509.Pkcs10CertificateRequest(request)
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({
      key: Buffer.from(parsed.publicKey.rawData),
      format: 'der',
      type: 'spki',
    })
    const fits = asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1'
    if (fits && (await parsed.verify())) return await parsed.publicKey.export(algorithm, ['verify'])
  } catch {
    // not a request at all: said below
  }
  throw invalid('body.csr: a signing request for a P-256 key is expected, PEM')
}

/** Loaded at the first need: it takes a tenth of a second, and most processes never certify anything. */
async function library() {
  await import('reflect-metadata')
  return import('@peculiar/x509')
}

/** 127 random bits, positive and not beginning with a zero byte: the same digits in every tool. */
function serialNumber(): string {
  const bytes = randomBytes(16)
  bytes[0] = (bytes[0]! & 0x7f) | 0x40
  return bytes.toString('hex')
}

function partsOf(text: string): (string | undefined)[] {
  return ['PRIVATE KEY', 'CERTIFICATE'].map(
    (label) => new RegExp(`-----BEGIN ${label}-----[^-]+-----END ${label}-----\n?`).exec(text)?.[0],
  )
}

const derOf = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64')

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  const body = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64')
  return `-----BEGIN PRIVATE KEY-----\n${body.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`
}
